package io.talosgateway.rest.hosting;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.journal.log.Journal;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.journal.recovery.PartitionHistory;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a take-over asks of the storage and of coordination. The sums are in {@code docs/scaling-results.md}, which
 * says what 1,000 hosts cost: when one changes here, change it there.
 */
final class TakeOverCostTest {

    private static final int PARTITIONS = 8;
    private static final int LANES = 2;
    /** Index files of two journal files each, one for each lane. */
    private static final int INDEXED = LANES;
    /** Sealed files that are in no index file. */
    private static final int LOOSE = LANES;
    /** Files that were written. */
    private static final int OPEN = LANES;

    private static final JournalId OLD = new JournalId("old", 1);
    private static final Map<String, HostInfo> OLD_IS_ALIVE =
            Map.of("old", new HostInfo("old", 1, "old:1", "old:2", HostInfo.Intent.SERVE));
    private static final long NOW_MS = 1_700_000_000_000L;

    private final InMemoryJournalStorage memory = new InMemoryJournalStorage();
    private final Map<String, Integer> calls = new TreeMap<>();
    private final List<Integer> written = new ArrayList<>();
    private final List<Journal> journals = new ArrayList<>();
    private final SimulatedThreads threads = new SimulatedThreads(() -> 0);
    private final List<TopicPartition> partitions = new ArrayList<>();

    /** Two lanes of four files: a put fills one, but for the last two, in files that are open and not half full. */
    @BeforeEach
    void writeAJournal() throws Exception {
        Journal old = journal(OLD, memory);
        String fills = "x".repeat(1 << 16);
        for (int number = 0; number < PARTITIONS; number++) {
            TopicPartition partition = new TopicPartition(new TopicId(1, 2), number);
            partitions.add(partition);
            PartitionLog log = old.open(partition, OwnerEpoch.NONE.next(), Duration.ofDays(1), PartitionHistory.NONE);
            String payload = number < PARTITIONS - 2 ? fills : "short";
            CompletableFuture<AppendResult> outcome = log.append(
                            JournalFixture.batch(payload), null, Durability.DISK, Deadline.NONE)
                    .outcome();
            threads.drain(new Random(number));
            assertThat(outcome).isCompleted();
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Journal journal : journals) {
            journal.close();
        }
    }

    @Test
    void crashedJournalIsFencedReadAndSealedOnce() throws Exception {
        takeOver("new", false, Map.of());

        assertThat(calls)
                .isEqualTo(Map.of(
                        // Is it recovered already?
                        "exists",
                        1,
                        // The mark.
                        "delete",
                        1,
                        "list",
                        1,
                        "fence",
                        LOOSE + OPEN,
                        // The manifest; the heads of index files; the footers of loose files; the open files for a
                        // footer, and to
                        // be read through; the rows of all index files, those with the loose and open files too.
                        "open",
                        1 + INDEXED + LOOSE + 2 * OPEN + (INDEXED + OPEN),
                        "force",
                        OPEN,
                        // Footers beside the open ones, index files with them, and the manifest.
                        "createWhole",
                        OPEN + OPEN + 1));
        assertThat(written).containsExactly(PARTITIONS);
    }

    @Test
    void laterHostsOnlyReadItsIndex() throws Exception {
        takeOver("first", false, Map.of());
        calls.clear();

        takeOver("second", false, Map.of());

        // The manifest; each index file once, for its head and its rows.
        assertThat(calls).isEqualTo(Map.of("exists", 1, "open", 1 + INDEXED + OPEN));
    }

    @Test
    void journalOfAnOwnerThatReleasedAndGoesOnIsRead() throws Exception {
        takeOver("new", true, OLD_IS_ALIVE);

        assertThat(calls).isEqualTo(Map.of("list", 1, "open", 2 * INDEXED + LOOSE + OPEN));
        assertThat(written).containsExactly(PARTITIONS);
    }

