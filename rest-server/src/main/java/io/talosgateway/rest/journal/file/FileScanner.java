package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Predicate;

import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.message.IdempotencyKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a journal file from its start, without the help of a footer, and finds its true end: the last frame that is whole.
 * What follows is a torn write, unless a later frame says that it was durable: then the file is damaged. For one thread.
 */
public final class FileScanner {

    private static final Logger log = LoggerFactory.getLogger(FileScanner.class);
    private static final int WINDOW_BYTES = 4 << 20;
    /** For frames of a file whose tag is not known, because its first frame is not whole. */
    private static final @Nullable Integer ANY_TAG = null;

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
    public record Result(int tag, FileIndex index, long dataEnd) {}

    /**
     * Scans a file that nobody appends to any more.
     *
     * @param acceptDamage whether to go on behind damaged bytes, whose messages are lost, instead of throwing
     * @return an empty index if not even its first frame is whole and no later one says that it was durable
     * @throws DamagedFileException if bytes are damaged that were durable once
     * @throws IOException if the file is of another version, or another file, too
     */
    public static Result scan(JournalFileId id, ReadFile file, boolean acceptDamage) throws IOException {
        return new FileScanner(id, file, acceptDamage).scan();
    }

    private Result scan() throws IOException {
        FrameHeader start = wholeFrame(0, ANY_TAG);
        if (start != null && start.kind() == FrameKind.START) {
            long second = start.frameLength();
            FrameHeader again = wholeFrame(second, start.fileTag());
            return again != null && again.kind() == FrameKind.START ? scanFrom(second, again) : scanFrom(0, start);
        }
        FrameHeader.refuseOtherVersion(at(0, Integer.BYTES), id);
        FileIndex index = new FileIndex(new StartRecord(id, 0, Map.of()));
        FoundFrame first = frameAfterDamage(0, ANY_TAG);
        return first == null ? new Result(0, index, 0) : scanFrames(first.header.fileTag(), index, first.position);
    }

    private Result scanFrom(long position, FrameHeader start) throws IOException {
        StartRecord record = StartRecord.decode(at(position + start.headerLength(), start.bodyLength()));
        if (!record.file().equals(id)) {
            throw new IOException("%s is another file, by its first frame: it is %s. Put each where it belongs."
                    .formatted(id, record.file()));
        }
        return scanFrames(start.fileTag(), new FileIndex(record), position + start.frameLength());
    }

    private Result scanFrames(int tag, FileIndex index, long from) throws IOException {
        long position = from;
        while (true) {
            FrameHeader frame = wholeFrame(position, tag);
            if (frame == null) {
                FoundFrame next = frameAfterDamage(position, tag);
                if (next == null) {
                    return new Result(tag, index, position);
                }
                position = next.position;
            } else if (frame.kind() == FrameKind.FOOTER) {
                return new Result(tag, index, position);
            } else {
                if (frame.kind() == FrameKind.MESSAGES) {
                    add(index, frame, position);
                }
                position += frame.frameLength();
            }
        }
    }

    private void add(FileIndex index, FrameHeader frame, long position) throws IOException {
        try {
            index.add(
                    frame.partition(),
                    frame.epoch(),
                    Math.toIntExact(position),
                    frame.firstOffset(),
                    frame.messageCount(),
                    frame.appendTimestampMs(),
                    frame.bodyLength());
        } catch (ArithmeticException e) {
            throw new IOException(
                    "The frame at position %d of %s does not follow those before it".formatted(position, id), e);
        }
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

    private record FoundFrame(long position, FrameHeader header) {}

    /** The header of the frame at a position, or null if there is no whole and undamaged frame. */
    private @Nullable FrameHeader wholeFrame(long position, @Nullable Integer tag) throws IOException {
        int headerLength = FrameHeader.headerLength(at(position, FrameHeader.FIXED_BYTES));
        if (headerLength < 0) {
            return null;
        }
        FrameHeader header = decode(at(position, headerLength), tag);
        if (header == null || header.frameLength() > file.length() - position) {
            return null;
        }
        ByteBuffer body = at(position + headerLength, header.bodyLength());
        boolean whole = body.remaining() == header.bodyLength()
                && FrameHeader.checksum(body, body.position(), body.remaining()) == header.bodyChecksum();
        return whole ? header : null;
    }

    private static @Nullable FrameHeader decode(ByteBuffer bytes, @Nullable Integer tag) {
        return bytes.remaining() < FrameHeader.FIXED_BYTES
                ? null
                : FrameHeader.decode(bytes, tag == null ? FrameHeader.fileTag(bytes) : tag);
    }

    /**
     * Looks for the place to go on behind bytes that are not a frame.
     *
     * @return null if there is none: the bytes are a torn write
     * @throws DamagedFileException if a later frame was written when they were durable, unless damage is accepted
     */
    private @Nullable FoundFrame frameAfterDamage(long position, @Nullable Integer tag) throws IOException {
        FoundFrame later = findFrameAfter(position, tag, frame -> frame.durablePosition() > position);
        if (later == null) {
            return null;
        }
        DamagedFileException damage = new DamagedFileException(id, position, later.header.durablePosition());
        if (!acceptDamage) {
            throw damage;
        }
        log.error("{}; the messages in between are lost", damage.getMessage());
        return findFrameAfter(position, later.header.fileTag(), frame -> true);
    }

    private @Nullable FoundFrame findFrameAfter(long position, @Nullable Integer tag, Predicate<FrameHeader> wanted)
            throws IOException {
        long searched = position + 1;
        while (true) {
            ByteBuffer bytes = at(searched, WINDOW_BYTES);
            boolean last = bytes.remaining() < WINDOW_BYTES;
            // A header that starts in the last part of a window may end behind it: the next window starts there.
            int starts = bytes.remaining() - (last ? FrameHeader.FIXED_BYTES : FrameHeader.MAX_BYTES);
            for (int start = 0; start <= starts; start++) {
                if (bytes.getInt(start) == FrameHeader.MAGIC) {
                    FrameHeader header = decode(bytes.slice(start, bytes.remaining() - start), tag);
                    if (header != null && wanted.test(header)) {
                        return new FoundFrame(searched + start, header);
                    }
                }
            }
            if (last) {
                return null;
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
