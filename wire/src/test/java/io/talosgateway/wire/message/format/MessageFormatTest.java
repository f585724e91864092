package io.talosgateway.wire.message.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xerial.snappy.Snappy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The bytes are test vectors made with the official SDKs (docs/message-format.md). */
final class MessageFormatTest {

    private static final int LIMIT = 1 << 20;
    private static final long APPENDED_AT_MS = 1_600_000_000_777L;

    private static final Message A = new Message(
            null, null, ByteSlice.utf8("hello"), 1_600_000_000_000L, APPENDED_AT_MS, Message.BINARY, null, null);
    private static final Message B = new Message(
            "pk-1", "seq-1", ByteSlice.utf8("world!"), 1_600_000_000_500L, APPENDED_AT_MS, Message.UTF8, null, null);

    private static final String V3_NONE =
            "5600030000000011380568656c6c6f168080f4f6905d250200560003000000001f1804706b2d3118057365712d311806776f726c64"
                    + "2116e887f4f6905d250400";
    private static final String V2_NONE =
            "5600020000000174876e8000000100000000000568656c6c6f5600020000000174876e81f4000200057365712d3100000006776f72"
                    + "6c6421";

    private static ByteSlice bytes(String hex) {
        // Inside a larger array, as slices of a request are.
        byte[] bytes = HexFormat.of().parseHex(hex);
        byte[] larger = new byte[bytes.length + 7];
        Arrays.fill(larger, (byte) 0x56);
        System.arraycopy(bytes, 0, larger, 3, bytes.length);
        return new ByteSlice(larger, 3, bytes.length);
    }

    private static StoredBlock block(int messages, Compression compression, ByteSlice data) {
        return new StoredBlock(
                41,
                APPENDED_AT_MS,
                new MessageBlock(messages, compression.code(), data, MessageBlock.NO_TIMESTAMP, ByteSlice.EMPTY));
    }

    private static List<Message> decode(int messages, Compression compression, ByteSlice data)
            throws UndecodableBlockException {
        return MessageDecoder.decode(block(messages, compression, data), LIMIT);
    }

    @ParameterizedTest
    @CsvSource({
        "1,NONE,000000000000000568656c6c6f000000057365712d3100000006776f726c6421",
        "1,SNAPPY,82534e415050590000000001000000010000001f2000000901600568656c6c6f000000057365712d3100000006776f726c6421",
        "1,GZIP,1f8b08000000000000ff63600003d68cd49c9c7c10a338b550d710c8602bcf2fca49510400276339bf20000000",
        "2,NONE," + V2_NONE,
        "2,SNAPPY,82534e415050590000000001000000010000003238385600020000000174876e80000001000101140568656c6c6f19195081f4"
                + "000200057365712d3100000006776f726c6421",
        "2,GZIP,1f8b08000000000000ff0b6360626060602c69cf6b00520c20c09a919a93931f069768fc0264b216a716ea1a0245d8caf38b7252"
                + "14015cfb9ae638000000",
        "3,NONE," + V3_NONE,
        "3,SNAPPY,82534e415050590000000001000000010000003e40605600030000000011380568656c6c6f168080f4f6905d2502000d197c1f"
                + "1804706b2d3118057365712d311806776f726c642116e887f4f6905d250400",
        "3,GZIP,1f8b08000000000000ff0b6360660002410bd68cd49c9c7cb186862fdf26c4aa3231844124e425580ab2750d25588b530b81145b"
                + "797e514e8aa2d88b76b032160600627af5da40000000"
    })
    void blocksOfOfficialClientsAreRead(int version, Compression compression, String hex) throws Exception {
        List<Message> messages = decode(2, compression, bytes(hex));

        Message a = messages.get(0);
        Message b = messages.get(1);
        assertThat(messages).hasSize(2);
        assertThat(a.payload().utf8()).isEqualTo("hello");
        assertThat(b.payload().utf8()).isEqualTo("world!");
        assertThat(a.sequenceNumber()).isNull();
        assertThat(b.sequenceNumber()).isEqualTo("seq-1");
        assertThat(b.key()).isEqualTo(version == 3 ? "pk-1" : null);
        assertThat(b.createTimestampMs()).isEqualTo(version == 1 ? null : Long.valueOf(1_600_000_000_500L));
        assertThat(b.type()).isEqualTo(version == 1 ? null : Integer.valueOf(Message.UTF8));
        assertThat(messages).allMatch(message -> message.appendTimestampMs() == APPENDED_AT_MS);
    }

