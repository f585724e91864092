package io.talosgateway.wire.message.format;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.zip.GZIPOutputStream;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdInputStream;
import io.talosgateway.wire.message.ByteSlice;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyOutputStream;

/**
 * How a block is compressed, as a whole; the numbers are those of {@code MessageCompressionType}. All can be read, NONE,
 * SNAPPY and GZIP can be written: no Java client reads the others.
 */
public enum Compression {
    NONE(0),
    /** The xerial stream format; bare raw Snappy is read too. */
    SNAPPY(1),
    GZIP(2),
    /** A zstd frame, RFC 8878. */
    ZSTD(3),
    /** The uncompressed length, then one raw LZ4 block, as the Go SDK's libraries frame it. */
    LZ4(4);

    /** What the xerial stream format starts with. */
    private static final byte[] XERIAL_MAGIC = {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};

    private static final int XERIAL_MAGIC_HEAD = 0x82534e41;

    /** The magic, a version, and the version from which on it can be read. */
    private static final int XERIAL_HEADER_BYTES = 16;

    private static final int ALL = Integer.MAX_VALUE;

    /** Of one byte of Snappy: a copy of 64 bytes takes three. */
    private static final long MOST_FROM_SNAPPY = 64;

    /** The first chunk of a block is not counted if it is as the SDKs make them. */
    private static final int UNCOUNTED_BYTES = 64 * 1024;

    private static final int FIRST_BYTES = 16 * 1024;

    private final int code;

    Compression(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    static Compression ofCode(int code) throws UndecodableBlockException {
        for (Compression compression : values()) {
            if (compression.code == code) {
                return compression;
            }
        }
        throw new UndecodableBlockException("the compression type " + code + " is unknown to this gateway");
    }

    /**
     * @param maxBytes most bytes to produce: a small block may hold a lot
     * @param room is asked before memory is taken for so many more bytes
     * @throws UndecodableBlockException if the bytes are not so compressed, would become more than {@code maxBytes}, or there
     *     is no room for them
     */
    ByteSlice decompress(ByteSlice data, int maxBytes, LongPredicate room) throws UndecodableBlockException {
        try {
            return switch (this) {
                case NONE -> data;
                case SNAPPY -> isXerial(data) ? xerial(data, ALL, maxBytes, room) : rawSnappy(data, maxBytes, room);
                case GZIP, ZSTD -> readAll(open(data), maxBytes, room);
                case LZ4 -> lz4(data, maxBytes, room);
            };
        } catch (IOException | RuntimeException e) {
            throw new UndecodableBlockException("the block is not valid " + this, e);
        }
    }

    /** The first bytes of what {@link #decompress} would give, for as little work as the format allows. */
    ByteSlice decompressFirst(ByteSlice data, int bytes, int maxBytes, LongPredicate room)
            throws UndecodableBlockException {
        if (this == NONE || this == LZ4 || (this == SNAPPY && !isXerial(data))) {
            return decompress(data, maxBytes, room);
        }
        if (this == SNAPPY) {
            try {
                return xerial(data, bytes, maxBytes, more -> more <= UNCOUNTED_BYTES || room.test(more));
            } catch (IOException e) {
                throw new UndecodableBlockException("the block is not valid " + this + ": " + e.getMessage(), e);
            }
        }
        try (InputStream in = open(data)) {
            return new ByteSlice(in.readNBytes(bytes));
        } catch (IOException | RuntimeException e) {
            throw new UndecodableBlockException("the block is not valid " + this, e);
        }
    }

    private InputStream open(ByteSlice data) throws IOException {
        return switch (this) {
            case GZIP -> new GzipStream(data);
            case ZSTD -> new ZstdInputStream(new ByteArrayInputStream(data.array(), data.offset(), data.length()));
            case NONE, SNAPPY, LZ4 -> throw new AssertionError(this + " is no stream");
        };
    }

    /** @throws UnsupportedOperationException for a compression that is only read */
    ByteSlice compress(ByteSlice data) {
        if (this == NONE) {
            return data;
        }
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(data.length() / 2 + 64);
            try (OutputStream out = switch (this) {
                case SNAPPY -> new SnappyOutputStream(bytes);
                case GZIP -> new GZIPOutputStream(bytes);
                case NONE, ZSTD, LZ4 -> throw new UnsupportedOperationException(this + " is only read");
            }) {
                out.write(data.array(), data.offset(), data.length());
            }
            return new ByteSlice(bytes.toByteArray());
        } catch (IOException e) {
            throw new AssertionError("writing to memory does not fail", e);
        }
    }

    private static boolean isXerial(ByteSlice data) {
        return data.length() >= XERIAL_MAGIC.length
                && Arrays.equals(
                        data.array(),
                        data.offset(),
                        data.offset() + XERIAL_MAGIC.length,
                        XERIAL_MAGIC,
                        0,
                        XERIAL_MAGIC.length);
    }

