package io.talosgateway.loadgen.group;

import java.util.EnumMap;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.measure.TallyText;
import io.talosgateway.loadgen.run.RunListener;
import org.jspecify.annotations.Nullable;

/**
 * What a client process tells the command that started it: a line of JSON. Fields are there as the type needs them.
 *
 * @param seconds of the phase
 * @param sinceBeginNanos since the end of the process's warm-up
 * @param counts whether time that counts follows
 * @param failure a sentence for the user
 */
record ProcessMessage(
        Type type,
        RunListener.@Nullable Phase phase,
        int seconds,
        RunListener.@Nullable Totals totals,
        Map<Kind, TallyText> tallies,
        long sinceBeginNanos,
        boolean counts,
        @Nullable RunFacts facts,
        @Nullable String failure) {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    /** In the order in which they come. */
    enum Type {
        /** It waits for the word to begin. */
        READY,
        PROGRESS,
        BEGIN,
        SECOND,
        END,
        /** The last message of a process that did its run. */
        FACTS,
        /** The last message of a process that could not. */
        FAILED
    }

    static ProcessMessage of(Type type) {
        return new ProcessMessage(type, null, 0, null, Map.of(), 0, false, null, null);
    }

    static ProcessMessage progress(RunListener.Phase phase, int seconds, RunListener.Totals totals) {
        return new ProcessMessage(Type.PROGRESS, phase, seconds, totals, Map.of(), 0, false, null, null);
    }

    static ProcessMessage tallies(Type type, Map<Kind, Tally> tallies, long sinceBeginNanos, boolean counts) {
        Map<Kind, TallyText> texts = new EnumMap<>(Kind.class);
        tallies.forEach((kind, tally) -> texts.put(kind, TallyText.of(tally)));
        return new ProcessMessage(type, null, 0, null, texts, sinceBeginNanos, counts, null, null);
    }

    static ProcessMessage facts(RunFacts facts) {
        return new ProcessMessage(Type.FACTS, null, 0, null, Map.of(), 0, false, facts, null);
    }

    static ProcessMessage failed(String failure) {
        return new ProcessMessage(Type.FAILED, null, 0, null, Map.of(), 0, false, null, failure);
    }

    Map<Kind, Tally> readTallies() {
        Map<Kind, Tally> read = new EnumMap<>(Kind.class);
        tallies.forEach((kind, text) -> read.put(kind, text.tally()));
        return read;
    }

    String toLine() {
        try {
            return MAPPER.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws IllegalArgumentException if it is none */
    static ProcessMessage parse(String line) {
        try {
            return MAPPER.readValue(line, ProcessMessage.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a client process said '" + line + "'", e);
        }
    }
}
