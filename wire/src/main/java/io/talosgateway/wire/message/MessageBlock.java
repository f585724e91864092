package io.talosgateway.wire.message;

/**
 * One or more messages that a client serialized one after another and compressed as a whole, as received.
 *
 * @param messageNumber messages inside, as the client says; positive
 * @param compression number of the compression ({@code MessageCompressionType}); kept whatever it is
 * @param data the bytes, as received
 * @param createTimestampMs epoch milliseconds by the client's clock, or {@link #NO_TIMESTAMP}
 * @param extraFields fields that the gateway does not interpret, in the Thrift compact protocol with a stop at the end;
 *     empty when there are none, as usual
 */
public record MessageBlock(
        int messageNumber, int compression, ByteSlice data, long createTimestampMs, ByteSlice extraFields) {

    public static final long NO_TIMESTAMP = Long.MIN_VALUE;

    /** What the block takes in memory and storage, nearly. */
    public int bytes() {
        return data.length() + extraFields.length();
    }
}
