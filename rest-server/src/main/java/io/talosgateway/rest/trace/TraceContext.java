package io.talosgateway.rest.trace;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a host is told of a request that comes from a client or another host. Immutable.
 *
 * @param requestId safe to repeat in headers and logs
 * @param parent position in a trace; null if the request is in none
 * @param state the header {@code tracestate}, unchanged; null if there is none
 */
public record TraceContext(
        String requestId,
        @Nullable TraceParent parent,
        @Nullable String state) {

    public static final String STATE_HEADER = "tracestate";

    private static final int MAX_STATE_LENGTH = 512;
    private static final int MAX_STATE_MEMBERS = 32;

    /**
     * Takes what was sent; leaves out what is not valid.
     *
     * @param parents all headers {@code traceparent}: with more than one, none counts
     * @param states all headers {@code tracestate}, in order; too long a one is left out
     */
    public static TraceContext of(@Nullable String requestId, List<String> parents, List<String> states) {
        TraceParent parent = parents.size() == 1 ? TraceParent.parse(parents.get(0)) : null;
        return new TraceContext(
                RequestId.of(requestId), parent, parent == null ? null : checkedState(String.join(",", states)));
    }

    private static @Nullable String checkedState(String state) {
        boolean valid = !state.isBlank()
                && state.length() <= MAX_STATE_LENGTH
                && state.chars().filter(c -> c == ',').count() < MAX_STATE_MEMBERS
                && state.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'));
        return valid ? state : null;
    }

    /** Null if the request is in no trace. */
    public @Nullable String traceId() {
        TraceParent known = parent;
        return known == null ? null : known.traceId();
    }
}
