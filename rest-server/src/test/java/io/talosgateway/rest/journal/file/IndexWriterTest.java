package io.talosgateway.rest.journal.file;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.journal.FaultyStorage;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class IndexWriterTest {

    private static final JournalId JOURNAL = new JournalId("host", 1);
    private static final TopicPartition PARTITION = new TopicPartition(new TopicId(1, 2), 3);

    private final InMemoryJournalStorage memory = new InMemoryJournalStorage();
    private final FaultyStorage storage = new FaultyStorage(memory);
    private final IndexWriter writer = new IndexWriter(JOURNAL, storage, 4);
    private final List<JournalFile> files = new ArrayList<>();

    IndexWriterTest() {
        memory.createWhole(JOURNAL.openPath(), ByteSlice.EMPTY);
    }

    private void seal(String lane, int count) {
        for (int number = 0; number < count; number++) {
            int sequence = files.size();
            JournalFileId id = new JournalFileId(JOURNAL, lane, sequence);
            PartitionExtent extent =
                    new PartitionExtent(PARTITION, OwnerEpoch.NONE, sequence, sequence + 1L, 1, 1, 10, 1);
            Footer.Section none = new Footer.Section(0, 0, 0);
            Footer footer = new Footer(
                    0,
                    new StartRecord(id, 0, Map.of()),
                    Map.of(PARTITION, new Footer.SealedPartition(extent, none)),
                    none);
            JournalFile file = JournalFile.sealed(id, 1, new JournalFile.Sealed(footer, id.path(), 0));
            files.add(file);
            writer.add(file);
        }
    }

    /** Number of journal files in each index file. */
    private List<Integer> indexed() throws Exception {
        Map<String, BitSet> covered = new HashMap<>();
        List<Integer> sizes = new ArrayList<>();
        for (JournalStorage.StoredFile file : memory.list(JOURNAL.directory())) {
            IndexFileName name = IndexFileName.parse(file.name()).orElse(null);
            if (name != null) {
                BitSet sequences = IndexFile.read(memory, JOURNAL, name).sequences();
                sizes.add(sequences.cardinality());
                BitSet before = covered.computeIfAbsent(name.lane(), absent -> new BitSet());
                assertThat(before.intersects(sequences)).as("indexed twice").isFalse();
                before.or(sequences);
            }
        }
        sizes.sort(null);
        return sizes;
    }

    @Test
    void filesAreIndexedTogetherAndTheirIndexFilesPutTogether() throws Exception {
        seal("days-0", 3);
        assertThat(indexed()).isEmpty();
        seal("days-0", 1);
        assertThat(indexed()).containsExactly(4);
        seal("days-0", 7 * 4 - 1);
        assertThat(indexed()).containsExactly(4, 4, 4, 4, 4, 4, 4);
        seal("days-0", 1);
        assertThat(indexed()).containsExactly(32);
        seal("days-0", 7 * 32 + 9);
        assertThat(indexed()).containsExactly(4, 4, 256);
        seal("days-0", 256);
        assertThat(indexed()).containsExactly(4, 4, 256, 256);
    }

    @Test
    void lanesAreIndexedApart() throws Exception {
        seal("days-0", 3);
        seal("days-1", 3);
        assertThat(indexed()).isEmpty();
        seal("days-0", 1);
        seal("days-1", 1);
        assertThat(indexed()).containsExactly(4, 4);
    }

    @Test
    void whatCannotBeWrittenIsWithTheNext() throws Exception {
        seal("days-0", 3);
        storage.undosToFail.set(2);
        seal("days-0", 2);
        assertThat(indexed()).isEmpty();
        seal("days-0", 1);
        assertThat(indexed()).containsExactly(6);
    }

    @Test
    void indexFileGoesWithTheLastOfItsFiles() throws Exception {
        seal("days-0", 8);
        files.subList(0, 3).forEach(writer::remove);
        assertThat(indexed()).containsExactly(4, 4);
        writer.remove(files.get(3));
        assertThat(indexed()).containsExactly(4);
        seal("days-0", 28);
        assertThat(indexed()).as("what is gone is not indexed again").containsExactly(32);
    }

    /** Whoever has taken the journal over may have written down that they count. */
    @Test
    void nothingIsDeletedOfAJournalThatWasTakenOver() throws Exception {
        seal("days-0", 7 * 4);
        memory.delete(JOURNAL.openPath());
        seal("days-0", 4);
        long names = memory.list(JOURNAL.directory()).size();
        assertThat(names).isEqualTo(8 + 1);
    }
}
