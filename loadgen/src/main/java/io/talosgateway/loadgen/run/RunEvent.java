package io.talosgateway.loadgen.run;

import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.Tally;
import org.jspecify.annotations.Nullable;

/**
 * What a run tells as it goes. Also what a client process tells the command that started it: a line of JSON. Fields are there
 * as the type needs them.
 *
 * @param seconds of the phase that are over
 * @param totals what has been answered since the beginning of the warm-up
 * @param sinceBeginNanos since the end of the warm-up
 * @param counts whether time that counts follows; false if the run ended in the warm-up
 * @param failure a sentence for the user
 */
public record RunEvent(
        Type type,
        int seconds,
        Totals totals,
        Map<Kind, Tally> tallies,
        long sinceBeginNanos,
        boolean counts,
        @Nullable RunFacts facts,
        @Nullable String failure) {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    /** In the order in which they come. */
    public enum Type {
        /** A client process waits for the word to begin. */
        READY,
        /** Another second of the warm-up is over, or all of it. */
        WARM_UP,
        /** The warm-up is over; with what came of it: errors, and what counts already. */
        BEGIN,
        /** Another second that counts is over, or all of them. */
        MEASURING,
        /** With what came of the requests that were answered in a second that counts. */
        SECOND,
        /** All requests are answered; with what came since the last second, until the end of the time that counts. */
        END,
        /** The last one of a client process that did its run. */
        FACTS,
        /** The last one of a client process that could not. */
        FAILED
    }

    /**
     * Sums of requests.
     *
     * @param answered without errors, by the kinds that there are
     * @param errors of all of them
     */
    public record Totals(Map<Kind, Long> answered, long errors) {

        public static final Totals NONE = new Totals(Map.of(), 0);

        /** Of all kinds, without errors. */
        public long all() {
            return answered.values().stream().mapToLong(Long::longValue).sum();
        }

        public Totals plus(Totals other) {
            Map<Kind, Long> sums = new TreeMap<>(answered);
            other.answered.forEach((kind, count) -> sums.merge(kind, count, Long::sum));
            return new Totals(sums, errors + other.errors);
        }
    }

    public static RunEvent of(Type type) {
        return new RunEvent(type, 0, Totals.NONE, Map.of(), 0, false, null, null);
    }

    /** @param phase the warm-up, or the time that counts */
    public static RunEvent progress(Type phase, int seconds, Totals totals) {
        return new RunEvent(phase, seconds, totals, Map.of(), 0, false, null, null);
    }

    public static RunEvent tallies(Type type, Map<Kind, Tally> tallies, long sinceBeginNanos, boolean counts) {
        return new RunEvent(type, 0, Totals.NONE, tallies, sinceBeginNanos, counts, null, null);
    }

    public static RunEvent facts(RunFacts facts) {
        return new RunEvent(Type.FACTS, 0, Totals.NONE, Map.of(), 0, false, facts, null);
    }

    public static RunEvent failed(String failure) {
        return new RunEvent(Type.FAILED, 0, Totals.NONE, Map.of(), 0, false, null, failure);
    }

    public String toLine() {
        try {
            return MAPPER.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws IllegalArgumentException if it is none */
    public static RunEvent parse(String line) {
        try {
            return MAPPER.readValue(line, RunEvent.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a client process said '" + line + "'", e);
        }
    }
}