    @Test
    void whatWasReadAheadIsNotReadAgain() throws Exception {
        Journal journal = journal(new JournalId("new", 1), counting());
        TakeOver takeOver = takeOver(journal);
        calls.clear();

        takeOver.readAhead(partitions, ownedByOld(false), OLD_IS_ALIVE);

        // All are indexed but the last two of each lane. Nothing is fenced or written.
        assertThat(calls).isEqualTo(Map.of("list", 1, "open", 2 * INDEXED + LOOSE + OPEN));
        assertThat(written).isEmpty();

        calls.clear();
        takeOver.take(partitions, ownedByOld(true), OLD_IS_ALIVE);

        assertThat(calls).isEqualTo(Map.of("list", 1, "open", INDEXED + OPEN));
    }

    @Test
    void partitionsThatNeverHadAnOwnerCostOneWriteForAll() throws Exception {
        Journal journal = journal(new JournalId("new", 1), counting());
        calls.clear();

        takeOver(journal).take(partitions, Map.of(), Map.of());

        assertThat(calls).isEmpty();
        assertThat(written).containsExactly(PARTITIONS);
    }

    private void takeOver(String host, boolean released, Map<String, HostInfo> alive) throws Exception {
        Journal journal = journal(new JournalId(host, 1), counting());
        calls.clear();
        List<TakeOver.Taken> taken =
                takeOver(journal).take(partitions, ownedByOld(released), alive).taken();
        assertThat(taken)
                .allSatisfy(one -> assertThat(one.record().ownership().owner()).isEqualTo(host));
    }

    private Map<TopicPartition, Versioned> ownedByOld(boolean released) {
        Map<TopicPartition, Versioned> records = new HashMap<>();
        for (TopicPartition partition : partitions) {
            records.put(
                    partition,
                    new Versioned(
                            new OwnershipRecord(
                                    "old",
                                    1,
                                    OwnerEpoch.NONE.next(),
                                    List.of(new JournalReference("old", 1, OwnerEpoch.NONE.next(), 0, 0)),
                                    0,
                                    0,
                                    0,
                                    released),
                            0));
        }
        return records;
    }

    /** Keys are too old to be looked for; else every file that has some is opened once more. */
    private TakeOver takeOver(Journal journal) {
        return new TakeOver(
                journal.id(),
                journal.archive(),
                new CountingRecords(),
                (claimed, done, recovery) -> {
                    assertThat(done.isDone()).isEqualTo(memory.exists("journals/old/0000000001/MANIFEST"));
                    recovery.run();
                },
                journal.archive().keyedPuts(NOW_MS + 1, 100, Set.copyOf(partitions)),
                false);
    }

    private Journal journal(JournalId id, JournalStorage storage) throws Exception {
        Journal journal = new Journal(
                id,
                JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofKiB(64), DataSize.ofMiB(1)),
                storage,
                Runnable::run,
                threads.newJournalThreads(),
                () -> Instant.ofEpochMilli(NOW_MS),
                () -> 0,
                new JournalMetrics(new CollectorRegistry(), () -> 0));
        journal.begin();
        journals.add(journal);
        return journal;
    }

    private JournalStorage counting() {
        return (JournalStorage) Proxy.newProxyInstance(
                JournalStorage.class.getClassLoader(),
                new Class<?>[] {JournalStorage.class},
                (proxy, method, arguments) -> {
                    synchronized (calls) {
                        // With or without checksums, it is one request to the NameNode.
                        calls.merge(method.getName().replace("Unchecked", ""), 1, Integer::sum);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private final class CountingRecords implements OwnershipRecords {

        @Override
        public Map<TopicPartition, Versioned> read(Collection<TopicPartition> read) {
            throw new AssertionError("the caller has read them");
        }

        @Override
        public Map<TopicPartition, Versioned> read(
                Collection<TopicPartition> read, BiConsumer<TopicPartition, String> unreadable) {
            return read(read);
        }

        @Override
        public List<Integer> write(List<Change> changes) {
            written.add(changes.size());
            return changes.stream().map(change -> change.expectedVersion() + 1).toList();
        }

        @Override
        public int changes() {
            throw new AssertionError();
        }

        @Override
        public void delete(TopicId topic) {
            throw new AssertionError();
        }

        @Override
        public List<TopicId> topics() {
            throw new AssertionError();
        }
    }
}
