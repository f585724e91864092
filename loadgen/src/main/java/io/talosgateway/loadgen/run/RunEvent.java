package io.talosgateway.loadgen.run;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.Tally;
import org.jspecify.annotations.Nullable;

/**
 * What a run tells as it goes. Also what a client process tells the command that started it: a line of JSON.
 *
 * @param tallies what came of requests since the last event
 * @param atNanos since the beginning of the warm-up, or since its end
 * @param counts whether time that counts follows; false if the run ended in the warm-up
 * @param facts with the last event
 * @param failure a sentence for the user
 */
public record RunEvent(
        Type type,
        Map<Kind, Tally> tallies,
        long atNanos,
        boolean counts,
        @Nullable RunFacts facts,
        @Nullable String failure) {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    /** In the order in which they come. */
    public enum Type {
        /** A client process waits for the word to begin. */
        READY,
        /** Another second of the warm-up is over. */
        WARM_UP,
        /** The warm-up is over. */
        BEGIN,
        /** Another second that counts is over. */
        SECOND,
        /** All requests are answered. The time is that of the end of what counts. */
        END,
        /** The last one of a client process that did its run. */
        FACTS,
        /** The last one of a client process that could not. */
        FAILED
    }

    public static RunEvent ready() {
        return new RunEvent(Type.READY, Map.of(), 0, false, null, null);
    }

    public static RunEvent tallies(Type type, Map<Kind, Tally> tallies, long atNanos, boolean counts) {
        return new RunEvent(type, tallies, atNanos, counts, null, null);
    }

    public static RunEvent facts(RunFacts facts) {
        return new RunEvent(Type.FACTS, Map.of(), 0, false, facts, null);
    }

    public static RunEvent failed(String failure) {
        return new RunEvent(Type.FAILED, Map.of(), 0, false, null, failure);
    }

    /** Answers of all kinds since the last event, without errors. */
    public long answered() {
        return tallies.values().stream().mapToLong(Tally::answered).sum();
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