    /**
     * Several chunks of raw Snappy, each with its length in front. The library's own stream takes memory for whatever length a
     * chunk names, up to 512 MiB, and throws Errors.
     *
     * @param enough stops when there are so many bytes
     */
    private static ByteSlice xerial(ByteSlice data, int enough, int maxBytes, LongPredicate room)
            throws IOException, UndecodableBlockException {
        ByteBuffer in = data.toByteBuffer();
        byte[] bytes = new byte[0];
        int length = 0;
        int at = XERIAL_HEADER_BYTES;
        while (length < enough && at <= data.length() - Integer.BYTES) {
            int chunk = in.getInt(at);
            if (chunk == XERIAL_MAGIC_HEAD) {
                // The header again: streams were put together.
                at += XERIAL_HEADER_BYTES;
                continue;
            }
            at += Integer.BYTES;
            if (chunk < 0 || chunk > data.length() - at) {
                throw new IOException("a chunk of %d bytes is not there".formatted(chunk));
            }
            int chunkAt = data.offset() + at;
            int size = snappyLength(data.array(), chunkAt, chunk);
            checkSize((long) length + size, maxBytes);
            if (size > bytes.length - length) {
                int larger = (int) Math.max((long) length + size, Math.min(maxBytes, 2L * length));
                take(room, larger - bytes.length);
                bytes = Arrays.copyOf(bytes, larger);
            }
            length += Snappy.uncompress(data.array(), chunkAt, chunk, bytes, length);
            at += chunk;
        }
        return new ByteSlice(bytes, 0, length);
    }

    private static int snappyLength(byte[] bytes, int at, int length) throws IOException {
        int size = Snappy.uncompressedLength(bytes, at, length);
        if (size < 0 || size > MOST_FROM_SNAPPY * length) {
            throw new IOException("%d bytes cannot become %d".formatted(length, size));
        }
        return size;
    }

    private static ByteSlice rawSnappy(ByteSlice data, int maxBytes, LongPredicate room)
            throws IOException, UndecodableBlockException {
        int length = snappyLength(data.array(), data.offset(), data.length());
        checkSize(length, maxBytes);
        take(room, length);
        byte[] out = new byte[length];
        Snappy.uncompress(data.array(), data.offset(), data.length(), out, 0);
        return new ByteSlice(out);
    }

    /** Depending on its version, the Go SDK's library writes the length as four bytes, low first, or as a varint. */
    private static ByteSlice lz4(ByteSlice data, int maxBytes, LongPredicate room) throws UndecodableBlockException {
        if (data.length() > 4) {
            int length = ByteBuffer.wrap(data.array(), data.offset(), 4)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getInt();
            if (length >= 0 && length <= maxBytes) {
                take(room, length);
                try {
                    return lz4Block(data.slice(4, data.length() - 4), length);
                } catch (MalformedInputException e) {
                    // Not this framing: try the other.
                }
            }
        }
        long length = 0;
        for (int index = 0; index < Math.min(5, data.length()); index++) {
            length |= (long) (data.byteAt(index) & 0x7f) << (7 * index);
            if (data.byteAt(index) >= 0) {
                checkSize(length, maxBytes);
                take(room, length);
                return lz4Block(data.slice(index + 1, data.length() - index - 1), (int) length);
            }
        }
        throw new UndecodableBlockException("the block is not valid LZ4: it does not start with a length");
    }

    private static ByteSlice lz4Block(ByteSlice block, int length) {
        byte[] out = new byte[length];
        int written = new Lz4Decompressor().decompress(block.array(), block.offset(), block.length(), out, 0, length);
        if (written != length) {
            throw new MalformedInputException(written, "the length in front is " + length);
        }
        return new ByteSlice(out);
    }

    private static ByteSlice readAll(InputStream stream, int maxBytes, LongPredicate room)
            throws IOException, UndecodableBlockException {
        try (InputStream in = stream) {
            byte[] bytes = new byte[0];
            int length = 0;
            while (true) {
                if (length == bytes.length) {
                    if (length == maxBytes) {
                        checkSize(in.read() < 0 ? length : length + 1L, maxBytes);
                        break;
                    }
                    int larger = (int) Math.min(maxBytes, Math.max(FIRST_BYTES, 2L * length));
                    take(room, larger - length);
                    bytes = Arrays.copyOf(bytes, larger);
                }
                int read = in.read(bytes, length, bytes.length - length);
                if (read < 0) {
                    break;
                }
                length += read;
            }
            return new ByteSlice(bytes, 0, length);
        }
    }

    private static void take(LongPredicate room, long bytes) throws UndecodableBlockException {
        if (!room.test(bytes)) {
            throw new UndecodableBlockException("there is no room for what it holds");
        }
    }

    private static void checkSize(long bytes, int maxBytes) throws UndecodableBlockException {
        if (bytes > maxBytes) {
            throw new UndecodableBlockException("the block holds more than " + maxBytes + " bytes when decompressed");
        }
    }
}
