package io.talosgateway.verifier;

import java.util.Map;

/**
 * What a check counted.
 *
 * @param attempts requests to put
 * @param puts puts that were acknowledged
 * @param messages their messages
 * @param attemptsRefused attempts that have not stored anything, by answer
 * @param attemptsUnknown attempts of which nobody knows, by answer, or what came instead of one
 * @param repeats attempts that were acknowledged as repeats
 * @param putsRefused puts that were never acknowledged, and of which no attempt may have stored anything
 * @param unknownStored puts that were never acknowledged, and are there
 * @param unknownNotStored puts that were never acknowledged, may be there, and are not
 * @param expired messages of acknowledged puts that are out of their retention, wholly or in part
 * @param stored messages that are there
 * @param latestMs how much later than its time the latest answer came, in milliseconds, of gateways to which nothing was
 *     done; 0 if none was late
 */
record Counts(
        long attempts,
        long puts,
        long messages,
        Map<String, Long> attemptsRefused,
        Map<String, Long> attemptsUnknown,
        long repeats,
        long putsRefused,
        long unknownStored,
        long unknownNotStored,
        long expired,
        long stored,
        double latestMs) {

    /** All attempts that have not stored anything. */
    long refused() {
        return sum(attemptsRefused);
    }

    /** All attempts of which nobody knows. */
    long unknown() {
        return sum(attemptsUnknown);
    }

    private static long sum(Map<String, Long> byAnswer) {
        return byAnswer.values().stream().mapToLong(Long::longValue).sum();
    }
}
