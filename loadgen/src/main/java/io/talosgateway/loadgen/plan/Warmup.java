package io.talosgateway.loadgen.plan;

import java.time.Duration;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.talosgateway.loadgen.cli.Units;
import io.talosgateway.loadgen.measure.SettledRate;

/**
 * Load before anything counts.
 *
 * @param most when the warm-up is over at the latest
 * @param untilSettled whether it is over before, when the rate of answers has stopped rising ({@link SettledRate})
 */
public record Warmup(Duration most, boolean untilSettled) {

    /** {@link #AUTO} is over then, also if the rate still rises. */
    public static final Duration MOST = Duration.ofSeconds(60);

    /** Of the option that says it. */
    public static final String DESCRIPTION =
            "Load before anything counts: 500ms, 10s, 5m; or auto, until the rate has stopped rising, which takes 12 s to 60 s. "
                    + "Default: ${DEFAULT-VALUE}.";

    private static final String AUTO_TEXT = "auto";

    /** Until the rate has stopped rising. */
    public static final Warmup AUTO = new Warmup(MOST, true);

    public static Warmup of(Duration time) {
        return new Warmup(time, false);
    }

    /**
     * Reads {@code auto} or a time such as {@code 10s}.
     *
     * @throws IllegalArgumentException with a sentence for the user if it is neither
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Warmup parse(String text) {
        if (text.trim().equals(AUTO_TEXT)) {
            return AUTO;
        }
        try {
            return of(Units.duration(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + ", or auto", e);
        }
    }

    @JsonValue
    public String text() {
        return untilSettled ? AUTO_TEXT : most.toMillis() + "ms";
    }
}
