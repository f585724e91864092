package io.talosgateway.deploy;

import java.util.ArrayList;
import java.util.List;

/** A put of the crash test, what was answered, and what was found of it in the end. For one thread at a time. */
final class CrashPut {

    /** What the putter knows. */
    enum Outcome {
        /** It was told where the messages are. */
        ACKNOWLEDGED,
        /** It was told that nothing is stored, or nobody took the request. */
        REFUSED,
        /** The connection broke, or it was told that nobody knows. */
        UNKNOWN
    }

    private final int writer;
    private final int number;
    private final int partition;
    private final int count;
    private Outcome outcome = Outcome.UNKNOWN;
    private long firstOffset = -1;
    private long foundAt = -1;
    private int found;

    CrashPut(int writer, int number, int partition, int count) {
        this.writer = writer;
        this.number = number;
        this.partition = partition;
        this.count = count;
    }

    int partition() {
        return partition;
    }

    int count() {
        return count;
    }

    Outcome outcome() {
        return outcome;
    }

    String idempotencyKey() {
        return "put-" + writer + "-" + number;
    }

    List<byte[]> payloads(long seed) {
        List<byte[]> payloads = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            payloads.add(new CrashMessage(writer, number, index).payload(seed));
        }
        return payloads;
    }

    void acknowledged(long offset) {
        outcome = Outcome.ACKNOWLEDGED;
        firstOffset = offset;
    }

    void refused() {
        outcome = Outcome.REFUSED;
    }

    /** One of its messages was found; says what is wrong with that, or null. */
    String found(int index, int inPartition, long offset) {
        found++;
        if (inPartition != partition || index >= count) {
            return "was never put there";
        }
        if (foundAt < 0) {
            foundAt = offset - index;
        }
        if (foundAt != offset - index) {
            return "is stored twice, or not beside the others of its put";
        }
        return null;
    }

    /** Says what is wrong with what was found of it, or null. */
    String verdict() {
        if (found != 0 && found != count) {
            return found + " of " + count + " messages are stored";
        }
        return switch (outcome) {
            case ACKNOWLEDGED ->
                found == 0
                        ? "was acknowledged at offset " + firstOffset + " and is not there"
                        : foundAt == firstOffset
                                ? null
                                : "was acknowledged at offset " + firstOffset + " and is at " + foundAt;
            case REFUSED -> found == 0 ? null : "was refused and is stored at offset " + foundAt;
            case UNKNOWN -> null;
        };
    }

    @Override
    public String toString() {
        return "put " + number + " of writer " + writer + " to partition " + partition;
    }
}
