package io.talosgateway.rest.http;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.LongConsumer;

import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a body, in pieces to write one after another. Parts that fit together are gathered in one piece: a write costs more than
 * a copy. For one thread at a time.
 */
final class AnswerPieces {

    static final int MAX_PIECE_BYTES = 256 * 1024;
    static final int GATHERED_BYTES = 64 * 1024;

    /**
     * Arrays for the next pieces. The last one first: it is in the processor's cache. Jetty's pool is of no use, because it cannot forget a
     * buffer whose write has failed.
     */
    private static final BlockingDeque<byte[]> FREE = new LinkedBlockingDeque<>(64);

    private final List<ByteSlice> parts;
    private final LongConsumer memory;
    private final BlockingDeque<byte[]> free;
    private int part;
    private int position;
    /** Where the piece that is being written was gathered; null if it is in the array of its part. */
    private byte @Nullable [] gathered;

    /** @param memory hears how many bytes are taken; or given back, if it is negative */
    AnswerPieces(List<ByteSlice> parts, LongConsumer memory) {
        this(parts, memory, FREE);
    }

    AnswerPieces(List<ByteSlice> parts, LongConsumer memory, BlockingDeque<byte[]> free) {
        this.parts = parts;
        this.memory = memory;
        this.free = free;
    }

    /** Whether nothing follows the last piece. */
    boolean isAtEnd() {
        return part >= parts.size();
    }

    /** The next piece; empty at the end. The one before is written. */
    ByteBuffer next() {
        boolean isAlone = part >= parts.size() - 1 || parts.get(part).length() - position >= GATHERED_BYTES;
        return isAlone ? take(MAX_PIECE_BYTES) : gather();
    }

    private ByteBuffer gather() {
        byte[] used = free.pollLast();
        byte[] array = used == null ? new byte[GATHERED_BYTES] : used;
        gathered = array;
        memory.accept(GATHERED_BYTES);
        ByteBuffer piece = ByteBuffer.wrap(array);
        while (!isAtEnd() && piece.hasRemaining()) {
            piece.put(take(piece.remaining()));
        }
        return piece.flip();
    }

    /** What follows in the current part, up to so many bytes. */
    private ByteBuffer take(int most) {
        ByteSlice current = isAtEnd() ? ByteSlice.EMPTY : parts.get(part);
        int length = Math.min(current.length() - position, most);
        ByteBuffer taken = ByteBuffer.wrap(current.array(), current.offset() + position, length);
        position += length;
        if (position == current.length()) {
            position = 0;
            part++;
        }
        return taken;
    }

    /** The last piece was written; nobody reads it any more. */
    void written() {
        byte[] array = gathered;
        if (array != null) {
            free.offerLast(array);
            leaveArray();
        }
    }

    /** The last piece was not written. Another thread may still send it, so that its array is not used again. */
    void failed() {
        if (gathered != null) {
            leaveArray();
        }
    }

    private void leaveArray() {
        gathered = null;
        memory.accept(-GATHERED_BYTES);
    }
}
