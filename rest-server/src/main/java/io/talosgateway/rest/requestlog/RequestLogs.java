package io.talosgateway.rest.requestlog;

import io.talosgateway.rest.stages.Stage;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.trace.Tracing;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Where requests are noted, of clients and of other hosts.
 *
 * @param access each request; {@link AccessLog#NONE} if nobody wants to know
 * @param slow those that took long
 * @param tracing as spans
 */
public record RequestLogs(AccessLog access, SlowRequests slow, Tracing tracing) {

    public static final RequestLogs NONE = new RequestLogs(AccessLog.NONE, SlowRequests.OFF, Tracing.OFF);

    /** Whether each request is noted. */
    public boolean notesAccess() {
        return access != AccessLog.NONE;
    }

    /**
     * What notes the stages of a put or get.
     *
     * @param asked whether its client wants to know them
     * @param span of the request; null if there is none
     * @param receivedAtNanos on the clock
     * @return null if nobody wants to know them
     */
    public @Nullable Stages stages(
            boolean asked, Tracing.@Nullable Received span, NanoClock clock, long receivedAtNanos) {
        if (!asked && !slow.isOn() && (span == null || !span.isRecorded())) {
            return null;
        }
        Stages stages = new Stages(clock);
        stages.stamp(Stage.RECEIVED, receivedAtNanos);
        return stages;
    }
}
