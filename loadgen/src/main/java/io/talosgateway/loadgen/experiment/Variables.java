package io.talosgateway.loadgen.experiment;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Names that the texts of an experiment can use as {@code ${name}}. There are always {@code processors} of this machine, {@code
 * rounds}, {@code seconds} that count, {@code half} of them as a time, {@code seed}, and {@code connections}, as many as the limit
 * of open files allows, up to 16,384. Immutable.
 */
record Variables(Map<String, String> values) {

    private static final Pattern NAME = Pattern.compile("\\$\\{([a-z0-9-]+)}");
    private static final int CONNECTIONS = 16_384;

    static Variables of(TrialSettings settings) {
        Timing timing = settings.timing();
        return new Variables(Map.of(
                "processors",
                Integer.toString(Runtime.getRuntime().availableProcessors()),
                "rounds",
                Integer.toString(timing.rounds()),
                "seconds",
                Long.toString(Math.max(1, timing.duration().toSeconds())),
                "half",
                timing.duration().toMillis() / 2 + "ms",
                "seed",
                Long.toString(settings.seed()),
                "connections",
                Integer.toString(IdleConnections.atMost(CONNECTIONS))));
    }

    /** With another one, whose text may name those that there are. */
    Variables with(String name, String value) {
        Map<String, String> all = new TreeMap<>(values);
        all.put(name, fill(value));
        return new Variables(all);
    }

    @Nullable
    String fillIfAny(@Nullable String text) {
        return text == null ? null : fill(text);
    }

    /** @throws IllegalArgumentException if the text names what there is not */
    String fill(String text) {
        return NAME.matcher(text).replaceAll(found -> {
            String value = values.get(found.group(1));
            if (value == null) {
                throw new IllegalArgumentException(
                        "'%s' names %s, and there are %s".formatted(text, found.group(), values));
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
