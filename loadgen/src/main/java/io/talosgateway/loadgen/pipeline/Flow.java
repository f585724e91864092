package io.talosgateway.loadgen.pipeline;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** What goes in and out of the queue, counted and timed; and the window, if there is one. Safe for use by any thread. */
final class Flow {

    private static final long LOWEST_NANOS = 1_000;
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;

    private final @Nullable Semaphore window;
    private final LongAdder put = new LongAdder();
    private final LongAdder consumed = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
    private final Recorder puts = new Recorder(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final Recorder ages = new Recorder(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);

    /**
     * What has come together since the last time.
     *
     * @param put, consumed, errors from the beginning on
     * @param puts latencies, in nanoseconds
     * @param ages of messages when they were consumed, in nanoseconds
     */
    record Taken(long put, long consumed, long errors, Histogram puts, Histogram ages) {}

    /** @param window messages that may be under way; 0 for no bound */
    Flow(int window) {
        this.window = window == 0 ? null : new Semaphore(window);
    }

    static Histogram histogram() {
        return new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    }

    /** Waits until so many messages more may be put. */
    void enter(int messages) throws InterruptedException {
        if (window != null) {
            window.acquire(messages);
        }
    }

    /** A put was answered with success. */
    void stored(int messages, long nanos) {
        put.add(messages);
        puts.recordValue(Math.min(nanos, HIGHEST_NANOS));
    }

    /** A put failed: nobody will acknowledge its messages. */
    void lost(int messages, String reason) {
        failed(reason);
        if (window != null) {
            window.release(messages);
        }
    }

    /** Something failed that put nothing. */
    void failed(String reason) {
        errors.increment();
        firstError.compareAndSet(null, reason);
    }

    /** A consumer has done its work on a message, and acknowledges it. */
    void acknowledge(long ageNanos) {
        consumed.increment();
        ages.recordValue(Math.min(Math.max(0, ageNanos), HIGHEST_NANOS));
        if (window != null) {
            window.release();
        }
    }

    long put() {
        return put.sum();
    }

    long consumed() {
        return consumed.sum();
    }

    /** Null if there was none. */
    @Nullable
    String firstError() {
        return firstError.get();
    }

    /** One thread at a time. */
    Taken take() {
        // Consumed before put: otherwise more could have come out than went in.
        long consumedSoFar = consumed.sum();
        return new Taken(
                put.sum(), consumedSoFar, errors.sum(), puts.getIntervalHistogram(), ages.getIntervalHistogram());
    }
}
