package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class FooterTest {

    private static final JournalFileId ID = new JournalFileId(new JournalId("gw-1", 7), "days-0", 3);

    @Test
    void indexIsTheSameAfterEncodingAndDecoding() throws IOException {
        Random random = new Random(1);
        TopicPartition ended = new TopicPartition(JournalFixture.TOPIC, 99);
        StartRecord start = new StartRecord(
                ID, 123, Map.of(ended, new PartitionEnd(ended, new OwnerEpoch(4), 1000, 5_000_000_000L)));
        FileIndex index = new FileIndex(start);
        int position = 200;
        long timeMs = 1_700_000_000_000L;
        long[] offsets = new long[5];
        for (int i = 0; i < 1000; i++) {
            int number = random.nextInt(5);
            int messages = 1 + random.nextInt(300);
            TopicPartition partition = new TopicPartition(JournalFixture.TOPIC, number);
            index.add(partition, new OwnerEpoch(3), position, offsets[number], messages, timeMs, 500);
            offsets[number] += messages;
            position += 100 + random.nextInt(100_000);
            timeMs += random.nextInt(2000);
        }
        KeyedPut keyed = new KeyedPut(
                new TopicPartition(JournalFixture.TOPIC, 2), new IdempotencyKey.Fingerprint(1, -2), 3, 4, 5, 6);
        index.addKeyed(keyed);

        ByteSlice encoded = Footer.encode(index, position);
        Footer footer = Footer.decode(encoded.toByteBuffer());
        assertThat(footer.dataEnd()).isEqualTo(position);
        assertThat(footer.start()).isEqualTo(start);
        assertThat(footer.partitions()).hasSize(5);
        footer.partitions().forEach((partition, entry) -> {
            assertThat(entry.extent()).isEqualTo(index.extent(partition));
            PartitionFrames expected = index.frames(partition);
            PartitionFrames decoded = decodeFrames(encoded, entry);
            assertThat(decoded.size()).isEqualTo(expected.size());
            assertThat(decoded.endOffset()).isEqualTo(expected.endOffset());
            assertThat(PartitionFramesTest.all(decoded)).isEqualTo(PartitionFramesTest.all(expected));
        });
        assertThat(Footer.decodeKeyedPuts(section(encoded, footer.keyedPuts()))).isEqualTo(List.of(keyed));
    }

    @Test
    void damagedSectionIsReported() throws IOException {
        FileIndex index = new FileIndex(new StartRecord(ID, 123, Map.of()));
        TopicPartition partition = new TopicPartition(JournalFixture.TOPIC, 0);
        index.add(partition, new OwnerEpoch(1), 10, 0, 1, 1, 1);
        ByteSlice encoded = Footer.encode(index, 20);
        Footer.SealedPartition sealed =
                Footer.decode(encoded.toByteBuffer()).partitions().get(partition);
        ByteSlice damaged = new ByteSlice(section(encoded, sealed.frames()).toByteArray());
        damaged.array()[0]++;
        assertThat(sealed.frames().isWhole(section(encoded, sealed.frames()))).isTrue();
        assertThat(sealed.frames().isWhole(damaged)).isFalse();
        assertThat(sealed.frames().isWhole(damaged.slice(0, damaged.length() - 1)))
                .isFalse();
    }

    /** Their checksums are those of the bytes that are there. */
    @Test
    void footersAndStartsThatEndTooEarlyAreRefused() {
        StartRecord start = new StartRecord(ID, 123, Map.of());
        FileIndex index = new FileIndex(start);
        index.add(new TopicPartition(JournalFixture.TOPIC, 0), new OwnerEpoch(1), 10, 0, 1, 1, 1);
        ByteSlice footer = Footer.encode(index, 20);
        int directory = footer.length() - 3;
        for (int length = 0; length < directory; length++) {
            ByteSlice part = new ByteSlice(footer.toByteArray(), 0, length);
            assertThatThrownBy(() -> Footer.decode(part.toByteBuffer()))
                    .as("%d bytes", length)
                    .isInstanceOf(IOException.class);
        }
        ByteSlice record = start.encode();
        for (int length = 0; length < record.length(); length++) {
            ByteSlice part = record.slice(0, length);
            assertThatThrownBy(() -> StartRecord.decode(part.toByteBuffer()))
                    .as("%d bytes", length)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void sectionsThatEndTooEarlyAreRefused() throws IOException {
        TopicPartition partition = new TopicPartition(JournalFixture.TOPIC, 0);
        FileIndex index = new FileIndex(new StartRecord(ID, 123, Map.of()));
        index.add(partition, new OwnerEpoch(1), 10, 0, 1, 1, 1);
        Footer footer = Footer.decode(Footer.encode(index, 20).toByteBuffer());
        byte[] part = {1, 1};
        Footer.Section section = Footer.sectionOf(part, 0);
        Footer.SealedPartition sealed = new Footer.SealedPartition(footer.extent(partition), section);
        assertThatThrownBy(() -> Footer.decodeFrames(new ByteSlice(part), sealed))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Footer.decodeKeyedPuts(new ByteSlice(part))).isInstanceOf(IOException.class);
    }

    @Test
    void lastKeyedPutsAreKept() throws IOException {
        FileIndex index = new FileIndex(new StartRecord(ID, 123, Map.of()));
        List<KeyedPut> all = new ArrayList<>();
        for (int i = 0; i < FileIndex.MAX_KEYED_PUTS + 10; i++) {
            KeyedPut put = new KeyedPut(
                    new TopicPartition(JournalFixture.TOPIC, i),
                    new IdempotencyKey.Fingerprint(i, -i),
                    2L * i,
                    i,
                    1,
                    i);
            index.addKeyed(put);
            all.add(put);
            if (i == 0 || i == 16 || i == FileIndex.MAX_KEYED_PUTS - 1) {
                assertThat(index.keyedPuts()).isEqualTo(all);
            }
        }
        assertThat(index.keyedPuts()).isEqualTo(all.subList(10, all.size()));
        ByteSlice encoded = Footer.encode(index, 20);
        Footer footer = Footer.decode(encoded.toByteBuffer());
        assertThat(Footer.decodeKeyedPuts(section(encoded, footer.keyedPuts()))).isEqualTo(index.keyedPuts());
    }

    private static PartitionFrames decodeFrames(ByteSlice encoded, Footer.SealedPartition sealed) {
        try {
            return Footer.decodeFrames(section(encoded, sealed.frames()), sealed);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static ByteSlice section(ByteSlice encoded, Footer.Section section) {
        return encoded.slice(section.position(), section.length());
    }
}
