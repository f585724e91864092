package io.talosgateway.wire.message;

import org.jspecify.annotations.Nullable;

/**
 * One message, outside of a block.
 *
 * @param key routing key, 1 to 256 characters
 * @param sequenceNumber an id of the user's choice, 1 to 256 characters
 * @param payload at least one byte
 * @param createTimestampMs epoch milliseconds by the producer's clock
 * @param appendTimestampMs epoch milliseconds by the owner's clock; null before it is stored
 * @param type number of the message type ({@code MessageType})
 * @param schemaFingerprint id of a schema
 * @param tag tag, as newer SDKs set it
 * @param form of the value, if the JSON interface was given it; null for messages of Talos SDKs
 */
public record Message(
        @Nullable String key,
        @Nullable String sequenceNumber,
        ByteSlice payload,
        @Nullable Long createTimestampMs,
        @Nullable Long appendTimestampMs,
        @Nullable Integer type,
        @Nullable String schemaFingerprint,
        @Nullable String tag,
        @Nullable ValueForm form) {

    /** {@code MessageType.BINARY}. */
    public static final int BINARY = 1;

    /** {@code MessageType.UTF8}. */
    public static final int UTF8 = 2;

    /** A message without a form. */
    public Message(
            @Nullable String key,
            @Nullable String sequenceNumber,
            ByteSlice payload,
            @Nullable Long createTimestampMs,
            @Nullable Long appendTimestampMs,
            @Nullable Integer type,
            @Nullable String schemaFingerprint,
            @Nullable String tag) {
        this(key, sequenceNumber, payload, createTimestampMs, appendTimestampMs, type, schemaFingerprint, tag, null);
    }
}
