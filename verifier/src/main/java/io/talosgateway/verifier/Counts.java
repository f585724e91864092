package io.talosgateway.verifier;

import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonAutoDetect;

/** What a {@link Check} counted, as it is written to a file. */
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
final class Counts {

    /** Requests to put. */
    long attempts;
    /** Puts that were acknowledged. */
    long puts;
    /** Their messages. */
    long messages;
    /** Attempts that have not stored anything, by answer. */
    final Map<String, Long> attemptsRefused = new TreeMap<>();
    /** Attempts of which nobody knows, by answer, or what came instead of one. */
    final Map<String, Long> attemptsUnknown = new TreeMap<>();
    /** Attempts that were acknowledged as repeats. */
    long repeats;
    /** Puts that were never acknowledged, and of which no attempt may have stored anything. */
    long putsRefused;
    /** Puts that were never acknowledged, and are there. */
    long unknownStored;
    /** Puts that were never acknowledged, may be there, and are not. */
    long unknownNotStored;
    /** Messages of acknowledged puts that are out of their retention, wholly or in part. */
    long expired;
    /** Messages that are there. */
    long stored;
    /** How much later than its time the latest answer came, of gateways to which nothing was done; 0 if none was late. */
    double latestMs;

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
