package io.talosgateway.doctor;

import java.time.Duration;
import java.util.Locale;

/**
 * How far another clock is ahead of this host's: between {@code leastMs} and {@code mostMs}, as the way there and back takes time.
 */
record ClockOffset(long leastMs, long mostMs) {

    private static final long NOTABLE_MS = 2_000;
    private static final long HARMFUL_MS = 60_000;

    /**
     * @param beforeMs this clock, before the other one was asked
     * @param otherMs what the other one said
     * @param stepMs how exactly it said it: the truth is less than one step later
     * @param afterMs this clock, when the answer was here
     */
    static ClockOffset of(long beforeMs, long otherMs, long stepMs, long afterMs) {
        return new ClockOffset(otherMs - afterMs, otherMs + stepMs - beforeMs);
    }

    /** What it is at least, whatever the ways took; 0 if the clocks may agree. */
    private long atLeastMs() {
        return leastMs > 0 ? leastMs : Math.min(mostMs, 0);
    }

    /** @param whose such as {@code the clock of the NameNode} */
    void tell(String whose, Findings findings) {
        long offMs = atLeastMs();
        if (Math.abs(offMs) < NOTABLE_MS) {
            findings.ok("%s agrees with this host's to within %s."
                    .formatted(capital(whose), seconds(Math.max(Math.abs(leastMs), Math.abs(mostMs)))));
            return;
        }
        String text = "%s is at least %s %s this host's."
                .formatted(capital(whose), seconds(Math.abs(offMs)), offMs > 0 ? "ahead of" : "behind");
        String advice =
                "Synchronize the clocks of all hosts (NTP, chrony). Retention, signatures, tokens and Kerberos go by them.";
        if (Math.abs(offMs) < HARMFUL_MS) {
            findings.warn(text, advice);
        } else {
            findings.fail(text, advice);
        }
    }

    private static String seconds(long ms) {
        Duration duration = Duration.ofMillis(ms);
        return duration.toHours() >= 1 ? duration.toHours() + " h" : "%.1f s".formatted(ms / 1e3);
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