    @Test
    void blocksAreWrittenAsOfficialClientsWriteThem() throws Exception {
        MessageBlock v2 = MessageEncoder.encode(List.of(A, B), MessageVersion.V2, Compression.NONE);
        MessageBlock v3 = MessageEncoder.encode(List.of(A, B), MessageVersion.V3, Compression.NONE);

        assertThat(HexFormat.of().formatHex(v2.data().toByteArray())).isEqualTo(V2_NONE);
        assertThat(HexFormat.of().formatHex(v3.data().toByteArray())).isEqualTo(V3_NONE);
        assertThat(v3.messageNumber()).isEqualTo(2);
        assertThat(v3.createTimestampMs()).isEqualTo(1_600_000_000_250L);
        for (Compression compression : List.of(Compression.SNAPPY, Compression.GZIP)) {
            MessageBlock compressed = MessageEncoder.encode(List.of(A, B), MessageVersion.V3, compression);
            assertThat(compressed.compression()).isEqualTo(compression.code());
            // Compressed bytes differ between builds of the libraries: what they hold does not.
            assertThat(compression.decompress(compressed.data(), LIMIT, bytes -> true))
                    .isEqualTo(bytes(V3_NONE));
        }
        assertThatThrownBy(() -> MessageEncoder.encode(List.of(A), MessageVersion.V1, Compression.NONE))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> MessageEncoder.encode(List.of(A), MessageVersion.V3, Compression.ZSTD))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void emptyBlockOfSnappyIsJustTheHeader() {
        assertThat(MessageEncoder.encode(List.of(), MessageVersion.V3, Compression.SNAPPY)
                        .data())
                .isEqualTo(bytes("82534e41505059000000000100000001"));
    }

    @Test
    void createTimestampOfABlockIsTheRunningMeanOfItsMessages() {
        List<Message> messages = List.of(
                createdAt(1_600_000_000_000L),
                createdAt(1_600_000_000_010L),
                createdAt(1_600_000_000_003L),
                createdAt(1_600_000_000_500L));

        assertThat(MessageEncoder.encode(messages, MessageVersion.V3, Compression.NONE)
                        .createTimestampMs())
                .isEqualTo(1_600_000_000_128L);
        assertThat(MessageEncoder.encode(
                                List.of(createdAt(1_600_000_000_000L), createdAt(null)),
                                MessageVersion.V3,
                                Compression.NONE)
                        .createTimestampMs())
                .isEqualTo(MessageBlock.NO_TIMESTAMP);
    }

    private static Message createdAt(Long createTimestampMs) {
        return new Message(null, null, ByteSlice.utf8("x"), createTimestampMs, null, null, null, null);
    }

    @Test
    void messageWithoutCreateTimestampIsCreatedWhenAppendedInVersion2() throws Exception {
        Message without = new Message(null, null, ByteSlice.utf8("x"), null, 5L, null, null, null);

        MessageBlock block = MessageEncoder.encode(List.of(without), MessageVersion.V2, Compression.NONE);

        assertThat(decode(1, Compression.NONE, block.data()).get(0).createTimestampMs())
                .isEqualTo(5);
    }

    @Test
    void versionsMayBeMixedInOneBlock() throws Exception {
        ByteSlice mixed = bytes(V2_NONE + V3_NONE + "000000000000000568656c6c6f");

        assertThat(decode(5, Compression.NONE, mixed))
                .extracting(message -> message.payload().utf8())
                .containsExactly("hello", "world!", "hello", "world!", "hello");
    }

    @Test
    void sequenceNumbersThatAreNotAsciiAreReadAndWritten() throws Exception {
        Message message = new Message(null, "séq-é", ByteSlice.utf8("payload"), 1L, null, Message.BINARY, null, null);

        for (MessageVersion version : List.of(MessageVersion.V2, MessageVersion.V3)) {
            MessageBlock block = MessageEncoder.encode(List.of(message, message), version, Compression.NONE);
            List<Message> read = decode(2, Compression.NONE, block.data());
            assertThat(read)
                    .allMatch(m -> m.sequenceNumber().equals("séq-é")
                            && m.payload().utf8().equals("payload"));
        }
    }

