package io.talosgateway.loadgen.measure;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.HdrHistogram.Histogram;

/** What came of one kind of request in some stretch of time. Not safe for use by several threads. */
public final class Tally {

    static final long LOWEST_NANOS = 1_000;
    /** An hour, for messages that wait in a queue. */
    static final long HIGHEST_NANOS = 3_600_000_000_000L;

    static final int DIGITS = 3;

    private final Histogram latency;
    private final Histogram refusal;
    private final Map<ErrorKind, ErrorCount> errors = new TreeMap<>();
    private long messages;
    private long bytes;
    private long empty;

    /** @param status 0 if there was no answer */
    record ErrorKind(int status, String code) implements Comparable<ErrorKind> {
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
    public record ErrorCount(int status, String code, long count, String detail) {

        ErrorCount plus(ErrorCount other) {
            return new ErrorCount(status, code, count + other.count, detail);
        }

        /** For people. */
        public String statusText() {
            return status == 0 ? "no answer" : Integer.toString(status);
        }

        ErrorKind kind() {
            return new ErrorKind(status, code);
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
                List.of());
    }

    /**
     * @param latency of answers that are not errors, in nanoseconds
     * @param refusal of answers that are
     * @param empty answers without a message
     */
    public Tally(
            Histogram latency,
            Histogram refusal,
            long messages,
            long bytes,
            long empty,
            Collection<ErrorCount> errors) {
        this.latency = latency;
        this.refusal = refusal;
        this.messages = messages;
        this.bytes = bytes;
        this.empty = empty;
        errors.forEach(this::add);
    }

    /** Reads what was written of one, whole, so that percentiles of several processes together are those of all requests. */
    @JsonCreator
    static Tally read(
            @JsonProperty("latency") byte[] latency,
            @JsonProperty("refusal") byte[] refusal,
            @JsonProperty("messages") long messages,
            @JsonProperty("bytes") long bytes,
            @JsonProperty("empty") long empty,
            @JsonProperty("errors") List<ErrorCount> errors) {
        return new Tally(histogram(latency), histogram(refusal), messages, bytes, empty, errors);
    }

    private static Histogram histogram(byte[] compressed) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(compressed), HIGHEST_NANOS);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("a histogram is damaged", e);
        }
    }

    private static byte[] compressed(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        return Arrays.copyOf(bytes.array(), histogram.encodeIntoCompressedByteBuffer(bytes));
    }

    @JsonProperty("latency")
    byte[] compressedLatency() {
        return compressed(latency);
    }

    @JsonProperty("refusal")
    byte[] compressedRefusal() {
        return compressed(refusal);
    }

    private void add(ErrorCount count) {
        errors.merge(count.kind(), count, ErrorCount::plus);
    }

    /** The same, as if nothing had failed. */
    Tally withoutErrors() {
        return new Tally(latency, refusal, messages, bytes, empty, List.of());
    }

    /** Adds what came of another stretch of time. */
    public void add(Tally other) {
        latency.add(other.latency);
        refusal.add(other.refusal);
        messages += other.messages;
        bytes += other.bytes;
        empty += other.empty;
        other.errors.values().forEach(this::add);
    }

    /** Latencies of what counts, in nanoseconds. */
    public Histogram latency() {
        return latency;
    }

    /** Latencies of answers that are errors, in nanoseconds. */
    public Histogram refusal() {
        return refusal;
    }

    @JsonProperty
    public long messages() {
        return messages;
    }

    @JsonProperty
    public long bytes() {
        return bytes;
    }

    /** Answers without a message. */
    @JsonProperty
    long empty() {
        return empty;
    }

    /** By status and code. */
    @JsonProperty
    public List<ErrorCount> errors() {
        return new ArrayList<>(errors.values());
    }

    /** Requests that failed. */
    public long failed() {
        return errors.values().stream().mapToLong(ErrorCount::count).sum();
    }
}
