package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalStorage.AppendFile;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class FileScannerTest {

    private static final int TAG = 0x1234abcd;
    private static final JournalFileId ID = new JournalFileId(new JournalId("gw-1", 7), "days-0", 3);
    private static final TopicPartition PARTITION = new TopicPartition(JournalFixture.TOPIC, 5);

    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();
    private final FrameEncoder encoder = new FrameEncoder();
    private long length;

    @Test
    void wholeFramesAreFoundAndIndexed() throws IOException {
        AppendFile file = create();
        put(file, 0, 3, "first", 0);
        long second = length;
        put(file, 3, 1, "second", 0);
        FileScanner.Result result = scan();
        assertThat(result.tag()).isEqualTo(TAG);
        assertThat(result.dataEnd()).isEqualTo(length);
        assertThat(result.index().start().file()).isEqualTo(ID);
        PartitionFrames frames = result.index().frames(PARTITION);
        assertThat(frames.size()).isEqualTo(2);
        assertThat(frames.endOffset()).isEqualTo(4);
        assertThat(frames.frameWith(2).firstOffset()).isZero();
        assertThat(frames.frameWith(3).position()).isEqualTo((int) second);
    }

    @Test
    void tornLastFrameIsLeftOutWhereverItIsTorn() throws IOException {
        AppendFile file = create();
        put(file, 0, 1, "whole", 0);
        long whole = length;
        byte[] frame = frame(1, 1, "torn", whole);
        for (int kept = 0; kept < frame.length; kept++) {
            InMemoryJournalStorage torn = new InMemoryJournalStorage();
            AppendFile copy = torn.create(ID.path(), 0);
            byte[] bytes = new byte[(int) whole];
            try (ReadFile original = storage.open(ID.path())) {
                original.read(0, bytes, 0, bytes.length);
            }
            copy.write(bytes, 0, bytes.length);
            copy.write(frame, 0, kept);
            try (ReadFile scanned = torn.open(ID.path())) {
                FileScanner.Result result = FileScanner.scan(ID, scanned, false);
                assertThat(result.dataEnd()).as("%d bytes kept", kept).isEqualTo(whole);
                assertThat(result.index().frameCount()).isEqualTo(1);
            }
        }
    }

    @Test
    void fileWithoutAWholeStartHoldsNothing() throws IOException {
        AppendFile file = storage.create(ID.path(), 0);
        file.write(new byte[50], 0, 50);
        assertThat(scan().dataEnd()).isZero();
        assertThat(scan().index().frameCount()).isZero();
    }

    @Test
    void secondStartCountsInPlaceOfTheFirst() throws IOException {
        AppendFile file = create();
        long first = length;
        PartitionEnd end = new PartitionEnd(PARTITION, OwnerEpoch.NONE, 7, 100);
        ByteSlice body = new StartRecord(ID, 2, Map.of(PARTITION, end)).encode();
        write(file, encoder.other(FrameKind.START, TAG, body, 0));
        write(file, body);
        long second = length;
        put(file, 7, 1, "message", 0);

        assertThat(scan().index().start()).isEqualTo(new StartRecord(ID, 2, Map.of(PARTITION, end)));
        assertThat(scan().index().frameCount()).isEqualTo(1);
        assertThat(scan().dataEnd()).isEqualTo(length);

        storage.damage(ID.path(), second - 1, new byte[] {99});
        assertThat(scan().index().start().ends()).isEmpty();
        assertThat(scan().index().frameCount()).isZero();
        assertThat(scan().dataEnd()).isEqualTo(first);
    }

    @Test
    void zerosAfterTheLastFrameAreATornWrite() throws IOException {
        AppendFile file = create();
        put(file, 0, 1, "whole", 0);
        file.write(new byte[100_000], 0, 100_000);
        assertThat(scan().dataEnd()).isEqualTo(length);
    }

    @ParameterizedTest(name = "{0} zeros")
    @ValueSource(ints = {0, 1, 511, 5_000_000})
    void paddingIsPassedOver(int zeros) throws IOException {
        AppendFile file = create();
        put(file, 0, 1, "first", 0);
        write(file, encoder.other(FrameKind.PADDING, TAG, new ByteSlice(new byte[zeros]), 0));
        write(file, new ByteSlice(new byte[zeros]));
        assertThat(scan().dataEnd()).isEqualTo(length);
        assertThat(scan().index().frameCount()).isEqualTo(1);
        put(file, 1, 1, "second", length);
        assertThat(scan().dataEnd()).isEqualTo(length);
        assertThat(scan().index().frames(PARTITION).endOffset()).isEqualTo(2);
    }

    @Test
    void damageBelowADurablePositionIsReported() throws IOException {
        AppendFile file = create();
        long first = length;
        put(file, 0, 1, "durable once", 0);
        put(file, 1, 1, "later", length);
        storage.damage(ID.path(), first + 100, new byte[] {1, 2, 3});
        assertThatThrownBy(this::scan)
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("damaged at position " + first);
        try (ReadFile damaged = storage.open(ID.path())) {
            FileScanner.Result result = FileScanner.scan(ID, damaged, true);
            assertThat(result.dataEnd()).isEqualTo(length);
            assertThat(result.index().extent(PARTITION).firstOffset()).isEqualTo(1);
        }
    }

    @Test
    void damageOfWhatWasNeverDurableIsATornWrite() throws IOException {
        AppendFile file = create();
        long first = length;
        put(file, 0, 1, "not durable", first);
        put(file, 1, 1, "same group", first);
        storage.damage(ID.path(), first + 100, new byte[] {1, 2, 3});
        assertThat(scan().dataEnd()).isEqualTo(first);
    }

    @ParameterizedTest(name = "byte {0} of the first frame")
    @ValueSource(ints = {0, 2, 5, 8, 9, 13, 20, 28, 29, 95, 100})
    void damageOfTheStartOfADurableFileIsReported(int position) throws IOException {
        AppendFile file = create();
        put(file, 0, 1, "durable once", 0);
        put(file, 1, 1, "later", length);
        storage.damage(ID.path(), position, new byte[] {(byte) 0xee});

        assertThatThrownBy(this::scan)
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("damaged at position 0");
        try (ReadFile damaged = storage.open(ID.path())) {
            FileScanner.Result result = FileScanner.scan(ID, damaged, true);
            assertThat(result.tag()).isEqualTo(TAG);
            assertThat(result.dataEnd()).isEqualTo(length);
            assertThat(result.index().extent(PARTITION).firstOffset()).isZero();
            assertThat(result.index().frameCount()).isEqualTo(2);
        }
    }

    @Test
    void fileOfAnotherVersionIsNotTakenForAnEmptyOne() throws IOException {
        AppendFile file = create();
        put(file, 0, 1, "of the future", 0);
        storage.damage(ID.path(), 3, new byte[] {'2'});

        assertThatThrownBy(this::scan)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("its format is 2, this one reads 1");
    }

    /** A byte that is no letter either; it was shown as one. */
    @Test
    void fileWhoseVersionIsDamagedIsRefused() throws IOException {
        AppendFile file = create();
        put(file, 0, 1, "damaged", 0);
        storage.damage(ID.path(), 3, new byte[] {(byte) 0xab});

        assertThatThrownBy(this::scan).isInstanceOf(IOException.class).hasMessageContaining("its format is \u00ab");
    }

    /** No memory is taken for a body that is not there, and the header is whole. */
    @Test
    void frameLongerThanTheFileIsATornWrite() throws IOException {
        AppendFile file = create();
        long whole = length;
        ByteSlice header = encoder.other(FrameKind.FOOTER, TAG, ByteSlice.EMPTY, 0);
        ByteBuffer bytes = header.toByteBuffer();
        bytes.putInt(FrameHeader.BODY_LENGTH_AT, Integer.MAX_VALUE);
        bytes.putInt(
                FrameHeader.CHECKSUM_AT,
                FrameHeader.checksum(bytes, FrameHeader.CHECKED_FROM, bytes.capacity() - FrameHeader.CHECKED_FROM));
        write(file, header);
        assertThat(scan().dataEnd()).isEqualTo(whole);
    }

    @Test
    void frameWhoseBlocksAreNotItsBodyIsNone() {
        byte[] frame = frame(0, 1, "payload", 0);
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        int dataLengthAt = FrameHeader.FIXED_BYTES + 16;
        for (int wrong : new int[] {-1, 6, 8, Integer.MAX_VALUE}) {
            bytes.putInt(dataLengthAt, wrong);
            int headerLength = bytes.getInt(FrameHeader.HEADER_LENGTH_AT);
            bytes.putInt(
                    FrameHeader.CHECKSUM_AT,
                    FrameHeader.checksum(bytes, FrameHeader.CHECKED_FROM, headerLength - FrameHeader.CHECKED_FROM));
            assertThat(FrameHeader.decode(bytes, TAG)).as("%d bytes", wrong).isNull();
        }
    }

    /** Clients say how many messages their blocks have. */
    @Test
    void partitionMayHaveMoreMessagesInAFileThanAnIntCounts() throws IOException {
        AppendFile file = create();
        long[] offsets = {0, Integer.MAX_VALUE, 2L * Integer.MAX_VALUE};
        for (long offset : offsets) {
            put(file, offset, Integer.MAX_VALUE, "many", 0);
        }
        PartitionFrames frames = scan().index().frames(PARTITION);
        assertThat(frames.endOffset()).isEqualTo(3L * Integer.MAX_VALUE);
        for (long offset : offsets) {
            assertThat(frames.frameWith(offset + 1).firstOffset()).isEqualTo(offset);
        }
    }

    @Test
    void payloadThatLooksLikeAFrameOfAnotherFileIsNotTakenForOne() throws IOException {
        AppendFile file = create();
        long first = length;
        byte[] fake = frame(9, 1, "fake", Long.MAX_VALUE);
        fake[FrameHeader.FILE_TAG_AT]++; // a client cannot know the tag
        put(file, 0, 1, new ByteSlice(fake), 0);
        storage.damage(ID.path(), first + 10, new byte[] {1});
        assertThat(scan().dataEnd()).isEqualTo(first);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomBytesNeverEndInAnythingButATornWriteOrDamage(long seed) throws IOException {
        Random random = new Random(seed);
        AppendFile file = create();
        for (int i = 0; i < 50; i++) {
            put(file, i, 1, "message " + i, length);
        }
        for (int i = 0; i < 200; i++) {
            byte[] garbage = new byte[1 + random.nextInt(8)];
            random.nextBytes(garbage);
            storage.damage(ID.path(), random.nextInt((int) length - garbage.length), garbage);
            try {
                FileScanner.Result result = scan();
                assertThat(result.dataEnd()).isLessThanOrEqualTo(length);
            } catch (DamagedFileException e) {
                assertThat(e).hasMessageContaining("damaged");
            }
        }
    }

    private AppendFile create() throws IOException {
        AppendFile file = storage.create(ID.path(), 0);
        ByteSlice body = new StartRecord(ID, 1, Map.of()).encode();
        write(file, encoder.other(FrameKind.START, TAG, body, 0));
        write(file, body);
        return file;
    }

    private void put(AppendFile file, long offset, int messages, String payload, long durable) throws IOException {
        put(file, offset, messages, ByteSlice.utf8(payload), durable);
    }

    private void put(AppendFile file, long offset, int messages, ByteSlice payload, long durable) throws IOException {
        MessageBatch batch = batch(messages, payload);
        write(file, encoder.messages(TAG, PARTITION, OwnerEpoch.NONE, offset, 1, durable, batch, "key", 1));
        write(file, payload);
    }

    private byte[] frame(long offset, int messages, String payload, long durable) {
        MessageBatch batch = batch(messages, ByteSlice.utf8(payload));
        byte[] header = encoder.messages(TAG, PARTITION, OwnerEpoch.NONE, offset, 1, durable, batch, null, 0)
                .toByteArray();
        return com.google.common.primitives.Bytes.concat(
                header, ByteSlice.utf8(payload).toByteArray());
    }

    private static MessageBatch batch(int messages, ByteSlice payload) {
        return new MessageBatch(List.of(new MessageBlock(messages, 0, payload, 1, ByteSlice.EMPTY)));
    }

    private void write(AppendFile file, ByteSlice bytes) throws IOException {
        file.write(bytes.array(), bytes.offset(), bytes.length());
        length += bytes.length();
    }

    private FileScanner.Result scan() throws IOException {
        try (ReadFile file = storage.open(ID.path())) {
            return FileScanner.scan(ID, file, false);
        }
    }
}
