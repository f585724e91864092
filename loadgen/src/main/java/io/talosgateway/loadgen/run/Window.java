package io.talosgateway.loadgen.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The time in which requests count: it begins after the warm-up and ends after the duration, or earlier. Instants are of
 * {@link System#nanoTime}. Safe for use by any thread.
 */
final class Window {

    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Duration mostWarmup;
    private final Duration duration;
    private volatile long startNanos;
    private volatile long fromNanos;
    private volatile long untilNanos;
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * One that has not begun.
     *
     * @param mostWarmup when the warm-up is over, if {@link #open} does not end it before
     */
    Window(Duration mostWarmup, Duration duration) {
        this.mostWarmup = mostWarmup;
        this.duration = duration;
    }

    /** The warm-up begins; if it was closed before, it is over at once. */
    synchronized void start(long nowNanos) {
        startNanos = nowNanos;
        fromNanos = nowNanos + mostWarmup.toNanos();
        untilNanos = isClosed() ? nowNanos : fromNanos + duration.toNanos();
        started.countDown();
    }

    /** Ends the warm-up now, if it is not over and the window was not closed. */
    synchronized void open(long nowNanos) {
        if (!isClosed() && nowNanos - fromNanos < 0) {
            // In this order: no instant is in a window that was moved by half.
            untilNanos = nowNanos + duration.toNanos();
            fromNanos = nowNanos;
        }
    }

    /** Waits until the warm-up begins. */
    void awaitStart() throws InterruptedException {
        started.await();
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

    /** False before it has begun. */
    boolean isOver(long nowNanos) {
        return started.getCount() == 0 && nowNanos - untilNanos >= 0;
    }

    /** Whether it has been over for a while: until then, what was due in it is still sent. */
    boolean isLongOver(long nowNanos) {
        return isOver(nowNanos - GRACE_NANOS);
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
