package io.talosgateway.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** Times as people type them. Stateless. */
final class When {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,6})([smhd])");

    private When() {}

    /** Epoch milliseconds; null for {@code never}. */
    static @Nullable Long parse(String text) {
        if (text.equals("never")) {
            return null;
        }
        Instant now = Instant.now();
        if (text.equals("now")) {
            return now.toEpochMilli();
        }
        Duration in = duration(text);
        if (in != null) {
            return now.plus(in).toEpochMilli();
        }
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeException e) {
            throw new CommandFailure(
                    "'%s' is not a time: say 12h, 90d, 2027-01-31T00:00:00Z, now or never".formatted(text), e);
        }
    }

    /** Null if it is not a duration. */
    static @Nullable Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