    @Test
    void largeBlocksOfSnappyAreRead() throws Exception {
        byte[] payload = new byte[100_000];
        new Random(1).nextBytes(payload);
        Message message = new Message(null, null, new ByteSlice(payload), 1L, null, null, null, null);

        MessageBlock block = MessageEncoder.encode(List.of(message), MessageVersion.V3, Compression.SNAPPY);

        assertThat(decode(1, Compression.SNAPPY, block.data()).get(0).payload()).isEqualTo(new ByteSlice(payload));
    }

    @Test
    void rawSnappyIsReadToo() throws Exception {
        ByteSlice raw = new ByteSlice(Snappy.compress(bytes(V3_NONE).toByteArray()));

        assertThat(decode(2, Compression.SNAPPY, raw)).hasSize(2);
    }

    private static byte[] compressed(Compressor compressor, byte[] data, int from) {
        byte[] out = new byte[from + compressor.maxCompressedLength(data.length)];
        int length = compressor.compress(data, 0, data.length, out, from, out.length - from);
        return Arrays.copyOf(out, from + length);
    }

    @Test
    void zstdAndBothFramingsOfLz4AreRead() throws Exception {
        byte[] plain = bytes(V3_NONE).toByteArray();
        byte[] zstd = compressed(new ZstdCompressor(), plain, 0);
        byte[] fixedLength = compressed(new Lz4Compressor(), plain, 4);
        ByteBuffer.wrap(fixedLength).order(ByteOrder.LITTLE_ENDIAN).putInt(plain.length);
        byte[] varint = compressed(new Lz4Compressor(), plain, 1);
        varint[0] = (byte) plain.length;

        assertThat(decode(2, Compression.ZSTD, new ByteSlice(zstd))).hasSize(2);
        assertThat(decode(2, Compression.LZ4, new ByteSlice(fixedLength))).hasSize(2);
        assertThat(decode(2, Compression.LZ4, new ByteSlice(varint))).hasSize(2);
    }

    @Test
    void kafkaBatchIsReadAsTheGoSdkReadsIt() throws Exception {
        List<Message> messages = decode(
                2,
                Compression.NONE,
                bytes(
                        "4b0000000000005100000000000000000000004500000000020000000000000000000100000174876e800000000174876e8005"
                                + "ffffffffffffffffffffffffffff0000000214000000046b310476310010000a020104763200"));

        assertThat(messages).extracting(message -> message.payload().utf8()).containsExactly("v1", "v2");
        assertThat(messages).extracting(Message::key).containsExactly("k1", null);
        assertThat(messages)
                .extracting(Message::createTimestampMs)
                .containsExactly(1_600_000_000_000L, 1_600_000_000_005L);
        assertThat(messages).extracting(Message::sequenceNumber).containsExactly("-1", "0");
        assertThat(messages).extracting(Message::appendTimestampMs).containsOnly(APPENDED_AT_MS);
    }

    /** A record whose length is negative made reading go back, for ever; a batch of tiny records made millions of messages. */
    @Test
    void kafkaBatchThatLiesIsRefused() {
        String head = "4b" + "00".repeat(64);
        String endless = head + "7fffffff" + "01" + "00".repeat(12);
        assertThatThrownBy(() -> decode(100_000, Compression.NONE, bytes(endless.replace("7fffffff", "000186a0"))))
                .isInstanceOf(UndecodableBlockException.class)
                .hasMessageContaining("damaged");
        assertThatThrownBy(() -> decode(100_000, Compression.NONE, bytes(endless)))
                .isInstanceOf(UndecodableBlockException.class)
                .hasMessageContaining("holds 2147483647 messages, the block says 100000");
    }

