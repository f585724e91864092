package io.talosgateway.rest.journal.read;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.wire.message.StoredBlock;

/**
 * What a read gives.
 *
 * @param blocks consecutive blocks in order of offset, the first one holding the offset asked for; empty if there is
 *     nothing at or after it
 */
public record ReadResult(List<StoredBlock> blocks) {

    public static final ReadResult EMPTY = new ReadResult(List.of());

    public boolean isEmpty() {
        return blocks.isEmpty();
    }

    public int messageCount() {
        int count = 0;
        for (StoredBlock block : blocks) {
            count += block.block().messageNumber();
        }
        return count;
    }

    /** Offset after the last message; only if not empty. */
    public long endOffset() {
        return blocks.get(blocks.size() - 1).endOffset();
    }

    /** Gathers blocks up to the limits of a read: whole blocks, one at least. For one thread. */
    public static final class Collector {

        private final long fromOffset;
        private final int maxMessages;
        private final int maxBytes;
        private final List<StoredBlock> blocks = new ArrayList<>();
        private int messages;
        private long bytes;
        private boolean full;

        public Collector(long fromOffset, int maxMessages, int maxBytes) {
            this.fromOffset = fromOffset;
            this.maxMessages = maxMessages;
            this.maxBytes = maxBytes;
        }

        /** Takes a block, skips it if it ends before the next offset, or becomes full. */
        public void offer(StoredBlock block) {
            if (full || block.endOffset() <= nextOffset()) {
                return;
            }
            if (!blocks.isEmpty()
                    && (messages >= maxMessages || bytes + block.block().bytes() > maxBytes)) {
                full = true;
                return;
            }
            blocks.add(block);
            messages += block.block().messageNumber();
            bytes += block.block().bytes();
        }

        public boolean isFull() {
            return full || messages >= maxMessages || bytes >= maxBytes;
        }

        /** Offset of the next block to offer. */
        public long nextOffset() {
            return blocks.isEmpty() ? fromOffset : blocks.get(blocks.size() - 1).endOffset();
        }

        public ReadResult result() {
            return blocks.isEmpty() ? EMPTY : new ReadResult(blocks);
        }
    }
}
