package io.talosgateway.rest.trace;

import java.util.List;
import java.util.Map;

import io.talosgateway.rest.stages.StageInterval;
import org.jspecify.annotations.Nullable;

/** Records requests as spans, for whoever collects traces. Safe for use by any thread; does not block. */
@FunctionalInterface
public interface Tracing {

    /** Records nothing. */
    Tracing OFF = (context, startedAtNanos) -> null;

    /**
     * Begins the span of a request that this host has received.
     *
     * @param context what came with it
     * @param startedAtNanos on the gateway's clock
     * @return null if no request is recorded
     */
    @Nullable
    Received receive(TraceContext context, long startedAtNanos);

    /** A request at this host. To be ended once. */
    interface Received {

        /** What names it from here on; its position in the trace is this request's. */
        TraceContext context();

        /** Whether it is among those that are recorded. */
        boolean isRecorded();

        /**
         * Begins the span of handing it to another host; one at a time.
         *
         * @return what that host is told
         */
        TraceContext forward(String host);

        /** Ends that span. */
        void returned();

        void end(End end);
    }

    /**
     * How a request ended.
     *
     * @param atNanos on the gateway's clock
     * @param intervals that it went through; some become spans
     * @param attributes of its span, by name; each value is a text or a whole number
     * @param failed whether this host is to blame
     */
    record End(long atNanos, List<StageInterval> intervals, Map<String, Object> attributes, boolean failed) {}
}
