package io.talosgateway.wire.message.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.talosgateway.fuzz.FuzzTarget;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.Snappy;

import static org.assertj.core.api.Assertions.assertThat;

/** Blocks of messages: two bytes with the number of messages, then the block's data. */
public final class BlockTargets {

    /** Most bytes that a block may become. */
    private static final int MAX_BYTES = 1 << 20;

    /** A buffer is copied as it grows; a ZSTD stream has a window of 8 MiB at most, and room beside it. */
    private static final long BASE_BYTES = 4L * MAX_BYTES + (24 << 20);

    private static final int NUMBER_BYTES = 2;
    private static final long APPENDED_AT_MS = 1_600_000_000_777L;

    private BlockTargets() {}

    public static List<FuzzTarget<?>> all() {
        List<FuzzTarget<?>> targets = new ArrayList<>();
        for (Compression compression : Compression.values()) {
            List<byte[]> seeds = seeds(compression);
            String name = compression.name().toLowerCase(Locale.ROOT);
            long base = compression == Compression.NONE ? 256 * 1024 : BASE_BYTES;
            targets.add(FuzzTarget.of("block-" + name, seeds, input -> decode(compression, input))
                    .checked(BlockTargets::check)
                    .allocating(256, base));
            targets.add(FuzzTarget.of("block-first-" + name, seeds, input -> needsNewer(compression, input))
                    .allocating(256, base));
        }
        return targets;
    }

    private static @Nullable StoredBlock block(Compression compression, byte[] input) {
        if (input.length < NUMBER_BYTES) {
            return null;
        }
        int number = Short.toUnsignedInt(ByteBuffer.wrap(input).getShort()) + 1;
        ByteSlice data = new ByteSlice(input, NUMBER_BYTES, input.length - NUMBER_BYTES);
        return new StoredBlock(
                41,
                APPENDED_AT_MS,
                new MessageBlock(number, compression.code(), data, MessageBlock.NO_TIMESTAMP, ByteSlice.EMPTY));
    }

    private static @Nullable List<Message> decode(Compression compression, byte[] input) {
        StoredBlock block = block(compression, input);
        try {
            return block == null ? null : MessageDecoder.decode(block, MAX_BYTES);
        } catch (UndecodableBlockException e) {
            return null;
        }
    }

    private static @Nullable Boolean needsNewer(Compression compression, byte[] input) {
        StoredBlock block = block(compression, input);
        try {
            return block == null ? null : MessageDecoder.needsNewerThanV2(block.block(), MAX_BYTES, bytes -> true);
        } catch (UndecodableBlockException e) {
            return null;
        }
    }

    /** Made again in version 3, as for clients that cannot read what was put, they are the same. */
    private static void check(List<Message> messages) throws Exception {
        for (Compression compression : List.of(Compression.NONE, Compression.SNAPPY, Compression.GZIP)) {
            MessageBlock made = MessageEncoder.encode(messages, MessageVersion.V3, compression);
            List<Message> again =
                    MessageDecoder.decode(new StoredBlock(41, APPENDED_AT_MS, made), Integer.MAX_VALUE - 8);
            assertThat(again).hasSameSizeAs(messages);
            for (int index = 0; index < messages.size(); index++) {
                Message one = messages.get(index);
                Message other = again.get(index);
                boolean same = one.payload().equals(other.payload())
                        && java.util.Objects.equals(one.key(), other.key())
                        && java.util.Objects.equals(one.sequenceNumber(), other.sequenceNumber())
                        && java.util.Objects.equals(one.createTimestampMs(), other.createTimestampMs());
                assertThat(same).as("%s and %s", one, other).isTrue();
            }
        }
    }

    // --- Valid blocks ---

    private static List<byte[]> seeds(Compression compression) {
        Message plain =
                new Message(null, null, ByteSlice.utf8("hello"), 1_600_000_000_000L, null, Message.BINARY, null, null);
        Message full = new Message(
                "pk-1", "seq-1", ByteSlice.utf8("w\u00f6rld"), 1_600_000_000_500L, null, Message.UTF8, "schema", "tag");
        Message large = new Message("k", null, new ByteSlice(new byte[3000]), 1L, null, Message.BINARY, null, null);
        List<byte[]> seeds = new ArrayList<>();
        for (MessageVersion version : List.of(MessageVersion.V2, MessageVersion.V3)) {
            seeds.addAll(seeds(compression, 1, encoded(version, plain)));
            seeds.addAll(seeds(compression, 2, encoded(version, plain, full)));
            seeds.addAll(seeds(compression, 3, encoded(version, full, large, full)));
        }
        seeds.addAll(seeds(compression, 2, v1()));
        if (compression == Compression.NONE) {
            seeds.add(numbered(2, kafkaBatch()));
        }
        return seeds;
    }

    private static byte[] encoded(MessageVersion version, Message... messages) {
        return MessageEncoder.encode(Arrays.asList(messages), version, Compression.NONE)
                .data()
                .toByteArray();
    }

    private static byte[] v1() {
        ByteBuffer out = ByteBuffer.allocate(26);
        out.putInt(0).putInt(5).put(new byte[5]);
        out.putInt(3).put(new byte[] {'a', 'b', 'c'}).putInt(2).put(new byte[2]);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Two records; attributes, time, offset, key and value, no headers. */
    private static byte[] kafkaBatch() {
        byte[] records = {18, 0, 2, 0, 2, 'k', 6, 'o', 'n', 'e', 16, 0, 4, 2, 1, 6, 't', 'w', 'o'};
        ByteBuffer out = ByteBuffer.allocate(69 + records.length);
        out.put(0, (byte) 'K').putLong(35, 1_600_000_000_000L).putInt(65, 2);
        return out.put(69, records).array();
    }

    private static byte[] numbered(int messages, byte[] data) {
        return ByteBuffer.allocate(NUMBER_BYTES + data.length)
                .putShort((short) (messages - 1))
                .put(data)
                .array();
    }

    private static List<byte[]> seeds(Compression compression, int messages, byte[] plain) {
        return compressed(compression, plain).stream()
                .map(data -> numbered(messages, data))
                .toList();
    }

    private static List<byte[]> compressed(Compression compression, byte[] plain) {
        return switch (compression) {
            case NONE -> List.of(plain);
            case SNAPPY -> List.of(compression.compress(new ByteSlice(plain)).toByteArray(), rawSnappy(plain));
            case GZIP -> List.of(compression.compress(new ByteSlice(plain)).toByteArray());
            case ZSTD -> List.of(compressed(new ZstdCompressor(), plain));
            case LZ4 -> List.of(fixedLength(plain), varint(plain));
        };
    }

    private static byte[] compressed(Compressor compressor, byte[] plain) {
        byte[] out = new byte[compressor.maxCompressedLength(plain.length)];
        return Arrays.copyOf(out, compressor.compress(plain, 0, plain.length, out, 0, out.length));
    }

    private static byte[] fixedLength(byte[] plain) {
        byte[] block = compressed(new Lz4Compressor(), plain);
        return ByteBuffer.allocate(4 + block.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(plain.length)
                .put(block)
                .array();
    }

    private static byte[] varint(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write((plain.length & 0x7f) | (plain.length > 0x7f ? 0x80 : 0));
        if (plain.length > 0x7f) {
            out.write(plain.length >> 7);
        }
        out.writeBytes(compressed(new Lz4Compressor(), plain));
        return out.toByteArray();
    }

    private static byte[] rawSnappy(byte[] plain) {
        try {
            return Snappy.compress(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
