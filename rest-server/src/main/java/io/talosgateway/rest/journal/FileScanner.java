package io.talosgateway.rest.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.message.IdempotencyKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a journal file from its start, without the help of a footer, and finds its true end: the last frame that is whole.
 * What follows is a torn write, unless a later frame says that it was durable: then the file is damaged. For one thread.
 */
final class FileScanner {

    private static final Logger log = LoggerFactory.getLogger(FileScanner.class);
    private static final int WINDOW_BYTES = 4 << 20;

    private final JournalFileId id;
    private final ReadFile file;
    private final boolean acceptDamage;
    private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
    private long windowPosition;

    private FileScanner(JournalFileId id, ReadFile file, boolean acceptDamage) {
        this.id = id;
        this.file = file;
        this.acceptDamage = acceptDamage;
    }

    /**
     * What was found.
     *
     * @param tag the file's tag
     * @param index all whole frames
     * @param dataEnd the true end
     */
    record Result(int tag, FileIndex index, long dataEnd) {}

    /**
     * Scans a file that nobody appends to any more.
     *
     * @param acceptDamage whether to go on behind damaged bytes, whose messages are lost, instead of throwing
     * @return an empty index if not even its first frame is whole: then nothing in it was ever durable
     * @throws DamagedFileException if bytes are damaged that were durable once
     */
    static Result scan(JournalFileId id, ReadFile file, boolean acceptDamage) throws IOException {
        return new FileScanner(id, file, acceptDamage).scan();
    }

    private Result scan() throws IOException {
        ByteBuffer first = at(0, FrameHeader.FIXED_BYTES);
        int tag = FrameHeader.headerLength(first) < 0 ? 0 : FrameHeader.fileTag(first);
        FrameHeader start = wholeFrame(0, tag);
        if (start == null || start.kind() != FrameKind.START) {
            findDurableFrameAfter(0, tag);
            return new Result(tag, new FileIndex(new StartRecord(id, 0, Map.of())), 0);
        }
        StartRecord record = StartRecord.decode(at(start.headerLength(), start.bodyLength()));
        FileIndex index = new FileIndex(record);
        long position = start.frameLength();
        while (true) {
            FrameHeader frame = wholeFrame(position, tag);
            if (frame == null) {
                long next = findDurableFrameAfter(position, tag);
                if (next < 0) {
                    return new Result(tag, index, position);
                }
                position = next;
            } else if (frame.kind() == FrameKind.FOOTER) {
                return new Result(tag, index, position);
            } else {
                add(index, frame, position);
                position += frame.frameLength();
            }
        }
    }

    private static void add(FileIndex index, FrameHeader frame, long position) {
        index.add(
                frame.partition(),
                frame.epoch(),
                Math.toIntExact(position),
                frame.firstOffset(),
                frame.messageCount(),
                frame.appendTimestampMs(),
                frame.bodyLength());
        String key = frame.idempotencyKey();
        if (key != null) {
            index.addKeyed(new KeyedPut(
                    frame.partition(),
                    new IdempotencyKey(key, true).fingerprint(),
                    frame.digest(),
                    frame.firstOffset(),
                    frame.messageCount(),
                    frame.appendTimestampMs()));
        }
    }

    /** The header of the frame at a position, or null if there is no whole and undamaged frame. */
    private @Nullable FrameHeader wholeFrame(long position, int tag) throws IOException {
        int headerLength = FrameHeader.headerLength(at(position, FrameHeader.FIXED_BYTES));
        if (headerLength < 0) {
            return null;
        }
        FrameHeader header = FrameHeader.decode(at(position, headerLength), tag);
        if (header == null) {
            return null;
        }
        ByteBuffer body = at(position + headerLength, header.bodyLength());
        boolean whole = body.remaining() == header.bodyLength()
                && FrameHeader.checksum(body, body.position(), body.remaining()) == header.bodyChecksum();
        return whole ? header : null;
    }

    /**
     * Looks for a later frame that was written when the bytes at {@code position} were durable.
     *
     * @return its position, or -1 if there is none
     * @throws DamagedFileException if there is one, unless damage is accepted
     */
    private long findDurableFrameAfter(long position, int tag) throws IOException {
        long searched = position + 1;
        while (true) {
            ByteBuffer bytes = at(searched, WINDOW_BYTES);
            boolean last = bytes.remaining() < WINDOW_BYTES;
            // A header that starts in the last part of a window may end behind it: the next window starts there.
            int starts = bytes.remaining() - (last ? FrameHeader.FIXED_BYTES : FrameHeader.MAX_BYTES);
            for (int start = 0; start <= starts; start++) {
                if (bytes.getInt(start) == FrameHeader.MAGIC) {
                    FrameHeader header = FrameHeader.decode(bytes.slice(start, bytes.remaining() - start), tag);
                    if (header != null && header.durablePosition() > position) {
                        DamagedFileException damage = new DamagedFileException(id, position, header.durablePosition());
                        if (!acceptDamage) {
                            throw damage;
                        }
                        log.error("{}; the messages in between are lost", damage.getMessage());
                        return searched + start;
                    }
                }
            }
            if (last) {
                return -1;
            }
            searched += starts + 1;
        }
    }

    /** Up to {@code length} bytes at a position, less at the end of the file; valid until the next call. */
    private ByteBuffer at(long position, int length) throws IOException {
        if (position < windowPosition || position + length > windowPosition + window.limit()) {
            if (window.capacity() < length) {
                window = ByteBuffer.allocate(length);
            }
            windowPosition = position;
            int read = file.read(position, window.array(), 0, window.capacity());
            window.limit(Math.max(read, 0));
        }
        int from = (int) (position - windowPosition);
        int available = Math.max(0, Math.min(length, window.limit() - from));
        return window.slice(Math.min(from, window.limit()), available);
    }
}
