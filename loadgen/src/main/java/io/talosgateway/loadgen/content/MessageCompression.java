package io.talosgateway.loadgen.content;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.format.Compression;

/**
 * How the messages of a put are compressed, together. The Thrift interface takes all of them, the JSON interface knows gzip
 * only.
 */
public enum MessageCompression {
    NONE(Compression.NONE),
    SNAPPY(Compression.SNAPPY),
    GZIP(Compression.GZIP),
    ZSTD(Compression.ZSTD),
    LZ4(Compression.LZ4);

    private final Compression ofBlock;

    MessageCompression(Compression ofBlock) {
        this.ofBlock = ofBlock;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean existsIn(Format format) {
        return format == Format.THRIFT || this == NONE || this == GZIP;
    }

    /** Its number in a block of messages. */
    public int blockCode() {
        return ofBlock.code();
    }

    /** What the encoder of blocks does itself; it leaves to {@link #finish} what it cannot write. */
    Compression byEncoder() {
        return this == ZSTD || this == LZ4 ? Compression.NONE : ofBlock;
    }

    /** Compresses a block that the encoder could not: {@code docs/message-format.md} says how each looks. */
    ByteSlice finish(ByteSlice block) {
        return switch (this) {
            case NONE, SNAPPY, GZIP -> block;
            case ZSTD -> compressed(new ZstdCompressor(), block, new byte[0]);
            case LZ4 -> {
                byte[] length = ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(block.length())
                        .array();
                yield compressed(new Lz4Compressor(), block, length);
            }
        };
    }

    private static ByteSlice compressed(Compressor compressor, ByteSlice block, byte[] inFront) {
        byte[] out = Arrays.copyOf(inFront, inFront.length + compressor.maxCompressedLength(block.length()));
        int length = compressor.compress(
                block.array(), block.offset(), block.length(), out, inFront.length, out.length - inFront.length);
        return new ByteSlice(out, 0, inFront.length + length);
    }

    /** Compresses a body of the JSON interface. */
    byte[] ofBody(byte[] body) {
        if (this == NONE) {
            return body;
        }
        if (this != GZIP) {
            throw new IllegalStateException(this + " is no encoding of the JSON interface");
        }
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length);
            try (OutputStream out = new GZIPOutputStream(bytes)) {
                out.write(body);
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new AssertionError("writing to memory does not fail", e);
        }
    }
}
