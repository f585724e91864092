package io.talosgateway.loadgen.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and durations as people write them. Stateless. */
public final class Units {

    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})\\s*(b|kib|mib)?");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h)");

    private Units() {}

    /** @throws IllegalArgumentException with a sentence for the user if the text is not a size that fits an array */
    public static int bytes(String text) {
        Matcher matcher = SIZE.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size: write it like 100B, 10KiB or 1MiB");
        }
        String unit = matcher.group(2);
        long factor = "kib".equals(unit) ? 1 << 10 : "mib".equals(unit) ? 1 << 20 : 1;
        long bytes = Long.parseLong(matcher.group(1)) * factor;
        if (bytes > 1 << 30) {
            throw new IllegalArgumentException(
                    "'" + text + "' is more than 1024MiB, which nobody takes as one message");
        }
        return (int) bytes;
    }

    /** @throws IllegalArgumentException with a sentence for the user if the text is not a duration */
    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration: write it like 500ms, 10s, 5m or 1h");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }
}
