package io.talosgateway.rest.admission;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.Timeout;

/** Answers at the deadline what is not done by then. Safe for use by any thread; does not block. */
public final class TimedAnswers {

    private final DeadlineTimer timer;
    private final Executor answers;

    /** @param answers answers requests whose deadline passes; must not reject */
    public TimedAnswers(DeadlineTimer timer, Executor answers) {
        this.timer = timer;
        this.answers = answers;
    }

    /**
     * The same outcome, or {@code DEADLINE_EXCEEDED} when the deadline passes first; the work goes on then.
     *
     * @param late what the client is told then
     */
    public <T> CompletableFuture<T> within(Deadline deadline, CompletableFuture<T> work, String late) {
        return within(deadline, work, ErrorCode.DEADLINE_EXCEEDED, late);
    }

    /** The same, with another code than {@code DEADLINE_EXCEEDED}. */
    public <T> CompletableFuture<T> within(Deadline deadline, CompletableFuture<T> work, ErrorCode code, String late) {
        Late<T> timeout = new Late<>(code, late);
        timer.schedule(timeout, deadline);
        work.whenComplete((result, failure) -> {
            timer.cancel(timeout);
            if (failure == null) {
                timeout.answer.complete(result);
            } else {
                timeout.answer.completeExceptionally(failure);
            }
        });
        return timeout.answer;
    }

    private final class Late<T> extends Timeout {

        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private final ErrorCode code;
        private final String late;

        Late(ErrorCode code, String late) {
            this.code = code;
            this.late = late;
        }

        @Override
        protected void deadlinePassed() {
            answers.execute(() -> answer.completeExceptionally(new GatewayException(code, late)));
        }
    }
}
