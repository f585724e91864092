package io.talosgateway.loadgen.measure;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.HdrHistogram.Histogram;

/**
 * What came of one kind of request in some stretch of time. Immutable: nobody changes its histograms.
 *
 * @param latency of answers that are not errors, and count, in nanoseconds
 * @param refusal of answers that are errors, in nanoseconds
 * @param answered answers that are not errors, whether or not they count
 * @param empty answers without a message
 * @param errors by status and code
 */
public record Tally(
        Histogram latency,
        Histogram refusal,
        long answered,
        long messages,
        long bytes,
        long empty,
        List<ErrorCount> errors) {

    static final long LOWEST_NANOS = 1_000;
    /** An hour. */
    static final long HIGHEST_NANOS = 3_600_000_000_000L;

    static final int DIGITS = 3;

    /**
     * Errors of a kind.
     *
     * @param status HTTP status; 0 if there was no answer
     * @param code the gateway's, such as {@code overloaded}, or ours for what went wrong without an answer
     * @param detail what was said the first time
     */
    public record ErrorCount(int status, String code, long count, String detail) {

        ErrorCount plus(ErrorCount other) {
            return new ErrorCount(status, code, count + other.count, detail);
        }

        /** Its kind: {@code 503 overloaded}. */
        String name() {
            return ((status == 0 ? "" : status + " ") + code).strip();
        }

        public String statusText() {
            return status == 0 ? "no answer" : Integer.toString(status);
        }
    }

    /** Of no time at all. */
    public Tally() {
        this(
                new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS),
                new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS),
                0,
                0,
                0,
                0,
                List.of());
    }

    /** The same, as if nothing had failed. */
    Tally withoutErrors() {
        return new Tally(latency, refusal, answered, messages, bytes, empty, List.of());
    }

    /** Together with another stretch of time. */
    public Tally plus(Tally other) {
        Map<String, ErrorCount> all = new TreeMap<>();
        Stream.of(errors, other.errors)
                .flatMap(List::stream)
                .forEach(error -> all.merge(error.name(), error, ErrorCount::plus));
        return new Tally(
                sum(latency, other.latency),
                sum(refusal, other.refusal),
                answered + other.answered,
                messages + other.messages,
                bytes + other.bytes,
                empty + other.empty,
                List.copyOf(all.values()));
    }

    private static Histogram sum(Histogram one, Histogram other) {
        Histogram sum = one.copy();
        sum.add(other);
        return sum;
    }

    public long failed() {
        return errors.stream().mapToLong(ErrorCount::count).sum();
    }
}
