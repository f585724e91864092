package io.talosgateway.rest.journal.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalFencedException;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.lane.Append;
import io.talosgateway.rest.journal.lane.LaneWriter;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.scheduler.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class InMemoryJournalTest extends JournalContract {

    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();

    @Override
    JournalStorage newStorage() {
        return storage;
    }

    @Override
    void loseUnsynced(JournalStorage faulty) {
        storage.crash();
    }

    private JournalFixture fixture() throws Exception {
        return new JournalFixture(
                storage,
                JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), new DataSize(1)),
                Duration.ofDays(1));
    }

    /** Nor does it make the gateway refuse to start: nobody was promised that memory survives. */
    @Test
    void pageThatAPowerCutTookFromPutsToMemoryIsATornWrite() throws Exception {
        try (JournalFixture fixture = fixture().open(0)) {
            String path = new JournalFileId(fixture.journal.id(), "days-0", 0).path();
            fixture.put(0, "disk");
            long lost;
            try (JournalStorage.ReadFile file = storage.open(path)) {
                lost = file.length();
            }
            fixture.putToMemory(0, "its page is lost");
            fixture.putToMemory(0, "its page is there");
            storage.damage(path, lost, new byte[50]);

            fixture.crash();

            assertThat(fixture.readAll(0)).containsExactly("0:disk");
        }
    }

    @Test
    void readEndsBeforeMessagesThatWereGivenUpInTheMiddleOfAFile() throws Exception {
        try (JournalFixture fixture = new JournalFixture(
                        storage,
                        JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), new DataSize(1), 1, true),
                        Duration.ofDays(1))
                .open(0)) {
            String path = new JournalFileId(fixture.journal.id(), "days-0", 0).path();
            fixture.put(0, "m0");
            long lost;
            try (JournalStorage.ReadFile file = storage.open(path)) {
                lost = file.length();
            }
            fixture.put(0, "m1");
            fixture.put(0, "m2");
            fixture.put(0, "m3");
            storage.damage(path, lost, new byte[50]);
            fixture.crash();

            PartitionLog log = fixture.log(0);
            assertThat(log.read(0, 100, 1 << 20).messageCount()).isEqualTo(1);
            assertThatThrownBy(() -> log.read(1, 100, 1 << 20))
                    .isInstanceOfSatisfying(
                            GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_CORRUPT))
                    .hasMessageContaining("from offset 1 to 1 of")
                    .hasMessageContaining("the next that is stored has offset 2");
            assertThat(fixture.readAll(0, 2)).containsExactly("2:m2", "3:m3");
        }
    }

    private static Append append(PartitionLog log, String payload) {
        return append(log, Durability.DISK, payload);
    }

    private static Append append(PartitionLog log, Durability durability, String payload) {
        return new Append(log.inLane(), JournalFixture.batch(payload), null, durability, Deadline.NONE, 0);
    }

    /**
     * Stores a message of partition 0, and leaves another in the file that counts for nothing.
     *
     * @return the writer of the lane of partitions 0 and 2, whose committer is given nothing, and waits
     */
    private static LaneWriter afterAGroupThatFailed(JournalFixture fixture) throws IOException {
        LaneWriter writer = fixture.log(0).lane().writer();
        assertThat(fixture.log(2).lane()).isSameAs(fixture.log(0).lane());
        writer.commit(List.of(append(fixture.log(0), "stored")));
        fixture.storage.undosToFail.set(Integer.MAX_VALUE);
        fixture.storage.syncRepliesToLose.set(1);
        assertThatThrownBy(() -> writer.commit(List.of(append(fixture.log(0), "failed"))))
                .isInstanceOf(IOException.class);
        return writer;
    }

    /** Only its start says that what the file before it holds of a failed write is void. */
    @Test
    void expiredFileStaysWhileTheFailedOneBeforeItIsNotEnded() throws Exception {
        try (JournalFixture fixture = fixture().open(0, 1, 2)) {
            LaneWriter writer = afterAGroupThatFailed(fixture);
            writer.commit(List.of(append(fixture.log(2), "expires")));
            writer.roll();
            Await.asLongAs(() -> fixture.metric("files_total", "event", "sealed") == 0);
            fixture.nowMs += Duration.ofHours(2).toMillis();

            assertThat(fixture.expire(Duration.ofHours(1))).isZero();
            assertThat(fixture.log(2).logStartOffset()).isEqualTo(1);
            fixture.storage.heal();
            fixture.crash();

            assertThat(fixture.readAll(0)).containsExactly("0:stored");
        }
    }

    /** If each file began with a forced group, the slowest puts would be those that wait for it. */
    @Test
    void firstPutOfAFileIsForcedToDiskOnlyIfItAsksForThat() throws Exception {
        try (JournalFixture fixture = fixture().open(0)) {
            assertThat(fixture.putToMemory(0, "memory").durability()).isEqualTo(Durability.MEMORY);
            fixture.log(0).lane().writer().roll();
            assertThat(fixture.put(0, "disk").durability()).isEqualTo(Durability.DISK);
        }
    }

    @Test
    void startThatVoidsAFailedGroupSurvivesAPowerCut() throws Exception {
        try (JournalFixture fixture = fixture().open(0, 1, 2)) {
            LaneWriter writer = afterAGroupThatFailed(fixture);

            assertThat(writer.commit(List.of(append(fixture.log(2), Durability.MEMORY, "memory"))))
                    .isEqualTo(Durability.DISK);
            assertThat(writer.commit(List.of(append(fixture.log(2), Durability.MEMORY, "lost"))))
                    .isEqualTo(Durability.MEMORY);
            storage.cutPower();
            fixture.storage.heal();
            fixture.crash();

            assertThat(fixture.readAll(0)).containsExactly("0:stored");
            assertThat(fixture.readAll(2)).containsExactly("0:memory");
        }
    }

    /** The next file, which a power cut takes with its start, is not needed to know where partitions end: their records say it. */
    @Test
    void offsetsOfExpiredMessagesAreNotGivenAgainThoughTheNextFileIsLost() throws Exception {
        try (JournalFixture fixture = fixture().open(0, 1, 2)) {
            assertThat(fixture.log(2).lane()).isSameAs(fixture.log(0).lane());
            fixture.put(0, "expires");
            fixture.put(2, "expires");
            fixture.log(0).lane().writer().roll();
            fixture.awaitSealed();
            fixture.putToMemory(0, "lost");
            fixture.nowMs += Duration.ofHours(2).toMillis();
            assertThat(fixture.expire(Duration.ofHours(1))).isEqualTo(1);
            storage.cutPower();

            fixture.crash();

            assertThat(fixture.readAll(0)).isEmpty();
            assertThat(fixture.put(0, "next").firstOffset()).isEqualTo(1);
            assertThat(fixture.put(2, "next").firstOffset()).isEqualTo(1);
        }
    }

    @Test
    void readOfALivingHostEndsBeforeWhatAPowerCutTookFromMemory() throws Exception {
        try (JournalFixture fixture = fixture().open(0)) {
            fixture.put(0, "disk");
            fixture.putToMemory(0, "memory");
            storage.cutPower();

            assertThat(fixture.log(0).read(0, 100, 1 << 20).messageCount()).isEqualTo(1);
        }
    }

    /** What it remembers would be told to the next owner by the footers of its files, and by its record. */
    @Test
    void journalEndsThatHasLostMessagesInAPowerCut() throws Exception {
        try (JournalFixture fixture = fixture().open(0)) {
            fixture.put(0, "disk");
            fixture.putToMemory(0, "memory");
            storage.cutPower();

            assertThatThrownBy(() ->
                            fixture.journal.release(List.of(fixture.log(0))).join())
                    .hasCauseInstanceOf(JournalFencedException.class);

            assertThat(fixture.journal.isFenced()).isTrue();
            fixture.crash();
            assertThat(fixture.readAll(0)).containsExactly("0:disk");
            assertThat(fixture.put(0, "next").firstOffset()).isEqualTo(1);
        }
    }

    /** Its clients would wait for ever. */
    @Test
    void putsOfALaneThatDiesOfABugAreAnswered() throws Exception {
        try (JournalFixture fixture = fixture().open(0)) {
            fixture.put(0, "m0");
            fixture.storage.bug = new IllegalStateException("a bug");

            assertFails(fixture.putAsync(0, "m1"), ErrorCode.OUTCOME_UNKNOWN);

            // At the door, or in the queue of the lane while it ends.
            assertThatThrownBy(() -> fixture.put(0, "m2")).hasStackTraceContaining("has to restart it");
        }
    }

    /** Nobody had a whole replica to read for a while. */
    @Test
    void damagedBytesThatWereReadAreNotKept() throws Exception {
        try (JournalFixture fixture = fixture().open(0)) {
            String path = new JournalFileId(fixture.journal.id(), "days-0", 0).path();
            fixture.put(0, "m0");
            fixture.restart();
            long position = position(path, "m0");
            storage.damage(path, position, new byte[] {'x'});
            for (int read = 0; read < 2; read++) {
                assertThatThrownBy(() -> fixture.readAll(0))
                        .isInstanceOfSatisfying(
                                GatewayException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_CORRUPT));
            }

            storage.damage(path, position, new byte[] {'m'});

            assertThat(fixture.readAll(0)).containsExactly("0:m0");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fileWhoseKeysAreDamagedIsNamedAndCanBeAccepted(boolean accepted) throws Exception {
        JournalConfig config =
                JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), new DataSize(1), 1, accepted);
        IdempotencyKey key = new IdempotencyKey("key", true);
        try (JournalFixture fixture = new JournalFixture(storage, config, Duration.ofDays(1)).open(0)) {
            String path = new JournalFileId(fixture.journal.id(), "days-0", 0).path();
            fixture.put(0, key, "m0");
            fixture.restart();
            assertThat(fixture.lastHistories.get(0).keyedPuts()).hasSize(1);
            byte[] recorded =
                    ByteBuffer.allocate(8).putLong(key.fingerprint().first()).array();
            storage.damage(path, position(path, new String(recorded, StandardCharsets.ISO_8859_1)), new byte[8]);

            if (accepted) {
                fixture.restart();
                assertThat(fixture.lastHistories.get(0).keyedPuts()).isEmpty();
                assertThat(fixture.readAll(0)).containsExactly("0:m0");
            } else {
                assertThatThrownBy(fixture::restart)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(path);
            }
        }
    }

    /** Of the last place in a file that has the text. */
    private long position(String path, String text) throws IOException {
        try (JournalStorage.ReadFile file = storage.open(path)) {
            byte[] bytes = new byte[(int) file.length()];
            file.read(0, bytes, 0, bytes.length);
            int position = new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf(text);
            assertThat(position).isPositive();
            return position;
        }
    }
}
