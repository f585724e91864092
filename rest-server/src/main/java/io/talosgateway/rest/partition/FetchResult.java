package io.talosgateway.rest.partition;

import java.util.List;

import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.format.Compression;

/**
 * What a get gives.
 *
 * @param blocks consecutive blocks, the first one holding the offset asked for; may be empty
 * @param fromOffset the offset that the get began at
 * @param logStartOffset offset of the first message that is kept
 * @param logEndOffset offset that the next message gets, or {@link #UNKNOWN_END}
 * @param forwarded whether another host, the owner, has read it
 */
public record FetchResult(
        List<StoredBlock> blocks, long fromOffset, long logStartOffset, long logEndOffset, boolean forwarded) {

    /** The host that answered has no lease, and cannot tell where the partition ends. There are messages then. */
    public static final long UNKNOWN_END = -1;

    /** The same with other blocks, which hold the same messages. */
    public FetchResult withBlocks(List<StoredBlock> others) {
        return new FetchResult(others, fromOffset, logStartOffset, logEndOffset, forwarded);
    }

    public boolean knowsEnd() {
        return logEndOffset != UNKNOWN_END;
    }

    public int messageCount() {
        int count = 0;
        for (StoredBlock block : blocks) {
            count += block.block().messageNumber();
        }
        return count;
    }

    /** Bytes of the blocks. */
    public long bytes() {
        long bytes = 0;
        for (StoredBlock block : blocks) {
            bytes += block.block().data().length();
        }
        return bytes;
    }

    /** Whether nothing of it is compressed, and it has at most so many bytes. */
    public boolean isPlain(int maxBytes) {
        long bytes = 0;
        for (StoredBlock stored : blocks) {
            MessageBlock block = stored.block();
            bytes += block.data().length();
            if (block.compression() != Compression.NONE.code()) {
                return false;
            }
        }
        return bytes <= maxBytes;
    }

    /** Where to go on reading. */
    public long nextOffset() {
        return blocks.isEmpty() ? fromOffset : blocks.get(blocks.size() - 1).endOffset();
    }
}