    @Test
    void roomIsAskedBeforeMemoryIsTaken() throws Exception {
        byte[] zeros = new byte[1 << 20];
        byte[] lz4 = compressed(new Lz4Compressor(), zeros, 4);
        ByteBuffer.wrap(lz4).order(ByteOrder.LITTLE_ENDIAN).putInt(zeros.length);
        for (Map.Entry<Compression, ByteSlice> bomb : Map.of(
                        Compression.GZIP,
                        Compression.GZIP.compress(new ByteSlice(zeros)),
                        Compression.SNAPPY,
                        Compression.SNAPPY.compress(new ByteSlice(zeros)),
                        Compression.ZSTD,
                        new ByteSlice(compressed(new ZstdCompressor(), zeros, 0)),
                        Compression.LZ4,
                        new ByteSlice(lz4))
                .entrySet()) {
            AtomicLong taken = new AtomicLong();
            ByteSlice whole = bomb.getKey().decompress(bomb.getValue(), 1 << 20, bytes -> {
                taken.addAndGet(bytes);
                return true;
            });
            assertThat(whole).as("%s", bomb.getKey()).isEqualTo(new ByteSlice(zeros));
            assertThat(taken).as("%s", bomb.getKey()).hasValue(1 << 20);

            taken.set(0);
            assertThatThrownBy(() -> bomb.getKey()
                            .decompress(bomb.getValue(), 1 << 30, bytes -> taken.addAndGet(bytes) <= 1 << 19))
                    .isInstanceOf(UndecodableBlockException.class)
                    .hasMessageContaining("there is no room");
        }
    }

    /** The library's stream takes memory for any length, and throws Errors that no handler of exceptions catches. */
    @Test
    void chunkOfSnappyThatLiesIsRefusedBeforeMemoryIsTaken() throws Exception {
        String head = "82534e41505059000000000100000001";
        byte[] large = HexFormat.of().parseHex(head + "00000005" + "ffffff7f00");
        byte[] headers = HexFormat.of().parseHex(head.repeat(20_000));
        for (String chunk : List.of("1fffffff", "ffffffff", "80000000", "00000005ffffffff0f", "00000005ffffff7f00")) {
            ByteSlice data = bytes(head + chunk);
            for (int messages : List.of(1, 100)) {
                assertThatThrownBy(() -> decode(messages, Compression.SNAPPY, data))
                        .as(chunk)
                        .isInstanceOf(UndecodableBlockException.class);
            }
            assertThatThrownBy(() -> needsNewer(1, Compression.SNAPPY, data))
                    .as(chunk)
                    .isInstanceOf(UndecodableBlockException.class);
        }
        assertThatThrownBy(() -> Compression.SNAPPY.decompress(new ByteSlice(large), 1 << 30, bytes -> {
                    throw new AssertionError("room for " + bytes);
                }))
                .isInstanceOf(UndecodableBlockException.class)
                .rootCause()
                .hasMessageContaining("5 bytes cannot become 268435455");
        assertThat(Compression.SNAPPY.decompress(new ByteSlice(headers), LIMIT, bytes -> true))
                .isEqualTo(ByteSlice.EMPTY);
    }

    @Test
    void streamsOfSnappyThatWerePutTogetherAreRead() throws Exception {
        byte[] zeros = new byte[100_000];
        byte[] one = Compression.SNAPPY.compress(new ByteSlice(zeros)).toByteArray();
        byte[] both = Arrays.copyOf(one, 2 * one.length);
        System.arraycopy(one, 0, both, one.length, one.length);

        assertThat(Compression.SNAPPY
                        .decompress(new ByteSlice(both), LIMIT, bytes -> true)
                        .length())
                .isEqualTo(200_000);
        assertThat(Compression.SNAPPY
                        .decompressFirst(new ByteSlice(both), 4, LIMIT, bytes -> true)
                        .length())
                .isLessThan(100_000);
    }

    /** Each record is eight bytes long, and says that its key goes on to the end of the block: 100,000 keys of 400 KB. */
    @Test
    void recordOfAKafkaBatchEndsWhereItsLengthSays() {
        int records = 200;
        ByteBuffer batch = ByteBuffer.allocate(69 + 8 * records);
        batch.put(0, (byte) 'K').putInt(65, records).position(69);
        for (int record = 0; record < records; record++) {
            int key = 8 * (records - record - 1);
            batch.put(
                    new byte[] {14, 0, 0, 0, (byte) (((2 * key) & 0x7f) | 0x80), (byte) (((2 * key) >> 7) & 0x7f), 0, 0
                    });
        }
        assertThatThrownBy(() -> decode(records, Compression.NONE, new ByteSlice(batch.array())))
                .isInstanceOf(UndecodableBlockException.class)
                .hasMessageContaining("the Kafka batch inside the block is damaged");
    }

    /** libthrift skips fields that it does not know by recursion. */
    @Test
    void messageWithFieldsWithinFieldsIsRefused() {
        int depth = 20_000;
        String nested = "2c" + "1c".repeat(depth);
        ByteSlice data = bytes("56000300" + "%08x".formatted(depth + 1) + nested);
        assertThatThrownBy(() -> decode(1, Compression.NONE, data))
                .isInstanceOf(UndecodableBlockException.class)
                .rootCause()
                .hasMessageContaining("nested more than 64 levels deep");
    }

