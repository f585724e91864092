package io.talosgateway.rest.journal.log;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.FaultyStorage;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.file.FileIndex;
import io.talosgateway.rest.journal.file.FileScanner;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.file.StartRecord;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.journal.lane.SharedLane;
import io.talosgateway.rest.journal.read.ReadResult;
import io.talosgateway.rest.journal.recovery.PartitionHistory;
import io.talosgateway.rest.journal.recovery.RecordedPartition;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.message.PutIdentity;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Partitions that go from one live host to another, and back. */
final class JournalReleaseTest {

    private static final TopicPartition MOVING = new TopicPartition(JournalFixture.TOPIC, 0);
    private static final TopicPartition STAYING = new TopicPartition(JournalFixture.TOPIC, 1);
    private static final TopicPartition OTHER = new TopicPartition(JournalFixture.TOPIC, 2);

    private final FaultyStorage storage = new FaultyStorage(new InMemoryJournalStorage());
    private final ExecutorService completions = Executors.newFixedThreadPool(2);
    private Journal first;
    private Journal second;

    @BeforeEach
    void begin() throws IOException {
        first = journal("a");
        second = journal("b");
    }

    @AfterEach
    void end() throws InterruptedException {
        first.close();
        second.close();
        completions.shutdown();
    }

    private Journal journal(String host) throws IOException {
        Journal journal = new Journal(
                new JournalId(host, 1),
                JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), DataSize.ofKiB(1)),
                storage,
                completions,
                new OwnJournalThreads(),
                InstantSource.system(),
                System::nanoTime,
                new JournalMetrics(new CollectorRegistry(), System::nanoTime));
        journal.begin();
        return journal;
    }

    private static PartitionLog open(Journal journal, TopicPartition partition, long epoch, PartitionHistory history) {
        return journal.open(partition, new OwnerEpoch(epoch), Duration.ofDays(1), history);
    }

    private static CompletableFuture<AppendResult> put(PartitionLog log, String payload, @Nullable String key) {
        MessageBatch batch = JournalFixture.batch(payload);
        return log.append(
                        batch,
                        key == null ? null : PutIdentity.of(new IdempotencyKey(key, true), batch),
                        Durability.DISK,
                        Deadline.NONE)
                .outcome();
    }

    /** A put whose sync the storage holds. */
    private CompletableFuture<AppendResult> putHeld(PartitionLog log, String payload) {
        storage.holdSyncs = new CountDownLatch(1);
        CompletableFuture<AppendResult> held = put(log, payload, null);
        Await.asLongAs(() -> storage.syncsHeld.get() == 0);
        return held;
    }

    private void letSyncsGo() {
        CountDownLatch hold = storage.holdSyncs;
        storage.holdSyncs = null;
        hold.countDown();
    }

    private static void release(Journal journal, PartitionLog log) {
        journal.release(List.of(log)).join();
        journal.forget(List.of(log));
    }

    private static PartitionHistory history(Journal journal, TopicPartition partition, JournalSpan... spans)
            throws IOException {
        return journal.archive()
                .histories(
                        List.of(new RecordedPartition(partition, List.of(spans), 0, 0, 0, false)),
                        journal.archive().keyedPuts(0, 100, Set.of(partition)))
                .get(0);
    }

    private static List<String> readAll(PartitionLog log) {
        List<String> found = new ArrayList<>();
        long offset = 0;
        while (offset < log.durableOffset()) {
            ReadResult read = log.read(offset, 100, 1 << 20);
            for (StoredBlock block : read.blocks()) {
                found.add(block.startOffset() + ":" + block.block().data().utf8());
            }
            offset = read.endOffset();
        }
        return found;
    }

    @Test
    void whatWasReleasedIsReadByTheNextOwnerWhileTheOthersGoOn() throws Exception {
        PartitionLog moving = open(first, MOVING, 1, PartitionHistory.NONE);
        PartitionLog staying = open(first, STAYING, 1, PartitionHistory.NONE);
        put(moving, "m0", "key").join();
        put(staying, "s0", null).join();
        put(moving, "m1", null).join();

        release(first, moving);
        put(staying, "s1", null).join();
        second.archive().adopt(first.id());
        PartitionHistory history = history(second, MOVING, new JournalSpan(first.id(), OwnerEpoch.NONE, 0, 0));
        PartitionLog moved = open(second, MOVING, 2, history);
        put(moved, "m2", null).join();

        assertThat(readAll(moved)).containsExactly("0:m0", "1:m1", "2:m2");
        assertThat(history.keyedPuts())
                .singleElement()
                .satisfies(put -> assertThat(put.firstOffset()).isZero());
        assertThat(readAll(staying)).containsExactly("0:s0", "1:s1");
        assertThat(first.isFenced()).isFalse();
    }

    @Test
    void releasingWaitsForWhatWasTakenAndRefusesWhatComesLater() throws Exception {
        PartitionLog moving = open(first, MOVING, 1, PartitionHistory.NONE);
        put(moving, "m0", null).join();
        CompletableFuture<AppendResult> underWay = putHeld(moving, "m1");

        CompletableFuture<Void> released = first.release(List.of(moving));

        assertThat(released).isNotDone();
        assertThatThrownBy(() -> put(moving, "late", null))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_MOVING));
        letSyncsGo();
        released.join();
        assertThat(underWay.join().firstOffset()).isEqualTo(1);
        assertThat(readAll(moving)).containsExactly("0:m0", "1:m1");
    }

    /** It may be pinned to another lane, whose name comes before. */
    @Test
    void aPartitionThatComesBackFindsItsMessagesInOrder() throws Exception {
        PartitionLog filler = open(first, OTHER, 1, PartitionHistory.NONE);
        PartitionLog moving = open(first, MOVING, 1, PartitionHistory.NONE);
        put(moving, "m0", null).join();
        release(first, moving);
        second.archive().adopt(first.id());
        JournalSpan span = new JournalSpan(first.id(), OwnerEpoch.NONE, 0, 0);
        PartitionLog away = open(second, MOVING, 2, history(second, MOVING, span));
        release(second, away);
        first.close(filler);
        PartitionLog back = open(first, MOVING, 3, history(first, MOVING, span));
        put(back, "m1", null).join();
        release(first, back);
        second.archive().adopt(first.id());

        PartitionLog again = open(second, MOVING, 4, history(second, MOVING, span));

        assertThat(again.durableOffset()).isEqualTo(2);
        assertThat(readAll(again)).containsExactly("0:m0", "1:m1");
    }

    /** What one epoch has left in a journal says nothing of what the same journal holds of a later one. */
    @Test
    void spanHoldsWhatWasWrittenInItsEpochOnly() throws Exception {
        PartitionLog moving = open(first, MOVING, 1, PartitionHistory.NONE);
        put(moving, "m0", null).join();
        release(first, moving);

        second.archive().adopt(first.id());

        assertThat(history(second, MOVING, new JournalSpan(first.id(), new OwnerEpoch(1), 0, 0))
                        .endOffset())
                .isEqualTo(1);
        PartitionHistory later = history(second, MOVING, new JournalSpan(first.id(), new OwnerEpoch(3), 0, 0));
        assertThat(later.endOffset()).isZero();
        assertThat(later.spans()).isEmpty();
    }

    /** The record could not be written, so that the release is tried again. */
    @Test
    void releasingAgainLeavesTheLaneAlone() throws Exception {
        PartitionLog moving = open(first, MOVING, 1, PartitionHistory.NONE);
        // Pinned to the other lane.
        open(first, OTHER, 1, PartitionHistory.NONE);
        PartitionLog staying = open(first, STAYING, 1, PartitionHistory.NONE);
        put(moving, "m0", null).join();
        first.release(List.of(moving)).join();
        put(staying, "s0", null).join();
        int files = storage.list(first.id().directory()).size();

        first.release(List.of(moving)).join();
        first.close(moving);
        put(staying, "s1", null).join();

        assertThat(storage.list(first.id().directory())).hasSize(files);
        assertThat(((SharedLane) staying.lane()).partitions()).isEqualTo(1);
    }

    @Test
    void aPartitionThatWasElsewhereInBetweenIsReadFromEachJournal() throws Exception {
        PartitionLog moving = open(first, MOVING, 1, PartitionHistory.NONE);
        put(moving, "m0", null).join();
        release(first, moving);
        second.archive().adopt(first.id());
        PartitionLog away =
                open(second, MOVING, 2, history(second, MOVING, new JournalSpan(first.id(), OwnerEpoch.NONE, 0, 0)));
        put(away, "m1", null).join();
        release(second, away);
        first.archive().adopt(second.id());
        JournalSpan[] spans = {
            new JournalSpan(first.id(), OwnerEpoch.NONE, 0, 0), new JournalSpan(second.id(), OwnerEpoch.NONE, 1, 2),
        };
        PartitionLog back = open(first, MOVING, 3, history(first, MOVING, spans));
        put(back, "m2", null).join();
        release(first, back);

        second.archive().adopt(first.id());
        PartitionLog again = open(
                second,
                MOVING,
                4,
                history(second, MOVING, spans[0], spans[1], new JournalSpan(first.id(), OwnerEpoch.NONE, 2, 4)));

        assertThat(readAll(again)).containsExactly("0:m0", "1:m1", "2:m2");
    }

    /** Nobody puts any more, so that nothing else wakes the lane up. */
    @Test
    void releaseEndsAsSoonAsTheStorageIsBack() throws Exception {
        PartitionLog moving = open(first, MOVING, 1, PartitionHistory.NONE);
        put(moving, "m0", null).join();
        CompletableFuture<AppendResult> underWay = putHeld(moving, "m1");
        CompletableFuture<AppendResult> waiting = put(moving, "m2", null);
        CompletableFuture<Void> released = first.release(List.of(moving));
        // Of the put that waits, and of the file in which it is tried again.
        storage.writesToFail.set(2);
        letSyncsGo();

        underWay.get(120, TimeUnit.SECONDS);
        assertThatThrownBy(() -> waiting.get(120, TimeUnit.SECONDS)).hasCauseInstanceOf(GatewayException.class);
        // The lane itself looks after a minute.
        released.get(30, TimeUnit.SECONDS);
    }

    /** Its topic is deleted while a put waits for the lane. */
    @Test
    void partitionThatIsClosedIsNotInTheFilesThatFollow() throws Exception {
        PartitionLog closed = open(first, MOVING, 1, PartitionHistory.NONE);
        open(first, OTHER, 1, PartitionHistory.NONE);
        PartitionLog staying = open(first, STAYING, 1, PartitionHistory.NONE);
        CompletableFuture<AppendResult> underWay = putHeld(staying, "s0");
        CompletableFuture<AppendResult> waiting = put(closed, "m0", null);
        first.close(closed);
        letSyncsGo();
        underWay.join();
        waiting.join();

        put(staying, "x".repeat(1 << 20), null).join();
        put(staying, "the next file", null).join();

        List<StartRecord> starts = new ArrayList<>();
        // The second file is one that was made ready, which the lane takes if it is ready in time.
        for (int sequence = 1; sequence <= 2; sequence++) {
            JournalFileId next = new JournalFileId(first.id(), staying.lane().name(), sequence);
            if (storage.exists(next.path())) {
                try (JournalStorage.ReadFile file = storage.open(next.path())) {
                    FileIndex index = FileScanner.scan(next, file, false).index();
                    if (index.frameCount() > 0) {
                        starts.add(index.start());
                    }
                }
            }
        }
        assertThat(starts)
                .singleElement()
                .satisfies(start -> assertThat(start.ends()).containsOnlyKeys(STAYING));
    }

    /** Its footer is there, and is its own. */
    @Test
    void fileWhoseFooterWasMadeWithoutAReplyCanBeReleased() throws Exception {
        PartitionLog moving = open(first, MOVING, 1, PartitionHistory.NONE);
        put(moving, "m0", null).join();
        storage.wholeRepliesToLose.set(1);
        storage.syncsToFail.set(1);
        put(moving, "m1", null).join();

        first.release(List.of(moving)).get(120, TimeUnit.SECONDS);

        assertThat(storage.wholeRepliesToLose).hasValue(0);
        second.archive().adopt(first.id());
        assertThat(readAll(open(
                        second,
                        MOVING,
                        2,
                        history(second, MOVING, new JournalSpan(first.id(), OwnerEpoch.NONE, 0, 0)))))
                .containsExactly("0:m0", "1:m1");
    }

    @Test
    void whatWasFencedCannotBeReleased() throws Exception {
        PartitionLog moving = open(first, MOVING, 1, PartitionHistory.NONE);
        put(moving, "m0", null).join();
        CompletableFuture<Void> heard = new CompletableFuture<>();
        first.onFenced(() -> heard.complete(null));

        second.archive().recover(first.id(), done -> {});

        assertThat(first.isFenced()).isTrue();
        assertThatThrownBy(() -> put(moving, "m1", null).get(120, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(GatewayException.class);
        heard.get(120, TimeUnit.SECONDS);
        assertThatThrownBy(() -> first.release(List.of(moving)).get(120, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class);
        assertThat(readAll(open(
                        second,
                        MOVING,
                        2,
                        history(second, MOVING, new JournalSpan(first.id(), OwnerEpoch.NONE, 0, 0)))))
                .containsExactly("0:m0");
    }
}
