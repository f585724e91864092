package io.talosgateway.rest.routing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Timeout;

/**
 * Tries a request again whose partition is moving from one host to another, for a short time, so that clients do not notice.
 * Nothing was done for a request that is answered with {@code PARTITION_MOVING}. Safe for use by any thread; does not block.
 */
public final class MovePatience {

    /** Requests that are patient at the same time; further ones are refused at once. */
    static final int MOST = 2_000;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LAST_PAUSE = Duration.ofMillis(200);

    private final Duration atMost;
    private final DeadlineTimer timer;
    private final Executor answers;
    private final NanoClock clock;
    private final AtomicInteger patient = new AtomicInteger();

    /**
     * @param atMost how long a request is tried
     * @param answers tries again; must not reject
     */
    public MovePatience(Duration atMost, DeadlineTimer timer, Executor answers, NanoClock clock) {
        this.atMost = atMost;
        this.timer = timer;
        this.answers = answers;
        this.clock = clock;
    }

    NanoClock clock() {
        return clock;
    }

    /** Requests that are being tried again. */
    public int waiting() {
        return patient.get();
    }

    /**
     * The result of the first attempt that does not find its partition moving, or of the last one in time.
     *
     * @param request makes an attempt; may throw a {@link GatewayException}
     */
    <T> CompletableFuture<T> ask(Deadline deadline, Supplier<CompletableFuture<T>> request) {
        return attempt(request)
                .exceptionallyCompose(failure -> isMoving(failure)
                        ? new Asking<>(deadline, request).after(failure)
                        : CompletableFuture.failedFuture(failure));
    }

    private static <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> request) {
        try {
            return request.get();
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static boolean isMoving(Throwable failure) {
        return GatewayException.in(failure)
                .filter(reason -> reason.code() == ErrorCode.PARTITION_MOVING)
                .isPresent();
    }

    /** A request that was refused because its partition is moving. Its attempts follow each other. */
    private final class Asking<T> extends Timeout {

        private final Deadline until;
        private final Supplier<CompletableFuture<T>> request;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private long pauseNanos = FIRST_PAUSE.toNanos();

        Asking(Deadline deadline, Supplier<CompletableFuture<T>> request) {
            this.until = Deadline.after(clock, atMost).earlier(deadline);
            this.request = request;
        }

        CompletableFuture<T> after(Throwable refusal) {
            if (!waitsForNext()) {
                answer.completeExceptionally(refusal);
            }
            return answer;
        }

        private boolean waitsForNext() {
            Deadline next = Deadline.at(clock.nanoTime() + pauseNanos);
            if (!next.isBefore(until)) {
                return false;
            }
            if (patient.incrementAndGet() > MOST) {
                patient.decrementAndGet();
                return false;
            }
            pauseNanos = Math.min(LAST_PAUSE.toNanos(), pauseNanos * 2);
            timer.schedule(this, next);
            return true;
        }

        @Override
        protected void deadlinePassed() {
            patient.decrementAndGet();
            answers.execute(() -> attempt(request).whenComplete((result, failure) -> {
                if (failure == null) {
                    answer.complete(result);
                } else if (isMoving(failure)) {
                    after(failure);
                } else {
                    answer.completeExceptionally(failure);
                }
            }));
        }
    }
}
