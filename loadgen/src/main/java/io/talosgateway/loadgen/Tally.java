package io.talosgateway.loadgen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

import org.HdrHistogram.Histogram;

/**
 * What a worker counts and times. For its thread, but for the running totals, which any thread may read; others read the
 * rest when the worker has ended.
 */
final class Tally {

    private static final long LOWEST_NANOS = 1_000;
    private static final long HIGHEST_NANOS = 120_000_000_000L;
    private static final int DIGITS = 3;

    private final Histogram latency = new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final Histogram refusal = new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final Map<ErrorKind, ErrorCount> errors = new TreeMap<>();
    private long messages;
    private long bytes;
    private long empty;

    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /** @param status 0 if there was no answer */
    private record ErrorKind(int status, String code) implements Comparable<ErrorKind> {
        @Override
        public int compareTo(ErrorKind other) {
            return Comparator.comparingInt(ErrorKind::status)
                    .thenComparing(ErrorKind::code)
                    .compare(this, other);
        }
    }

    /**
     * Errors of a kind.
     *
     * @param status HTTP status; 0 if there was no answer
     * @param code the gateway's, such as {@code overloaded}, or ours for what went wrong without an answer
     * @param detail what was said the first time
     */
    record ErrorCount(int status, String code, long count, String detail) {

        ErrorCount plus(ErrorCount other) {
            return new ErrorCount(status, code, count + other.count, detail);
        }
    }

    /**
     * Counts an answer that is not an error.
     *
     * @param counts whether it belongs to the window
     */
    void answered(boolean counts, long nanos, long messagesOfAnswer, long bytesOfAnswer) {
        answered.setRelease(answered.getPlain() + 1);
        if (counts) {
            latency.recordValue(Math.min(nanos, HIGHEST_NANOS));
            messages += messagesOfAnswer;
            bytes += bytesOfAnswer;
            empty += messagesOfAnswer == 0 ? 1 : 0;
        }
    }

    /** Counts an error, also of the warm-up: it is worth a look whenever it comes. */
    void failed(int status, String code, String detail) {
        failed.setRelease(failed.getPlain() + 1);
        errors.merge(new ErrorKind(status, code), new ErrorCount(status, code, 1, detail), ErrorCount::plus);
    }

    /**
     * Times an answer that is an error.
     *
     * @param counts whether it belongs to the window
     */
    void refused(boolean counts, long nanos) {
        if (counts) {
            refusal.recordValue(Math.min(nanos, HIGHEST_NANOS));
        }
    }

    /** Adds what another has counted; its worker has ended. */
    void add(Tally other) {
        latency.add(other.latency);
        refusal.add(other.refusal);
        messages += other.messages;
        bytes += other.bytes;
        empty += other.empty;
        answered.addAndGet(other.answered());
        failed.addAndGet(other.failed());
        other.errors.forEach((kind, count) -> errors.merge(kind, count, ErrorCount::plus));
    }

    /** Answers that were not errors, from the beginning of the warm-up on. Any thread. */
    long answered() {
        return answered.getAcquire();
    }

    /** Requests that failed, from the beginning of the warm-up on. Any thread. */
    long failed() {
        return failed.getAcquire();
    }

    /** Latencies of what counts, in nanoseconds. */
    Histogram latency() {
        return latency;
    }

    /** Latencies of answers that are errors, in nanoseconds. */
    Histogram refusal() {
        return refusal;
    }

    long messages() {
        return messages;
    }

    long bytes() {
        return bytes;
    }

    /** Answers without a message. */
    long empty() {
        return empty;
    }

    /** By status and code. */
    List<ErrorCount> errors() {
        return new ArrayList<>(errors.values());
    }
}
