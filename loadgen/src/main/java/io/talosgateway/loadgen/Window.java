package io.talosgateway.loadgen;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The time in which requests count: it begins after the warm-up and ends after the duration, or earlier. Instants are of
 * {@link System#nanoTime}. Safe for use by any thread.
 */
final class Window {

    private final long startNanos;
    private final long fromNanos;
    private volatile long untilNanos;
    private final CountDownLatch closed = new CountDownLatch(1);

    Window(long nowNanos, Duration warmup, Duration duration) {
        startNanos = nowNanos;
        fromNanos = nowNanos + warmup.toNanos();
        untilNanos = fromNanos + duration.toNanos();
    }

    /** When the warm-up began. */
    long startNanos() {
        return startNanos;
    }

    long fromNanos() {
        return fromNanos;
    }

    long untilNanos() {
        return untilNanos;
    }

    /** Whether an instant is after the warm-up and before the end. */
    boolean contains(long nanos) {
        return nanos - fromNanos >= 0 && nanos - untilNanos < 0;
    }

    boolean isOver(long nowNanos) {
        return nowNanos - untilNanos >= 0;
    }

    /** Ends it now, if it has not ended before. */
    synchronized void close(long nowNanos) {
        if (!isOver(nowNanos)) {
            untilNanos = nowNanos;
        }
        closed.countDown();
    }

    /** Whether {@link #close} was called. */
    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits for so long, or until {@link #close} is called. */
    void await(long nanos) throws InterruptedException {
        closed.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** How long it was open, in seconds; 0 if the end came in the warm-up. */
    double seconds() {
        return Math.max(0, untilNanos - fromNanos) / 1e9;
    }
}
