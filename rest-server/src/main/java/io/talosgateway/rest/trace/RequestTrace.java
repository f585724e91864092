package io.talosgateway.rest.trace;

import io.talosgateway.rest.stages.Stage;
import io.talosgateway.rest.stages.Stages;
import org.jspecify.annotations.Nullable;

/**
 * Goes with a put or get on its way through this host: what names it, and what is noted of its way. Whatever nobody asked for is
 * absent, and costs nothing. Safe for use by any thread.
 */
public final class RequestTrace {

    private final TraceContext context;
    private final @Nullable Stages stages;
    private final Tracing.@Nullable Received span;
    private volatile @Nullable String forwardedTo;

    /**
     * @param stages notes when it passes which; null if nobody asks
     * @param span of the request; null if it is not recorded, or if it is not all of the request
     */
    public RequestTrace(TraceContext context, @Nullable Stages stages, Tracing.@Nullable Received span) {
        this.context = context;
        this.stages = stages;
        this.span = span;
    }

    /** Names a request, and notes nothing of its way. */
    public static RequestTrace named(TraceContext context) {
        return new RequestTrace(context, null, null);
    }

    public TraceContext context() {
        return context;
    }

    public @Nullable Stages stages() {
        return stages;
    }

    /** The host that it was handed to last; null if it was served here. */
    public @Nullable String forwardedTo() {
        return forwardedTo;
    }

    /**
     * It is handed to another host.
     *
     * @return what that host is told
     */
    public static @Nullable TraceContext forward(@Nullable RequestTrace trace, String host) {
        if (trace == null) {
            return null;
        }
        trace.forwardedTo = host;
        Stages.stamp(trace.stages, Stage.FORWARDED);
        return trace.span == null ? trace.context : trace.span.forward(host);
    }

    /** The other host's answer has come, or will not. */
    public static void returned(@Nullable RequestTrace trace) {
        if (trace != null) {
            Stages.stamp(trace.stages, Stage.RETURNED);
            if (trace.span != null) {
                trace.span.returned();
            }
        }
    }
}
