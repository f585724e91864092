package io.talosgateway.wire.message;

/**
 * A block with its place in a partition.
 *
 * @param startOffset offset of its first message
 * @param appendTimestampMs when it was appended, epoch milliseconds by the owner's clock
 */
public record StoredBlock(long startOffset, long appendTimestampMs, MessageBlock block) {

    /** Offset of the message after its last. */
    public long endOffset() {
        return startOffset + block.messageNumber();
    }
}
