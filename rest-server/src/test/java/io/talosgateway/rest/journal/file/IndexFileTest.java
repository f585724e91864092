package io.talosgateway.rest.journal.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.recovery.JournalArchive;
import io.talosgateway.rest.journal.recovery.PartitionHistory;
import io.talosgateway.rest.journal.recovery.RecordedPartition;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class IndexFileTest {

    private static final JournalId JOURNAL = new JournalId("host", 7);
    private static final String LANE = "days-0";
    private static final int PARTITIONS = 5;

    private static final JournalId OTHER = new JournalId("other", 1);

    private final Map<TopicPartition, List<JournalSpan>> spans = new HashMap<>();
    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();

    private static TopicPartition partition(int number) {
        return new TopicPartition(new TopicId(1, number % 2), number);
    }

    /**
     * What a lane leaves behind: owners that come back, files with what a failed group wrote, which the start of the next
     * voids, and sequences without a file.
     */
    private List<JournalFile> randomFiles(Random random, int count) {
        List<JournalFile> files = new ArrayList<>();
        for (int p = 0; p < PARTITIONS; p++) {
            spans.put(partition(p), new ArrayList<>(List.of(new JournalSpan(JOURNAL, OwnerEpoch.NONE.next(), 0, 0))));
        }
        long[] end = new long[PARTITIONS];
        long[] bytes = new long[PARTITIONS];
        long[] epoch = new long[PARTITIONS];
        Arrays.fill(epoch, OwnerEpoch.NONE.next().value());
        boolean[] written = new boolean[PARTITIONS];
        long timeMs = 1_700_000_000_000L;
        int sequence = 0;
        for (int number = 0; number < count; number++) {
            sequence += random.nextInt(4) == 0 ? 2 : 1;
            JournalFileId id = new JournalFileId(JOURNAL, LANE, sequence);
            Map<TopicPartition, PartitionEnd> ends = new HashMap<>();
            Map<TopicPartition, Footer.SealedPartition> sealed = new HashMap<>();
            for (int p = 0; p < PARTITIONS; p++) {
                if (random.nextInt(6) == 0) {
                    // Another owner has had it meanwhile.
                    spans.get(partition(p)).add(new JournalSpan(OTHER, new OwnerEpoch(epoch[p] + 1), end[p], bytes[p]));
                    epoch[p] += 2;
                    end[p] += random.nextInt(100);
                    bytes[p] += random.nextInt(1000);
                    written[p] = false;
                    spans.get(partition(p)).add(new JournalSpan(JOURNAL, new OwnerEpoch(epoch[p]), end[p], bytes[p]));
                }
                if (written[p]) {
                    ends.put(partition(p), new PartitionEnd(partition(p), new OwnerEpoch(epoch[p]), end[p], bytes[p]));
                }
                if (random.nextBoolean()) {
                    written[p] = true;
                    int messages = 1 + random.nextInt(1000);
                    int size = random.nextInt(1 << 20);
                    timeMs += random.nextInt(1000);
                    sealed.put(
                            partition(p),
                            new Footer.SealedPartition(
                                    new PartitionExtent(
                                            partition(p),
                                            new OwnerEpoch(epoch[p]),
                                            end[p],
                                            end[p] + messages,
                                            timeMs,
                                            timeMs + random.nextInt(10),
                                            size,
                                            1 + random.nextInt(messages)),
                                    section(random)));
                    if (random.nextInt(3) > 0) {
                        end[p] += messages;
                        bytes[p] += size;
                    }
                }
            }
            String path = random.nextBoolean() ? id.path() : id.detachedFooterPath();
            files.add(JournalFile.sealed(
                    id,
                    random.nextInt(),
                    new JournalFile.Sealed(
                            new Footer(random.nextLong() >>> 1, new StartRecord(id, 0, ends), sealed, section(random)),
                            path,
                            random.nextInt() >>> 1)));
        }
        return files;
    }

    private static Footer.Section section(Random random) {
        return new Footer.Section(random.nextInt() >>> 1, random.nextInt() >>> 1, random.nextInt());
    }

    private IndexFile write(List<JournalFile> files) throws IOException {
        IndexFileName name = IndexFile.write(storage, JOURNAL, files);
        assertThat(name).isNotNull();
        return IndexFile.read(storage, JOURNAL, name);
    }

    private List<JournalFile> files(IndexFile index, Set<TopicPartition> wanted) throws IOException {
        try (JournalStorage.ReadFile file = index.open(storage)) {
            return index.files(file, wanted);
        }
    }

    /** The histories of partitions are the same by the footers, by one index file, and by several of which one came late. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void indexSaysWhatTheFootersSay(int seed) throws IOException {
        Random random = new Random(seed);
        List<JournalFile> files = randomFiles(random, 1 + random.nextInt(30));
        Set<JournalFile> inFirst = new HashSet<>(files);
        inFirst.removeIf(file -> random.nextInt(3) == 0);
        for (int p = 0; p < PARTITIONS; p++) {
            Set<TopicPartition> wanted = Set.of(partition(p), new TopicPartition(new TopicId(9, 9), p));
            List<JournalFile> ofOne = files(write(files), wanted);
            List<JournalFile> ofTwo = new ArrayList<>();
            for (boolean first : List.of(true, false)) {
                List<JournalFile> part = files.stream()
                        .filter(file -> inFirst.contains(file) == first)
                        .toList();
                if (!part.isEmpty()) {
                    ofTwo.addAll(files(write(part), wanted));
                }
            }
            ofTwo.sort(Comparator.comparing(JournalFile::id, JournalFileId.IN_ORDER));
            for (int trial = 0; trial < 20; trial++) {
                RecordedPartition recorded = randomRecord(random, partition(p));
                String byFooters = history(recorded, files);
                assertThat(history(recorded, ofOne))
                        .as("seed %d, %s", seed, recorded)
                        .isEqualTo(byFooters);
                assertThat(history(recorded, ofTwo))
                        .as("seed %d, %s", seed, recorded)
                        .isEqualTo(byFooters);
            }
        }
    }

    /** Some of the oldest spans are gone. */
    private RecordedPartition randomRecord(Random random, TopicPartition partition) {
        List<JournalSpan> all = spans.get(partition);
        List<JournalSpan> left = all.subList(random.nextInt(all.size()), all.size());
        JournalSpan last = all.get(all.size() - 1);
        return new RecordedPartition(
                partition, left, random.nextInt(3000), last.firstOffset(), last.totalBytes(), false);
    }

    private static String history(RecordedPartition recorded, List<JournalFile> files) {
        PartitionHistory history = JournalArchive.withoutKeys(recorded, Map.of(JOURNAL, files));
        StringBuilder text = new StringBuilder();
        text.append(history.spans()).append(history.startOffset()).append('-').append(history.endOffset());
        text.append(' ')
                .append(history.totalBytes())
                .append(' ')
                .append(history.missingAtEnd())
                .append(' ')
                .append(history.lostBefore());
        for (FileRange range : history.ranges()) {
            JournalFile file = range.file();
            JournalFile.Sealed sealed = file.sealedIndex();
            assertThat(sealed).isNotNull();
            text.append('\n')
                    .append(file)
                    .append(range.firstOffset())
                    .append('-')
                    .append(range.endOffset());
            text.append(file.tag()).append(sealed.path()).append(sealed.bodyPosition());
            text.append(sealed.footer().dataEnd()).append(sealed.footer().keyedPuts());
            text.append(sealed.footer().partitions().get(recorded.partition()));
        }
        return text.toString();
    }

    @Test
    void itIsAFewBytesForEachPartitionInEachFile() throws IOException {
        List<JournalFile> files = randomFiles(new Random(1), 500);
        long rows = files.stream().mapToLong(file -> file.partitions().size()).sum();
        long heads = 500 * 37 + 1000;
        long length = IndexFile.encode(files).content().length();
        assertThat((double) (length - heads) / rows).isLessThan(50);
    }

    @Test
    void noDamageIsReadOver() throws IOException {
        List<JournalFile> files = randomFiles(new Random(3), 5);
        IndexFile.Encoded encoded = IndexFile.encode(files);
        byte[] whole = encoded.content().toByteArray();
        for (int position = 0; position < whole.length; position++) {
            byte[] damaged = Arrays.copyOf(whole, whole.length);
            damaged[position] = (byte) (damaged[position] ^ 0x10);
            assertThatThrownBy(() -> readAll(encoded.name(), damaged))
                    .as("byte %d", position)
                    .isInstanceOf(IOException.class);
        }
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> readAll(encoded.name(), part))
                    .as("%d bytes", length)
                    .isInstanceOf(DamagedIndexException.class);
        }
        assertThat(readAll(encoded.name(), whole)).hasSize(5);
    }

    /** Numbers that lie, with checksums that are right: no memory is taken for them, and nothing is read beside. */
    @Test
    void headThatLiesIsRefused() {
        IndexFile.Encoded encoded = IndexFile.encode(randomFiles(new Random(3), 5));
        byte[] whole = encoded.content().toByteArray();
        int trailerAt = whole.length - 16;
        int headAt = (int) ByteBuffer.wrap(whole).getLong(trailerAt);
        int filesAt = headAt + 2 + JOURNAL.toString().length() + 2 + LANE.length();
        int partitionsAt = filesAt + 4 + 5 * 37;
        int rowsAt = partitionsAt + 4 + PartitionCodec.BYTES;
        for (int at : new int[] {filesAt, filesAt + 4, partitionsAt, rowsAt, rowsAt + 4}) {
            for (int lie : new int[] {-1, 0x7fffffff, 0x00ffffff}) {
                ByteBuffer content = ByteBuffer.wrap(whole.clone()).putInt(at, lie);
                content.putInt(trailerAt + 8, FrameHeader.checksum(content, headAt, trailerAt - headAt));
                content.putInt(trailerAt + 12, FrameHeader.checksum(content, trailerAt, 12));
                assertThatThrownBy(() -> {
                            readAll(encoded.name(), content.array());
                            IndexFile.read(storage, JOURNAL, encoded.name()).sequences();
                        })
                        .as("%d at %d", lie, at)
                        .isInstanceOf(IOException.class);
            }
        }
    }

    private List<JournalFile> readAll(IndexFileName name, byte[] content) throws IOException {
        storage.delete(name.path(JOURNAL));
        storage.createWhole(name.path(JOURNAL), new ByteSlice(content));
        IndexFile index = IndexFile.read(storage, JOURNAL, name);
        return files(index, index.partitions());
    }

    @Test
    void otherVersionIsRefusedAndNotTakenForDamage() {
        IndexFile.Encoded encoded = IndexFile.encode(randomFiles(new Random(3), 5));
        byte[] content = encoded.content().toByteArray();
        content[3] = '2';
        assertThatThrownBy(() -> readAll(encoded.name(), content))
                .isNotInstanceOf(DamagedIndexException.class)
                .hasMessageContaining("its format is 2, this one reads 1. Start the version that wrote it.");
    }

    @Test
    void indexOfAnotherJournalIsNotBelieved() throws IOException {
        IndexFile.Encoded encoded = IndexFile.encode(randomFiles(new Random(3), 5));
        JournalId other = new JournalId("host", 8);
        storage.createWhole(encoded.name().path(other), encoded.content());
        assertThatThrownBy(() -> IndexFile.read(storage, other, encoded.name()))
                .isInstanceOf(DamagedIndexException.class);
        assertThatThrownBy(() -> IndexFile.read(storage, JOURNAL, encoded.name()))
                .isInstanceOf(FileNotFoundException.class);
    }
}
