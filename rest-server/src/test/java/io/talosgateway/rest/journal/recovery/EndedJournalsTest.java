package io.talosgateway.rest.journal.recovery;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.google.common.collect.ImmutableSet;
import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.file.FileSealer;
import io.talosgateway.rest.journal.file.FilesAtOnce;
import io.talosgateway.rest.journal.file.Footer;
import io.talosgateway.rest.journal.file.IndexFile;
import io.talosgateway.rest.journal.file.IndexFileName;
import io.talosgateway.rest.journal.file.IndexHeads;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.file.Manifest;
import io.talosgateway.rest.journal.file.PartitionEnd;
import io.talosgateway.rest.journal.file.PartitionExtent;
import io.talosgateway.rest.journal.file.StartRecord;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Three files of a journal that was taken over: two partitions are in all of them, a third one is named by the first alone. */
final class EndedJournalsTest {

    private static final JournalId CURRENT = new JournalId("b", 1);
    private static final JournalId ENDED = new JournalId("a", 1);
    private static final OwnerEpoch EPOCH = new OwnerEpoch(1);
    private static final int FILES = 3;

    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();
    private final Map<TopicPartition, RecordedPartition> records = new HashMap<>();
    private EndedJournals ended;

    private static TopicPartition partition(int number) {
        return new TopicPartition(new TopicId(1, 2), number);
    }

    @BeforeEach
    void takeOver() throws IOException {
        JournalConfig config = JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), DataSize.ofKiB(64));
        JournalMetrics metrics = new JournalMetrics(new CollectorRegistry(), () -> 0);
        JournalReader reader = new JournalReader(storage, config, metrics);
        FileSealer sealer = new FileSealer(storage, reader::forgetOpenFile, metrics, new OwnJournalThreads());
        IndexHeads heads = new IndexHeads(storage);
        JournalRecovery recovery = new JournalRecovery(storage, sealer, heads, new FilesAtOnce(Runnable::run), false);
        ended = new EndedJournals(CURRENT, storage, recovery, heads, new FileDeletion(storage, reader, metrics));
        List<JournalFile> files = new ArrayList<>();
        for (int sequence = 0; sequence < FILES; sequence++) {
            files.add(file(sequence));
            storage.createWhole(files.get(sequence).id().path(), ByteSlice.utf8("a journal file"));
        }
        IndexFileName index = IndexFile.write(storage, ENDED, files);
        storage.createWhole(
                ENDED.manifestPath(),
                new Manifest(
                                ImmutableSet.of(),
                                Map.of(
                                        index,
                                        IndexFile.read(storage, ENDED, index).sequences()))
                        .encode());
        for (int number = 0; number < 3; number++) {
            taken(number, 0);
        }
    }

    /** Ten messages of each of two partitions. */
    private static JournalFile file(int sequence) {
        JournalFileId id = new JournalFileId(ENDED, "hours-0", sequence);
        Footer.Section none = new Footer.Section(0, 0, 0);
        Map<TopicPartition, Footer.SealedPartition> partitions = new HashMap<>();
        for (int number = 0; number < 2; number++) {
            partitions.put(
                    partition(number),
                    new Footer.SealedPartition(
                            new PartitionExtent(
                                    partition(number), EPOCH, sequence * 10L, sequence * 10L + 10, 1, 1, 100, 10),
                            none));
        }
        Map<TopicPartition, PartitionEnd> ends =
                sequence > 0 ? Map.of() : Map.of(partition(2), new PartitionEnd(partition(2), EPOCH, 5, 5));
        return JournalFile.sealed(
                id,
                1,
                new JournalFile.Sealed(new Footer(0, new StartRecord(id, 0, ends), partitions, none), id.path(), 0));
    }

    /** Another host has the partition, which starts at an offset. */
    private void taken(int number, long start) {
        record(number, new JournalSpan(CURRENT, new OwnerEpoch(2), 30, 300), start);
    }

    private void record(int number, JournalSpan last, long start) {
        records.put(partition(number), new RecordedPartition(partition(number), List.of(last), start, 30, 300, false));
    }

    /** The sequences of the files that are left. */
    private List<Integer> left() throws IOException {
        ended.deleteExpired(
                List.of(ENDED, CURRENT),
                gone -> false,
                (partition, endOffset, lastTimeMs) -> true,
                new FileRetention(topic -> false, asked -> records));
        return storage.list(ENDED.directory()).stream()
                .flatMap(file -> JournalFileId.parse(ENDED, file.name()).stream())
                .map(JournalFileId::sequence)
                .sorted()
                .toList();
    }

    @Test
    void filesGoAsTheRecordsOfTheirPartitionsAllow() throws IOException {
        assertThat(left()).containsExactly(0, 1, 2);
        taken(0, 30);
        taken(1, 19);
        assertThat(left()).containsExactly(1, 2);
        taken(1, 20);
        assertThat(left()).containsExactly(2);
        taken(1, 30);
        assertThat(left()).isEmpty();
        assertThat(storage.list(ENDED.directory()))
                .as("the manifest and the index")
                .isEmpty();
    }

    /** What voids the rest of a failed write may be in any file that names it. */
    @Test
    void allFilesStayWhileTheEndOfAPartitionIsToBeFound() throws IOException {
        taken(0, 30);
        taken(1, 30);
        record(2, new JournalSpan(ENDED, EPOCH, 0, 0), 30);
        assertThat(left()).containsExactly(0, 1, 2);
        records.remove(partition(2));
        assertThat(left()).as("nothing is recorded").containsExactly(0, 1, 2);
        taken(2, 0);
        assertThat(left()).isEmpty();
    }

    @Test
    void journalThatNobodyHasTakenOverStays() throws IOException {
        storage.delete(ENDED.manifestPath());
        for (int number = 0; number < 3; number++) {
            taken(number, 30);
        }
        assertThat(left()).containsExactly(0, 1, 2);
    }
}
