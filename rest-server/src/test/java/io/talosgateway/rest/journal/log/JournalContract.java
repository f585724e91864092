package io.talosgateway.rest.journal.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.StorageFullException;
import io.talosgateway.rest.journal.file.FooterReaderTest;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.lane.Append;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.journal.lane.LaneWriter;
import io.talosgateway.rest.journal.lane.ReplicaRolls;
import io.talosgateway.rest.journal.recovery.FileRetention;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** What a journal promises, whatever its storage. */
abstract class JournalContract {

    private static final DataSize BIG = DataSize.ofMiB(64);
    private static final DataSize NO_CACHE = new DataSize(1);

    private final List<JournalFixture> fixtures = new ArrayList<>();

    /** An empty storage. */
    abstract JournalStorage newStorage() throws IOException;

    /** The process has ended without closing anything: what it did not sync may be lost, if the storage is so. */
    void loseUnsynced(JournalStorage storage) {}

    private JournalFixture fixture(DataSize fileSize, DataSize tailCacheSize) throws IOException {
        return fixture(fileSize, tailCacheSize, Duration.ofDays(1));
    }

    private JournalFixture fixture(DataSize fileSize, DataSize tailCacheSize, Duration retention) throws IOException {
        JournalFixture fixture = new JournalFixture(
                newStorage(), JournalFixture.config(JournalLayout.SHARED_LANES, fileSize, tailCacheSize), retention);
        fixtures.add(fixture);
        return fixture;
    }

    @AfterEach
    void close() throws Exception {
        for (JournalFixture fixture : fixtures) {
            fixture.close();
        }
    }

