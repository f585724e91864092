package io.talosgateway.rest.requestlog;

import io.talosgateway.rest.stages.Stage;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Where requests are noted, of clients and of other hosts.
 *
 * @param access each request; {@link AccessLog#NONE} if nobody wants to know
 * @param slow those that took long
 */
public record RequestLogs(AccessLog access, SlowRequests slow) {

    public static final RequestLogs NONE = new RequestLogs(AccessLog.NONE, SlowRequests.OFF);

    /** Whether each request is noted. */
    public boolean notesAccess() {
        return access != AccessLog.NONE;
    }

    /**
     * What notes the stages of a put or get.
     *
     * @param asked whether its client wants to know them
     * @param receivedAtNanos on the clock
     * @return null if nobody wants to know them
     */
    public @Nullable Stages stages(boolean asked, NanoClock clock, long receivedAtNanos) {
        if (!asked && !slow.isOn()) {
            return null;
        }
        Stages stages = new Stages(clock);
        stages.stamp(Stage.RECEIVED, receivedAtNanos);
        return stages;
    }
}