    @Test
    void clientsOfVersion2ReadOnlyWhatTheyKnow() throws Exception {
        assertThat(needsNewer(2, Compression.NONE, bytes(V2_NONE))).isFalse();
        assertThat(needsNewer(2, Compression.NONE, bytes(V3_NONE))).isTrue();
        assertThat(needsNewer(2, Compression.GZIP, Compression.GZIP.compress(bytes(V3_NONE))))
                .isTrue();
        assertThat(needsNewer(2, Compression.SNAPPY, Compression.SNAPPY.compress(bytes(V2_NONE))))
                .isFalse();
        assertThat(needsNewer(1, Compression.ZSTD, bytes("00"))).isTrue();
        assertThat(needsNewer(1, Compression.NONE, bytes("4b000000"))).isTrue();
    }

    private static boolean needsNewer(int messages, Compression compression, ByteSlice data)
            throws UndecodableBlockException {
        return MessageDecoder.needsNewerThanV2(
                block(messages, compression, data).block(), LIMIT, bytes -> true);
    }

    @Test
    void everyTruncationIsRefused() {
        for (String whole :
                List.of(V2_NONE, V3_NONE, "000000000000000568656c6c6f000000057365712d3100000006776f726c6421")) {
            for (int length = 0; length < whole.length(); length += 2) {
                ByteSlice cut = bytes(whole.substring(0, length));
                assertThatThrownBy(() -> decode(2, Compression.NONE, cut))
                        .as(() -> whole + " cut to " + cut)
                        .isInstanceOf(UndecodableBlockException.class);
            }
        }
    }

    @Test
    void damagedBytesAreReadOrRefusedAndNothingElse() {
        Random random = new Random(20261120);
        for (Compression compression : Compression.values()) {
            for (int round = 0; round < 3_000; round++) {
                byte[] data = round % 2 == 0
                        ? new byte[random.nextInt(100)]
                        : bytes(V3_NONE).toByteArray();
                if (round % 2 == 0) {
                    random.nextBytes(data);
                } else {
                    data[random.nextInt(data.length)] = (byte) random.nextInt();
                }
                try {
                    decode(2, compression, new ByteSlice(data));
                } catch (UndecodableBlockException e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
            }
        }
    }

    @Test
    void smallBlockThatHoldsTooMuchIsRefused() throws Exception {
        byte[] zeros = new byte[LIMIT + 1];
        Message message = new Message(null, null, new ByteSlice(zeros), 1L, null, null, null, null);
        for (Compression compression : List.of(Compression.SNAPPY, Compression.GZIP)) {
            MessageBlock bomb = MessageEncoder.encode(List.of(message), MessageVersion.V3, compression);
            assertThatThrownBy(() -> decode(1, compression, bomb.data()))
                    .isInstanceOf(UndecodableBlockException.class)
                    .hasMessageContaining("more than " + LIMIT);
        }
        byte[] zstd = compressed(new ZstdCompressor(), zeros, 0);
        assertThatThrownBy(() -> decode(1, Compression.ZSTD, new ByteSlice(zstd)))
                .isInstanceOf(UndecodableBlockException.class);
        byte[] lz4 = compressed(new Lz4Compressor(), zeros, 4);
        ByteBuffer.wrap(lz4).order(ByteOrder.LITTLE_ENDIAN).putInt(zeros.length);
        assertThatThrownBy(() -> decode(1, Compression.LZ4, new ByteSlice(lz4)))
                .isInstanceOf(UndecodableBlockException.class);
    }

    @Test
    void unknownVersionsAndCompressionsAreNamed() {
        assertThatThrownBy(() -> decode(1, Compression.NONE, bytes("5600040000000000")))
                .hasMessageContaining("version 4");
        MessageBlock unknown = new MessageBlock(
                1, 9, ByteSlice.of(ByteBuffer.wrap("x".getBytes(StandardCharsets.UTF_8))), 0, ByteSlice.EMPTY);
        assertThatThrownBy(() -> MessageDecoder.decode(new StoredBlock(0, 0, unknown), LIMIT))
                .hasMessageContaining("compression type 9");
    }
}