    private static String[] expected(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> i + ":m" + i).toArray(String[]::new);
    }

    private static void putMany(JournalFixture fixture, int partition, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            fixture.put(partition, "m" + i);
        }
    }

    @Test
    void offsetsAreDenseAndStartAtZero() throws Exception {
        JournalFixture fixture = fixture(BIG, BIG).open(0, 1);
        assertThat(fixture.log(0).durableOffset()).isZero();
        assertThat(fixture.put(0, "m0").firstOffset()).isZero();
        assertThat(fixture.put(0, "m1", "m2").firstOffset()).isEqualTo(1);
        assertThat(fixture.put(1, "other").firstOffset()).isZero();
        AppendResult last = fixture.put(0, "m3");
        assertThat(last).isEqualTo(new AppendResult(3, 1, fixture.nowMs, Durability.DISK));
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 4));
        assertThat(fixture.log(0).logStartOffset()).isZero();
        assertThat(fixture.log(0).durableOffset()).isEqualTo(4);
    }

    @Test
    void messagesInMemoryAreSettledOnceTheyAreOnDisk() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0, 1, 2);
        fixture.put(0, "m0");
        fixture.putToMemory(0, "m1");
        assertThat(fixture.log(0).isSettled(1)).isTrue();
        assertThat(fixture.log(0).isSettled(2)).isFalse();

        fixture.put(0, "m2");
        assertThat(fixture.log(0).isSettled(3)).as("forced with what follows").isTrue();

        fixture.putToMemory(0, "m3");
        assertThat(fixture.log(0).isSettled(4)).isFalse();
        // Of the same lane, so that the file rolls.
        fixture.put(2, "x".repeat(100_000));
        fixture.put(2, "the next file");
        fixture.awaitSealed();
        assertThat(fixture.log(0).isSettled(4))
                .as("forced with the end of its file")
                .isTrue();

        fixture.putToMemory(0, "m4");
        assertThat(fixture.log(0).isSettled(5)).isFalse();
        fixture.restart();
        assertThat(fixture.log(0).isSettled(5)).as("found by the next owner").isTrue();
        assertThat(fixture.log(0).isSettled(6)).isFalse();
    }

    @Test
    void tailIsReadWithoutStorage() throws Exception {
        JournalFixture fixture = fixture(BIG, BIG).open(0);
        putMany(fixture, 0, 0, 20);
        assertThat(fixture.readAll(0, 7)).containsExactly(expected(7, 20));
        assertThat(fixture.metric("storage_read_bytes_total")).isZero();
        assertThat(fixture.metric("reads_total", "source", "storage")).isZero();
        assertThat(fixture.metric("reads_total", "source", "tail")).isPositive();
    }

    @Test
    void whatTheTailCacheDoesNotHoldIsReadFromTheFileThatIsWritten() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        for (int i = 0; i < 20; i++) {
            fixture.put(0, "m" + i);
            assertThat(fixture.readAll(0, i)).containsExactly(expected(i, i + 1));
        }
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 20));
    }

    @Test
    void firstBlockHoldsTheOffsetAskedFor() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        MessageBatch twoBlocks = new MessageBatch(List.of(
                new MessageBlock(3, 1, ByteSlice.utf8("three"), 5, ByteSlice.EMPTY),
                new MessageBlock(2, 2, ByteSlice.utf8("two"), MessageBlock.NO_TIMESTAMP, ByteSlice.utf8("extra"))));
        fixture.log(0)
                .append(twoBlocks, null, Durability.DISK, Deadline.NONE)
                .outcome()
                .get(120, TimeUnit.SECONDS);
        List<StoredBlock> stored = List.of(
                new StoredBlock(0, fixture.nowMs, twoBlocks.blocks().get(0)),
                new StoredBlock(3, fixture.nowMs, twoBlocks.blocks().get(1)));
        assertThat(fixture.log(0).read(2, 100, 1 << 20).blocks()).isEqualTo(stored);
        assertThat(fixture.log(0).read(4, 100, 1 << 20).blocks()).containsExactly(stored.get(1));
        assertThat(fixture.log(0).read(0, 1, 1 << 20).blocks()).containsExactly(stored.get(0));
        assertThat(fixture.log(0).read(0, 100, 1).blocks()).containsExactly(stored.get(0));
    }

    @Test
    void readThatHasNoRoomForTheFirstBlockOfTheNextFileEndsBeforeIt() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        fixture.put(0, "12");
        fixture.put(0, "34");
        fixture.restart();
        fixture.put(0, "56");

        assertThat(fixture.log(0).read(0, 100, 5).endOffset()).isEqualTo(2);
        assertThat(fixture.log(0).read(0, 100, 6).endOffset()).isEqualTo(3);
    }

    @Test
    void messagesSurviveARestart() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0, 1);
        putMany(fixture, 0, 0, 30);
        fixture.restart();
        putMany(fixture, 0, 30, 60);
        fixture.restart();
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 60));
        assertThat(fixture.log(1).durableOffset()).isZero();
        assertThat(fixture.put(0, "m60").firstOffset()).isEqualTo(60);
    }

    @Test
    void acknowledgedMessagesSurviveACrash() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0, 1);
        putMany(fixture, 0, 0, 10);
        putMany(fixture, 1, 0, 3);
        loseUnsynced(fixture.storage);
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 10));
        assertThat(fixture.readAll(1)).containsExactly(expected(0, 3));
        putMany(fixture, 0, 10, 20);
        loseUnsynced(fixture.storage);
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 20));
    }

    @Test
    void fencedIncarnationCannotAcknowledgeAnything() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        putMany(fixture, 0, 0, 5);
        PartitionLog zombieLog = fixture.log(0);
        loseUnsynced(fixture.storage);
        Journal zombie = fixture.crash();
        if (openFilesCanBeFenced()) {
            Append late = zombieLog.append(JournalFixture.batch("late"), null, Durability.DISK, Deadline.NONE);
            assertFails(late.outcome(), ErrorCode.OUTCOME_UNKNOWN);
            assertThatThrownBy(
                            () -> zombieLog.append(JournalFixture.batch("later"), null, Durability.DISK, Deadline.NONE))
                    .isInstanceOfSatisfying(
                            GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_MOVING));
        }
        assertThat(fixture.put(0, "m5").firstOffset()).isEqualTo(5);
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 6));
        zombie.close();
    }

    @Test
    void journalThatIsGoneAltogetherStaysFenced() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        PartitionLog zombieLog = fixture.log(0);
        Journal zombie = fixture.crash();
        fixture.expire(Duration.ofHours(1));
        assertThat(fixture.storage.exists(zombie.id().directory())).isFalse();

        Append late = zombieLog.append(JournalFixture.batch("late"), null, Durability.DISK, Deadline.NONE);

        assertThatThrownBy(() -> late.outcome().get(120, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(fixture.put(0, "m0").firstOffset()).isZero();
        zombie.close();
    }

    /** A local file has no fence: the lock on the root keeps other processes away. */
    boolean openFilesCanBeFenced() {
        return true;
    }

    @Test
    void fullFileIsSealedAndTheNextOneGoesOn() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0, 1);
        String large = "x".repeat(20_000);
        for (int i = 0; i < 20; i++) {
            fixture.put(i % 2, large + i);
        }
        assertThat(fixture.metric("files_total", "event", "created")).isGreaterThanOrEqualTo(4);
        assertThat(fixture.readAll(0)).hasSize(10).allMatch(m -> m.length() > 20_000);
        assertThat(fixture.readAll(0).get(9)).endsWith("x18");
        fixture.restart();
        assertThat(fixture.readAll(0)).hasSize(10);
        assertThat(fixture.readAll(1)).hasSize(10);
        assertThat(fixture.readAll(1, 9).get(0)).isEqualTo("9:" + large + "19");
    }

    @Test
    void laneGoesOnToAFileThatIsReady() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0);
        String large = "x".repeat(20_000);
        fixture.put(0, large + 0);
        assertThat(fixture.storage.exists(fileOfDays(fixture, 1))).isFalse();
        fixture.put(0, large + 1);
        fixture.awaitBackground();
        assertThat(fixture.storage.exists(fileOfDays(fixture, 1))).isTrue();

        // From here on no file can be made.
        fixture.storage.createsToFail.set(Integer.MAX_VALUE);
        for (int i = 2; i < 6; i++) {
            fixture.put(0, large + i);
        }
        assertThat(fixture.metric("files_total", "event", "created")).isEqualTo(2);
        fixture.storage.heal();

        fixture.crash();
        assertThat(fixture.readAll(0)).hasSize(6).last().asString().endsWith("x5");
        assertThat(fixture.put(0, "after").firstOffset()).isEqualTo(6);
    }

    /** Forced beside the rest of the full file, the start of the next one would take as long as that. */
    @Test
    void fullFileIsSealedWhenTheStartOfTheNextIsOnDisk() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0);
        String large = "x".repeat(20_000);
        for (int i = 0; i < 4; i++) {
            fixture.put(0, large + i);
        }
        fixture.awaitBackground();
        CountDownLatch hold = new CountDownLatch(1);
        fixture.storage.holdSyncs = hold;
        Append first =
                fixture.log(0).append(JournalFixture.batch("of the next"), null, Durability.MEMORY, Deadline.NONE);
        Await.until(() -> fixture.storage.syncsHeld.get() == 1);
        assertThat(fixture.isSealing()).isFalse();

        fixture.storage.holdSyncs = null;
        hold.countDown();
        first.outcome().get(120, TimeUnit.SECONDS);
        fixture.awaitSealed();
        assertThat(fixture.metric("files_total", "event", "sealed")).isEqualTo(1);
        assertThat(fixture.readAll(0)).hasSize(5).last().isEqualTo("4:of the next");
    }

    @Test
    void fullFileIsSealedAtTheEndIfNoOtherFollows() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0);
        String large = "x".repeat(20_000);
        fixture.put(0, large + 0);
        fixture.storage.createsToFail.set(Integer.MAX_VALUE);
        for (int i = 1; i < 4; i++) {
            fixture.put(0, large + i);
        }
        assertThatThrownBy(() -> fixture.put(0, "without a file")).hasCauseInstanceOf(GatewayException.class);

        fixture.journal.close();
        assertThat(fixture.metric("files_total", "event", "sealed")).isEqualTo(1);
        fixture.storage.heal();
        fixture.restart();
        assertThat(fixture.readAll(0)).hasSize(4);
    }

    @Test
    void laneMakesItsFileItselfIfNoneIsReady() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0);
        String large = "x".repeat(20_000);
        fixture.put(0, large + 0);
        fixture.storage.createsToFail.set(1);
        fixture.put(0, large + 1);
        fixture.awaitBackground();
        assertThat(fixture.storage.createsToFail).hasValue(0);
        for (int i = 2; i < 6; i++) {
            fixture.put(0, large + i);
        }
        fixture.restart();
        assertThat(fixture.readAll(0)).hasSize(6).last().asString().endsWith("x5");
    }

    /** As the last bytes of a file that is not sealed, it could be the file's own. */
    @Test
    void messageThatLooksLikeAFooterIsAMessage() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        putMany(fixture, 0, 0, 2);
        JournalFileId file = new JournalFileId(fixture.journal.id(), "days-0", 0);
        MessageBatch forged;
        try (JournalStorage.ReadFile written = fixture.storage.open(file.path())) {
            forged = FooterReaderTest.forged(file, written.length());
        }
        fixture.log(0)
                .append(forged, null, Durability.DISK, Deadline.NONE)
                .outcome()
                .get(120, TimeUnit.SECONDS);

        fixture.crash();

        assertThat(fixture.log(0).durableOffset()).isEqualTo(3);
        assertThat(fixture.readAll(0)).hasSize(3).startsWith(expected(0, 2));
    }

    @Test
    void manifestThatIsNotWholeDeletesNothing() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        putMany(fixture, 0, 0, 3);
        JournalId ended = fixture.journal.id();
        fixture.restart();
        fixture.storage.delete(ended.manifestPath());
        fixture.storage.createWhole(ended.manifestPath(), ByteSlice.EMPTY);

        assertThatThrownBy(fixture::restart)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(ended.manifestPath())
                .hasMessageContaining("is damaged or incomplete (0 bytes)");

        assertThat(fixture.storage.exists(new JournalFileId(ended, "days-0", 0).path()))
                .isTrue();
    }

    private static String fileOfDays(JournalFixture fixture, int sequence) {
        return new JournalFileId(fixture.journal.id(), "days-0", sequence).path();
    }

    @Test
    void messageLargerThanPageAndFileIsKept() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0);
        String huge = "y".repeat(700_000);
        fixture.put(0, "small");
        fixture.put(0, huge);
        fixture.put(0, "after");
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly("0:small", "1:" + huge, "2:after");
    }

    @Test
    void manyPartitionsAreReadWithAboutOneReadOfEachFile() throws Exception {
        JournalFixture fixture =
                fixture(BIG, NO_CACHE).open(IntStream.range(0, 40).toArray());
        String payload = "z".repeat(5_000);
        List<CompletableFuture<AppendResult>> puts = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            for (int partition = 0; partition < 40; partition++) {
                puts.add(fixture.putAsync(partition, payload));
            }
            CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).get(120, TimeUnit.SECONDS);
        }
        fixture.restart();
        for (int partition = 0; partition < 40; partition++) {
            assertThat(fixture.readAll(partition)).hasSize(20);
        }
        double stored = 40.0 * 20 * 5_000;
        assertThat(fixture.metric("storage_read_bytes_total")).isBetween(stored, stored * 1.2);
    }

    @Test
    void messagesAreFoundByTime() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0);
        long start = fixture.nowMs;
        for (int i = 0; i < 10; i++) {
            fixture.nowMs = start + i * 1000L;
            fixture.put(0, "m" + i);
        }
        fixture.restart();
        PartitionLog log = fixture.log(0);
        assertThat(LongStream.of(start - 5, start, start + 1, start + 4000, start + 4999, start + 9001)
                        .map(log::firstOffsetAtOrAfter))
                .containsExactly(0L, 0L, 1L, 4L, 5L, 10L);
    }

    /** A power cut leaves such a gap: a file that held only messages of level {@code memory} is gone, and a later one is not. */
    @Test
    void readsEndBeforeLostMessagesAndGoOnBehindThem() throws Exception {
        JournalFixture fixture =
                fixture(DataSize.ofKiB(64), NO_CACHE, Duration.ofHours(1)).open(0);
        long start = fixture.nowMs;
        List<JournalId> journals = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            fixture.nowMs = start + i * 1000L;
            fixture.put(0, "m" + 2 * i);
            fixture.put(0, "m" + (2 * i + 1));
            journals.add(fixture.journal.id());
            fixture.restart();
        }
        String directory = journals.get(1).directory();
        for (JournalStorage.StoredFile file : fixture.storage.list(directory)) {
            if (file.name().endsWith(".journal")) {
                fixture.storage.delete(directory + "/" + file.name());
            }
        }
        fixture.restart();
        PartitionLog log = fixture.log(0);

        assertThat(log.read(0, 100, 1 << 20).endOffset()).isEqualTo(2);
        assertThat(log.read(1, 100, 1 << 20).blocks()).hasSize(1);
        for (long lost : List.of(2L, 3L)) {
            assertThatThrownBy(() -> log.read(lost, 100, 1 << 20))
                    .isInstanceOfSatisfying(
                            GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_CORRUPT))
                    .hasMessage(("The messages from offset %d to 3 of %s were lost: they are in no journal file; "
                                    + "the next that is stored has offset 4.")
                            .formatted(lost, log.partition()));
        }
        assertThat(fixture.readAll(0, 4)).containsExactly("4:m4", "5:m5");
        assertThat(log.firstOffsetAtOrAfter(start + 1)).isEqualTo(4);

        fixture.nowMs = start + Duration.ofHours(1).toMillis() + 1500;
        fixture.expire(Duration.ofHours(1));
        assertThat(log.logStartOffset()).isEqualTo(4);
        assertThat(fixture.storage.list(journals.get(0).directory())).isEmpty();
        assertThat(fixture.storage.list(directory)).isEmpty();
        assertThat(fixture.readAll(0, 4)).containsExactly("4:m4", "5:m5");
    }

    @Test
    void timesNeverFallWhenTheClockIsSetBack() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        long start = fixture.nowMs;
        fixture.put(0, "m0");
        fixture.nowMs = start - 60_000;
        assertThat(fixture.put(0, "m1").appendTimestampMs()).isEqualTo(start);
        fixture.restart();
        assertThat(fixture.put(0, "m2").appendTimestampMs()).isEqualTo(start);
    }

    @Test
    void keyedPutsAreKnownAfterRestartAndCrash() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0, 1);
        IdempotencyKey first = new IdempotencyKey("key-1", true);
        IdempotencyKey second = new IdempotencyKey("key-2", true);
        fixture.put(0, first, "a");
        fixture.put(1, "not keyed");
        fixture.restart();
        fixture.put(0, second, "b");
        fixture.crash();
        assertThat(fixture.lastHistories.get(0).keyedPuts())
                .containsExactly(
                        new KeyedPut(
                                fixture.log(0).partition(),
                                first.fingerprint(),
                                JournalFixture.batch("a").digest(),
                                0,
                                1,
                                fixture.nowMs),
                        new KeyedPut(
                                fixture.log(0).partition(),
                                second.fingerprint(),
                                JournalFixture.batch("b").digest(),
                                1,
                                1,
                                fixture.nowMs));
        assertThat(fixture.lastHistories.get(1).keyedPuts()).isEmpty();
    }

    /** The owner has asked for a start to be recorded, and was not told whether it is: others may have deleted files already. */
    @Test
    void whatMayBeBeingDeletedIsNotCalledLost() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        fixture.put(0, "m0");
        fixture.put(0, "m1");
        JournalId earlier = fixture.journal.id();
        fixture.restart();
        PartitionLog log = fixture.log(0);
        log.startAt(1);
        for (JournalStorage.StoredFile file : fixture.storage.list(earlier.directory())) {
            if (file.name().endsWith(".journal")) {
                fixture.storage.delete(earlier.directory() + "/" + file.name());
            }
        }

        assertThat(codeOf(() -> log.read(0, 10, 1 << 20))).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
        assertThat(codeOf(() -> log.read(1, 10, 1 << 20))).isEqualTo(ErrorCode.STORAGE_CORRUPT);
        log.trimTo(1);
        assertThat(codeOf(() -> log.read(0, 10, 1 << 20))).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
    }

    private static ErrorCode codeOf(ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call).code();
    }

    /** The files of older ones are not read. */
    @Test
    void asManyKeyedPutsAreFoundAsAreRemembered() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        for (int number = 0; number < 11; number++) {
            if (number % 3 == 0) {
                fixture.put(0, new IdempotencyKey("key-" + number, true), "m" + number);
            } else {
                fixture.put(0, "m" + number);
            }
            fixture.restart();
        }
        for (int enough = 1; enough < 6; enough++) {
            fixture.enoughKeyedPuts = enough;
            fixture.restart();
            double opensBefore = fixture.metric("storage_read_seconds_count");
            List<KeyedPut> found = fixture.lastHistories.get(0).keyedPuts();
            List<Long> offsets = found.stream().map(KeyedPut::firstOffset).toList();
            assertThat(offsets).as("enough %d", enough).hasSizeGreaterThanOrEqualTo(Math.min(enough, 4));
            assertThat(offsets).hasSizeLessThanOrEqualTo(enough + 1);
            assertThat(List.of(0L, 3L, 6L, 9L)).endsWith(offsets.toArray(Long[]::new));
            assertThat(opensBefore).isLessThanOrEqualTo(3.0 * enough + 3);
        }
    }

    @Test
    void failedSyncIsWrittenAgainAndStoredOnce() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0, 1);
        putMany(fixture, 0, 0, 3);
        fixture.storage.syncsToFail.set(1);
        putMany(fixture, 0, 3, 6);
        fixture.storage.syncRepliesToLose.set(1);
        putMany(fixture, 0, 6, 9);
        fixture.storage.writesToFail.set(1);
        putMany(fixture, 0, 9, 12);
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 12));
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 12));
        fixture.restart();
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 12));
        assertThat(fixture.put(0, "m12").firstOffset()).isEqualTo(12);
    }

    @Test
    void putThatCouldNotBeStoredIsToldSoAndIsNotThere() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        putMany(fixture, 0, 0, 3);
        fixture.storage.syncRepliesToLose.set(1);
        fixture.storage.createsToFail.set(2);
        assertFails(fixture.putAsync(0, "lost"), ErrorCode.STORAGE_UNAVAILABLE);
        awaitWriting(fixture);
        putMany(fixture, 0, 3, 6);
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 6));
    }

    @Test
    void putThatMayBeStoredIsWrittenWhenTheStorageIsBack() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        putMany(fixture, 0, 0, 3);
        fixture.storage.syncRepliesToLose.set(1);
        fixture.storage.createsToFail.set(2);
        fixture.storage.undosToFail.set(Integer.MAX_VALUE);
        assertThat(fixture.putAsync(0, "m3").get(120, TimeUnit.SECONDS).firstOffset())
                .isEqualTo(3);
        fixture.storage.heal();
        putMany(fixture, 0, 4, 6);
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 6));
    }

    @Test
    void journalThatExistsIsNotBegunAgain() throws Exception {
        JournalFixture fixture = fixture(BIG, BIG).open(0);
        fixture.put(0, "m0");
        assertThatThrownBy(fixture.journal::begin)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds the journal journals/gw-1/0000000001 already");
        Journal takenOver = fixture.crash();
        assertThatThrownBy(takenOver::begin).isInstanceOf(IOException.class);
        assertThat(fixture.storage.exists(takenOver.id().openPath())).isFalse();

        assertThat(Journal.lastIncarnation(fixture.storage, JournalFixture.HOST))
                .isEqualTo(2);
        assertThat(Journal.lastIncarnation(fixture.storage, "another")).isZero();
        takenOver.close();
    }

    @Test
    void laneLeavesAFileWithTooFewCopiesButNotAllTheTime() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        putMany(fixture, 0, 0, 2);
        assertThat(fixture.metric("files_total", "event", "created")).isEqualTo(1);
        assertThat(fixture.metric("lane_missing_replicas", "lane", "days-0")).isZero();

        fixture.storage.replication = new JournalStorage.Replication(1, 3);
        putMany(fixture, 0, 2, 5);
        assertThat(fixture.metric("files_total", "event", "created")).isEqualTo(2);
        assertThat(fixture.metric("lane_missing_replicas", "lane", "days-0")).isEqualTo(2);

        fixture.addedNanos = ReplicaRolls.FIRST_PAUSE_NANOS;
        putMany(fixture, 0, 5, 7);
        assertThat(fixture.metric("files_total", "event", "created")).isEqualTo(3);

        fixture.storage.replication = new JournalStorage.Replication(3, 3);
        putMany(fixture, 0, 7, 9);
        assertThat(fixture.metric("lane_missing_replicas", "lane", "days-0")).isZero();
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 9));
    }

    @Test
    void putThatHasTooFewCopiesIsRefused() throws Exception {
        JournalFixture fixture = new JournalFixture(
                newStorage(), JournalFixture.config(JournalLayout.SHARED_LANES, BIG, NO_CACHE, 2), Duration.ofDays(1));
        fixtures.add(fixture);
        fixture.storage.replication = new JournalStorage.Replication(2, 3);
        fixture.open(0);
        fixture.put(0, "m0");
        fixture.storage.replication = new JournalStorage.Replication(1, 3);

        assertThatThrownBy(() -> fixture.putAsync(0, "lost").get(120, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE))
                .hasMessageContaining("has 1 of 3 copies, and journal.min-replicas is 2")
                .hasMessageContaining("nothing was stored");
        assertThat(fixture.metric("lane_missing_replicas", "lane", "days-0")).isEqualTo(2);

        fixture.storage.replication = new JournalStorage.Replication(2, 3);
        awaitWriting(fixture);
        fixture.put(0, "m1");
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 2));
    }

    @Test
    void longOutageLeavesAFewFilesAndEndsWithIt() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        // Not given to a put, so that its committer waits.
        LaneWriter writer = fixture.log(0).lane().writer();
        fixture.storage.syncsToFail.set(Integer.MAX_VALUE);
        fixture.storage.undosToFail.set(Integer.MAX_VALUE);
        for (int attempt = 0; attempt < LaneWriter.MAX_UNENDED + 4; attempt++) {
            assertThatThrownBy(writer::probe).isInstanceOf(IOException.class);
        }
        assertThat(fixture.storage.list(fixture.journal.id().directory()))
                .filteredOn(file -> file.name().endsWith(".journal"))
                .hasSize(LaneWriter.MAX_UNENDED);

        fixture.storage.heal();
        writer.probe();

        assertThat(fixture.metric("files_total", "event", "created")).isEqualTo(1);
    }

    @Test
    void fullStorageRefusesPutsAndServesGets() throws Exception {
        JournalFixture fixture = fixture(BIG, NO_CACHE).open(0);
        putMany(fixture, 0, 0, 3);
        fixture.storage.failEverything(new StorageFullException("No space left on device", new IOException()));
        assertFails(fixture.putAsync(0, "no room"), ErrorCode.STORAGE_FULL);
        assertThatThrownBy(() -> fixture.putAsync(0, "no room either"))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FULL));
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 3));
        fixture.storage.heal();
        awaitWriting(fixture);
        putMany(fixture, 0, 3, 6);
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 6));
    }

    @Test
    void withdrawnPutLeavesNoGap() throws Exception {
        JournalFixture fixture = fixture(BIG, BIG).open(0);
        fixture.put(0, "m0");
        CountDownLatch hold = new CountDownLatch(1);
        Append writing = heldAtSync(fixture, hold, "m1");
        Append waiting = fixture.log(0).append(JournalFixture.batch("withdrawn"), null, Durability.DISK, Deadline.NONE);
        Append last = fixture.log(0).append(JournalFixture.batch("m2"), null, Durability.DISK, Deadline.NONE);
        assertThat(waiting.withdraw()).isTrue();
        assertThat(writing.withdraw()).isFalse();
        hold.countDown();
        assertThat(last.outcome().get(120, TimeUnit.SECONDS).firstOffset()).isEqualTo(2);
        assertFails(waiting.outcome(), ErrorCode.DEADLINE_EXCEEDED);
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 3));
    }

    @Test
    void arrayOfAPutIsGivenUpWhenItIsStoredAndOnlyThen() throws Exception {
        JournalFixture fixture = fixture(BIG, BIG).open(0);
        fixture.put(0, "m0");
        Queue<String> givenUp = new ConcurrentLinkedQueue<>();
        Consumer<byte[]> taker = array -> givenUp.add(new String(array, StandardCharsets.UTF_8));
        fixture.storage.syncsToFail.set(1);
        CountDownLatch hold = new CountDownLatch(1);
        Append writing = heldAtSync(fixture, hold, JournalFixture.batch(taker, "m", "1"));
        Append withdrawn = append(fixture, JournalFixture.batch(taker, "withdrawn"));
        Append last = append(fixture, JournalFixture.batch(taker, "m2"));
        assertThat(withdrawn.withdraw()).isTrue();
        assertThat(givenUp).isEmpty();
        hold.countDown();

        writing.outcome().get(120, TimeUnit.SECONDS);
        last.outcome().get(120, TimeUnit.SECONDS);
        Await.asLongAs(() -> givenUp.size() < 2);
        assertThat(givenUp).containsExactlyInAnyOrder("m1", "m2");

        fixture.storage.syncRepliesToLose.set(1);
        fixture.storage.createsToFail.set(2);
        assertFails(
                append(fixture, JournalFixture.batch(taker, "not stored")).outcome(), ErrorCode.STORAGE_UNAVAILABLE);
        assertThat(givenUp).hasSize(2);
    }

    @Test
    void putWhoseTimeIsOverWhenItsTurnComesIsNotWritten() throws Exception {
        JournalFixture fixture = fixture(BIG, BIG).open(0);
        PartitionLog log = fixture.log(0);
        fixture.put(0, "m0");
        CountDownLatch hold = new CountDownLatch(1);
        heldAtSync(fixture, hold, "m1");
        Deadline inAnHour = Deadline.at(fixture.nanoTime() + TimeUnit.HOURS.toNanos(1));
        Append late = log.append(JournalFixture.batch("late"), null, Durability.DISK, inAnHour);
        Append last = log.append(JournalFixture.batch("m2"), null, Durability.DISK, Deadline.NONE);
        fixture.addedNanos = TimeUnit.HOURS.toNanos(2);
        hold.countDown();

        assertFails(late.outcome(), ErrorCode.DEADLINE_EXCEEDED);
        assertThat(last.outcome().get(120, TimeUnit.SECONDS).firstOffset()).isEqualTo(2);
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 3));
    }

    @Test
    void putThatIsLateStillFindsOutWhetherALaneThatHasNotWrittenForLongIsFasterNow() throws Exception {
        JournalFixture fixture = fixture(BIG, BIG).open(0);
        CountDownLatch hold = new CountDownLatch(1);
        Append slow = heldAtSync(fixture, hold, "m0");
        fixture.addedNanos = TimeUnit.HOURS.toNanos(1);
        hold.countDown();
        slow.outcome().get(120, TimeUnit.SECONDS);
        fixture.addedNanos = TimeUnit.HOURS.toNanos(2);

        // A group takes an hour, as far as the lane knows.
        Deadline inAMinute = Deadline.at(fixture.nanoTime() + TimeUnit.MINUTES.toNanos(1));
        Append probe = fixture.log(0).append(JournalFixture.batch("m1"), null, Durability.DISK, inAMinute);

        assertThat(probe.outcome().get(120, TimeUnit.SECONDS).firstOffset()).isEqualTo(1);
    }

    @Test
    void putThatWouldComeTooLateIsRefusedAtTheDoor() throws Exception {
        JournalFixture fixture = fixture(BIG, BIG).open(0);
        PartitionLog log = fixture.log(0);
        CountDownLatch hold = new CountDownLatch(1);
        Append slow = heldAtSync(fixture, hold, "m0");
        // Less than the age at which the lane leaves its file.
        fixture.addedNanos = TimeUnit.MINUTES.toNanos(50);
        hold.countDown();
        slow.outcome().get(120, TimeUnit.SECONDS);
        CountDownLatch holdAgain = new CountDownLatch(1);
        heldAtSync(fixture, holdAgain, "m1");
        Append first = log.append(JournalFixture.batch("m2"), null, Durability.DISK, Deadline.NONE);

        // A group takes 50 minutes, and there are two before its own is done.
        Deadline inHalfAnHour = Deadline.at(fixture.nanoTime() + TimeUnit.MINUTES.toNanos(30));
        assertThatThrownBy(() -> log.append(JournalFixture.batch("late"), null, Durability.DISK, inHalfAnHour))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
        holdAgain.countDown();
        first.outcome().get(120, TimeUnit.SECONDS);
        assertThat(fixture.readAll(0)).containsExactly(expected(0, 3));
    }

    @Test
    void expiredFilesAreDeletedAndOffsetsGoOnAfterARestart() throws Exception {
        JournalFixture fixture =
                fixture(DataSize.ofKiB(64), NO_CACHE, Duration.ofHours(1)).open(0, 1);
        String large = "x".repeat(30_000);
        for (int i = 0; i < 6; i++) {
            fixture.put(0, large);
        }
        fixture.nowMs += Duration.ofMinutes(90).toMillis();
        fixture.put(0, "young");
        fixture.restart();
        assertThat(fixture.expire(Duration.ofHours(1))).isPositive();
        assertThat(fixture.log(0).logStartOffset()).isEqualTo(6);
        assertThat(fixture.readAll(0)).containsExactly("6:young");
        assertThatThrownBy(() -> fixture.log(0).read(5, 10, 1000))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE));

        fixture.nowMs += Duration.ofHours(2).toMillis();
        fixture.expire(Duration.ofHours(1));
        assertThat(fixture.log(0).logStartOffset()).isEqualTo(7);
        assertThat(fixture.log(0).durableOffset()).isEqualTo(7);
        fixture.restart();
        assertThat(fixture.put(0, "m7").firstOffset()).isEqualTo(7);
        assertThat(fixture.readAll(0)).containsExactly("7:m7");
    }

    @Test
    void footersMakeUpForIndexFilesThatAreLostOrDamaged() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0, 1);
        List<String> expected = new ArrayList<>();
        for (int number = 0; number < 40; number++) {
            String text = number + "x".repeat(40_000);
            fixture.put(number % 2, text);
            if (number % 2 == 0) {
                expected.add(number / 2 + ":" + text);
            }
        }
        fixture.awaitSealed();
        String directory = fixture.journal.id().directory();
        assertThat(indexFiles(fixture, directory)).hasSizeGreaterThan(2);
        damage(fixture, directory);
        fixture.restart();
        assertThat(fixture.readAll(0)).isEqualTo(expected);
        assertThat(indexFiles(fixture, directory)).as("written by the recovery").isNotEmpty();

        damage(fixture, directory);
        fixture.restart();
        assertThat(fixture.readAll(0)).isEqualTo(expected);
        assertThat(fixture.put(0, "next").firstOffset()).isEqualTo(20);
    }

    private static List<String> indexFiles(JournalFixture fixture, String directory) throws IOException {
        return fixture.storage.list(directory).stream()
                .map(JournalStorage.StoredFile::name)
                .filter(name -> name.endsWith(".index"))
                .toList();
    }

    /** Half of them are lost, the others cut. */
    private static void damage(JournalFixture fixture, String directory) throws IOException {
        boolean isLost = true;
        for (String name : indexFiles(fixture, directory)) {
            String path = directory + "/" + name;
            byte[] content = new byte[50];
            try (JournalStorage.ReadFile file = fixture.storage.open(path)) {
                file.read(0, content, 0, content.length);
            }
            fixture.storage.delete(path);
            if (!isLost) {
                fixture.storage.createWhole(path, new ByteSlice(content));
            }
            isLost = !isLost;
        }
    }

    /** A client says how many messages its blocks have. */
    @ParameterizedTest
    @ValueSource(longs = {1, 64 << 20})
    void fileTakesMoreMessagesOfAPartitionThanAnIntCounts(long tailCacheBytes) throws Exception {
        JournalFixture fixture = fixture(BIG, new DataSize(tailCacheBytes)).open(0);
        int messages = 1_200_000_000;
        for (int put = 0; put < 3; put++) {
            MessageBlock block = new MessageBlock(messages, 0, ByteSlice.utf8("m" + put), 1, ByteSlice.EMPTY);
            AppendResult stored = fixture.log(0)
                    .append(new MessageBatch(List.of(block)), null, Durability.DISK, Deadline.NONE)
                    .outcome()
                    .get(120, TimeUnit.SECONDS);
            assertThat(stored.firstOffset()).isEqualTo((long) put * messages);
        }
        String[] expected = {"0:m0", "1200000000:m1", "2400000000:m2"};
        assertThat(fixture.readAll(0)).containsExactly(expected);
        assertThat(fixture.readAll(0, 2_400_000_001L)).containsExactly(expected[2]);
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly(expected);
        fixture.restart();
        assertThat(fixture.readAll(0)).containsExactly(expected);
        assertThat(fixture.put(0, "next").firstOffset()).isEqualTo(3L * messages);
    }

    @Test
    void filesOfADeletedTopicAreDeleted() throws Exception {
        JournalFixture fixture = fixture(DataSize.ofKiB(64), NO_CACHE).open(0);
        fixture.put(0, "x".repeat(100_000));
        fixture.awaitBackground();
        fixture.put(0, "another file");
        fixture.restart();
        assertThat(fixture.deleteExpired(topic -> null, new FileRetention(topic -> true, asked -> Map.of())))
                .isEqualTo(2);
        assertThat(fixture.storage.list("journals/" + JournalFixture.HOST)).hasSize(1);
        assertThat(fixture.storage.list(fixture.journal.id().directory()))
                .extracting(JournalStorage.StoredFile::name)
                .containsExactly("OPEN");
    }

    @Test
    void nearlyFullStorageRefusesPutsBeforeItIsFull() throws Exception {
        JournalFixture fixture = fixture(BIG, BIG).open(0);
        fixture.put(0, "m0");
        fixture.storage.usable = java.util.OptionalLong.of(-1);
        fixture.journal.checkSpace();
        assertThatThrownBy(() -> fixture.put(0, "no room"))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FULL));
        fixture.storage.usable = java.util.OptionalLong.of(1 << 20);
        fixture.journal.checkSpace();
        assertThat(fixture.put(0, "m1").firstOffset()).isEqualTo(1);
    }

    /** A put to partition 0 that is being written and does not get on before {@code hold} is counted down. */
    private static Append heldAtSync(JournalFixture fixture, CountDownLatch hold, String payload) {
        return heldAtSync(fixture, hold, JournalFixture.batch(payload));
    }

    private static Append heldAtSync(JournalFixture fixture, CountDownLatch hold, MessageBatch batch) {
        int heldBefore = fixture.storage.syncsHeld.get();
        fixture.storage.holdSyncs = hold;
        Append append = append(fixture, batch);
        Await.asLongAs(() -> fixture.storage.syncsHeld.get() == heldBefore);
        return append;
    }

    private static Append append(JournalFixture fixture, MessageBatch batch) {
        return fixture.log(0).append(batch, null, Durability.DISK, Deadline.NONE);
    }

    static void assertFails(CompletableFuture<AppendResult> put, ErrorCode code) {
        assertThatThrownBy(() -> put.get(120, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static void awaitWriting(JournalFixture fixture) {
        Await.asLongAs(() -> fixture.metric("lane_broken", "lane", "days-0") > 0);
    }
}
