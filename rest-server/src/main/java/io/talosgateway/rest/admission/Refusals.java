package io.talosgateway.rest.admission;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.scheduler.TaskRejectedException;

/** What a pool's refusals mean to clients: in every case, nothing was done. Stateless. */
public final class Refusals {

    private Refusals() {}

    /** What the reason why a task was queued and never run means. */
    public static GatewayException abandoned(Exception reason) {
        return reason instanceof TaskRejectedException refusal
                ? of(refusal)
                : new GatewayException(
                        ErrorCode.DEADLINE_EXCEEDED,
                        "The time for the request ran out before its turn came; nothing was done.");
    }

    public static GatewayException of(TaskRejectedException refusal) {
        return switch (refusal.reason()) {
            case KEY_FULL ->
                new GatewayException(
                        ErrorCode.THROTTLED,
                        "Too many requests for it wait already (" + refusal.getMessage()
                                + "); nothing was done. Send them slower.");
            case WORKER_FULL, EXECUTOR_FULL ->
                new GatewayException(
                        ErrorCode.OVERLOADED,
                        "Too many requests wait (" + refusal.getMessage() + "); nothing was done. Try again later.");
            case TOO_LATE ->
                new GatewayException(
                        ErrorCode.DEADLINE_EXCEEDED,
                        "The time for the request would run out before its turn came (" + refusal.getMessage()
                                + "); nothing was done. Try again later, or allow more time.");
            case DRAINING ->
                new GatewayException(
                        ErrorCode.PARTITION_NOT_SERVING, "This host is shutting down; nothing was done. Try again.");
        };
    }
}
