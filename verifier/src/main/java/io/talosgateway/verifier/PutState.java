package io.talosgateway.verifier;

/** What a {@link Check} knows of a put: the sum of its attempts, and where it was found. Takes 64 bytes; there are millions. */
final class PutState {

    static final long NONE = -1;

    final int writer;
    final int number;
    final int partition;
    final short count;
    /** How many of its messages were found. */
    short found;
    /** Whether an attempt may have stored it. */
    boolean maybeStored;

    long firstStartNanos = Long.MAX_VALUE;
    /** When it was acknowledged first, and at which offset. */
    long acknowledgedNanos = NONE;

    long acknowledgedAt = NONE;
    /** Offset of its first message. */
    long foundAt = NONE;

    PutState(Put put) {
        writer = put.writer();
        number = put.number();
        partition = put.partition();
        count = (short) put.count();
    }

    boolean isAcknowledged() {
        return acknowledgedNanos != NONE;
    }

    @Override
    public String toString() {
        return Put.toString(writer, number, partition);
    }
}
