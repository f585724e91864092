package io.talosgateway.rest.journal.file;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The frames of one partition in one journal file: position, first offset and time of each, encoded as in the {@link Footer}.
 * A frame takes 4 to 8 bytes, and every 64th 48 bytes more, so that one is found without decoding all. Safe for use by any
 * thread; only the lane's committer adds.
 */
public final class PartitionFrames {

    private static final int FRAMES_PER_CHECKPOINT = 64;
    private static final int CHECKPOINT_BYTES = 48;
    private static final int MAX_FRAME_BYTES = 3 * Varint.MAX_BYTES;

    private final long baseOffset;
    private final long baseTimeMs;

    // Guarded by this.
    /** All frames but the last, which ends where the next begins. */
    private ByteBuffer encoded = ByteBuffer.allocate(MAX_FRAME_BYTES);

    private final List<LocatedFrame> checkpoints = new ArrayList<>(1);
    private int size;
    private int positionBeforeLast;
    private long timeBeforeLastMs;
    private int lastPosition;
    private long lastOffset;
    private long lastTimeMs;
    private long endOffset;
    private long bytes;

    /** An index whose first frame starts at this offset, at this time. */
    PartitionFrames(long baseOffset, long baseTimeMs) {
        this.baseOffset = baseOffset;
        this.endOffset = baseOffset;
        this.baseTimeMs = baseTimeMs;
        this.timeBeforeLastMs = baseTimeMs;
        this.lastTimeMs = baseTimeMs;
    }

    /**
     * Where a frame is.
     *
     * @param position in the file
     * @param firstOffset of its messages
     * @param timeMs when it was appended, epoch milliseconds
     * @param encodedAt where it is, or will be, among the encoded frames
     */
    public record LocatedFrame(int position, long firstOffset, long timeMs, int encodedAt) {}

    /** Adds a frame behind the last. Its offset is the end offset, unless frames in between are lost. */
    synchronized void add(int position, long firstOffset, long messageCount, long timeMs, int blockBytes) {
        if (size > 0) {
            if (encoded.remaining() < MAX_FRAME_BYTES) {
                encoded = ByteBuffer.allocate(2 * encoded.capacity() + MAX_FRAME_BYTES)
                        .put(encoded.flip());
            }
            encodeLast(encoded, firstOffset);
        }
        if (size % FRAMES_PER_CHECKPOINT == 0) {
            checkpoints.add(new LocatedFrame(position, firstOffset, timeMs, encoded.position()));
        }
        size++;
        positionBeforeLast = lastPosition;
        timeBeforeLastMs = lastTimeMs;
        lastPosition = position;
        lastOffset = firstOffset;
        lastTimeMs = timeMs;
        endOffset = firstOffset + messageCount;
        bytes += blockBytes;
    }

    private void encodeLast(ByteBuffer out, long end) {
        Varint.putUnsigned(out, lastPosition - positionBeforeLast);
        Varint.putUnsigned(out, end - lastOffset);
        Varint.putUnsigned(out, lastTimeMs - timeBeforeLastMs);
    }

    /** The section of the footer. */
    synchronized byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(encoded.position() + MAX_FRAME_BYTES);
        out.put(encoded.duplicate().flip());
        encodeLast(out, endOffset);
        byte[] section = new byte[out.position()];
        out.get(0, section);
        return section;
    }

    synchronized int size() {
        return size;
    }

    long firstOffset() {
        return baseOffset;
    }

    /** Offset after the last message. */
    synchronized long endOffset() {
        return endOffset;
    }

    long firstTimeMs() {
        return baseTimeMs;
    }

    synchronized long lastTimeMs() {
        return lastTimeMs;
    }

    /** Bytes of blocks. */
    synchronized long bytes() {
        return bytes;
    }

    /** The last frame that begins at or below {@code offset}; null if there is none. */
    public synchronized @Nullable LocatedFrame frameWith(long offset) {
        return lastThat(frame -> frame.firstOffset <= offset);
    }

    /** The first frame that begins above {@code offset}; null if there is none. */
    public synchronized @Nullable LocatedFrame frameAfter(long offset) {
        return firstThatIsNot(frame -> frame.firstOffset <= offset);
    }

    /** The frame behind one; null if that is the last. */
    public synchronized @Nullable LocatedFrame after(LocatedFrame frame) {
        if (frame.encodedAt == encoded.position()) {
            return null;
        }
        ByteBuffer in = encoded.duplicate().flip().position(frame.encodedAt);
        Varint.getUnsigned(in);
        long firstOffset = frame.firstOffset + Varint.getUnsigned(in);
        Varint.getUnsigned(in);
        int at = in.position();
        if (!in.hasRemaining()) {
            return new LocatedFrame(lastPosition, firstOffset, lastTimeMs, at);
        }
        int position = frame.position + (int) Varint.getUnsigned(in);
        Varint.getUnsigned(in);
        return new LocatedFrame(position, firstOffset, frame.timeMs + Varint.getUnsigned(in), at);
    }

    /** First offset of the first frame appended at or after {@code timeMs}; the end offset if there is none. */
    public synchronized long firstOffsetAtOrAfter(long timeMs) {
        LocatedFrame found = firstThatIsNot(frame -> frame.timeMs < timeMs);
        return found == null ? endOffset : found.firstOffset;
    }

    private @Nullable LocatedFrame firstThatIsNot(Predicate<LocatedFrame> isTrue) {
        LocatedFrame before = lastThat(isTrue);
        if (before != null) {
            return after(before);
        }
        return checkpoints.isEmpty() ? null : checkpoints.get(0);
    }

    /** The last frame of those, the first ones, for which it is true; null if there is none. */
    private @Nullable LocatedFrame lastThat(Predicate<LocatedFrame> isTrue) {
        int low = 0;
        int high = checkpoints.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isTrue.test(checkpoints.get(middle))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            return null;
        }
        LocatedFrame found = checkpoints.get(low - 1);
        for (LocatedFrame next = after(found); next != null && isTrue.test(next); next = after(next)) {
            found = next;
        }
        return found;
    }

    /** What it takes in memory, nearly. */
    public synchronized int memoryBytes() {
        return encoded.capacity() + CHECKPOINT_BYTES * checkpoints.size() + 200;
    }
}
