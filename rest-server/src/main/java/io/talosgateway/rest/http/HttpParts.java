package io.talosgateway.rest.http;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.admission.RefusalPacer;
import io.talosgateway.rest.http.audit.AuditLog;
import io.talosgateway.rest.message.BodyArrays;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.rest.requestlog.RequestLogs;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Timeout;
import org.eclipse.jetty.util.Callback;

/**
 * What the HTTP interfaces share.
 *
 * @param bodies arrays in which bodies are read
 * @param refusals how long answers wait that refuse a request
 * @param answers runs what answers when a time has run out; must not reject
 * @param largeWork reads, decodes and encodes what is large; must not reject
 * @param failures where failures go that no code expected
 * @param audit where changes and refusals go
 * @param logs where requests are noted
 */
public record HttpParts(
        HttpConfig config,
        MessageLimits limits,
        BodyArrays bodies,
        AdmissionController admission,
        RefusalPacer refusals,
        DeadlineTimer timer,
        Executor answers,
        Executor largeWork,
        NanoClock clock,
        InstantSource wallClock,
        RequestMetrics metrics,
        UnexpectedFailures failures,
        AuditLog audit,
        RequestLogs logs) {

    /** What is done of an exchange at one time. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /** Takes the step after a time, on the executor for answers. If it throws, the exchange of the callback fails. */
    void later(long nanos, Callback callback, Step step) {
        after(nanos).thenRun(() -> {
            try {
                step.run();
            } catch (Throwable e) {
                callback.failed(e);
            }
        });
    }

    /** Completes after a time, on the executor for answers. */
    public CompletableFuture<Void> after(long nanos) {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        Timeout over = new Timeout() {
            @Override
            protected void deadlinePassed() {
                answers.execute(() -> passed.complete(null));
            }
        };
        timer.schedule(over, Deadline.at(clock.nanoTime() + nanos));
        return passed;
    }
}
