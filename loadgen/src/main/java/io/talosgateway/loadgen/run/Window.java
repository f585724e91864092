package io.talosgateway.loadgen.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The time in which requests count: it begins after the warm-up and ends after the duration, or earlier. Instants are of
 * {@link System#nanoTime}. Safe for use by any thread.
 */
final class Window {

    /** After which a thread that waits looks whether the window was closed. */
    static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Duration mostWarmup;
    private final Duration duration;
    private volatile long startNanos;
    private volatile long fromNanos;
    private volatile long untilNanos;
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile boolean closed;

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
        closed = true;
    }

    /** Whether {@link #close} was called. */
    boolean isClosed() {
        return closed;
    }

    /**
     * Sleeps for so long at most, and no longer than {@link #LONGEST_SLEEP_NANOS}, so that who looks whether this is closed in between
     * learns it soon. Not a wait for a latch that all threads share: with 120 threads that wake 20,000 times a second, each spends its
     * time on the queue of those that wait, and requests are sent 200 ms late.
     */
    void sleep(long nanos) throws InterruptedException {
        LockSupport.parkNanos(this, Math.min(nanos, LONGEST_SLEEP_NANOS));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** How long it was open, in seconds; 0 if the end came in the warm-up. */
    double seconds() {
        return Math.max(0, untilNanos - fromNanos) / 1e9;
    }
}
