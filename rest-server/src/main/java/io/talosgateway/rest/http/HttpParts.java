package io.talosgateway.rest.http;

import java.time.InstantSource;
import java.util.concurrent.Executor;

import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.admission.RefusalPacer;
import io.talosgateway.rest.config.Dispatch;
import io.talosgateway.rest.http.audit.AuditLog;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Timeout;

/**
 * What the HTTP interfaces share.
 *
 * @param dispatch what a request holds while it waits
 * @param refusals how long answers wait that refuse a request
 * @param answers runs what answers when a time has run out; must not reject
 * @param largeWork reads, decodes and encodes what is large; must not reject
 * @param failures where failures go that no code expected
 * @param audit where changes and refusals go
 */
public record HttpParts(
        HttpConfig config,
        MessageLimits limits,
        Dispatch dispatch,
        AdmissionController admission,
        RefusalPacer refusals,
        DeadlineTimer timer,
        Executor answers,
        Executor largeWork,
        NanoClock clock,
        InstantSource wallClock,
        RequestMetrics metrics,
        UnexpectedFailures failures,
        AuditLog audit) {

    /** Runs the task after a time, on the executor for answers. */
    void later(long nanos, Runnable task) {
        Timeout over = new Timeout() {
            @Override
            protected void deadlinePassed() {
                answers.execute(task);
            }
        };
        timer.schedule(over, Deadline.at(clock.nanoTime() + nanos));
    }
}
