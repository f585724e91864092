package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.FaultyStorage;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.journal.recovery.JournalCatalog;
import io.talosgateway.rest.journal.recovery.JournalRecovery;
import io.talosgateway.rest.peer.LogLines;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A host dies while it seals a file, another takes the file over and serves it, and then the power is cut. */
final class FileSealerTest {

    private static final JournalId JOURNAL = new JournalId("gw-1", 7);
    private static final JournalFileId ID = new JournalFileId(JOURNAL, "days-0", 0);

    private final InMemoryJournalStorage memory = new InMemoryJournalStorage();
    private final FaultyStorage dying = new FaultyStorage(memory);
    private final JournalThreads threads = new OwnJournalThreads();

    @AfterEach
    void end() {
        threads.close();
    }

    @Test
    void whatWasFoundIsOnDiskIfTheHostDiedBeforeItForcedTheFooter() throws Exception {
        assertSurvives(1);
    }

    @Test
    void whatWasFoundIsOnDiskIfTheHostDiedBeforeItForcedTheTrailer() throws Exception {
        assertSurvives(2);
    }

    /** @param sync the one at which the host dies, of those that seal a file whose messages were only synced to memory */
    private void assertSurvives(int sync) throws Exception {
        OpenJournalFile open = OpenJournalFile.create(dying, new StartRecord(ID, 1, Map.of()), 1, 0);
        open.writeStart();
        open.write(ByteSlice.utf8("stands for frames".repeat(10)));
        open.sync(Durability.MEMORY, 1);
        long dataEnd = open.position();
        Thread host = new Thread(() -> sealer(dying).seal(open));
        for (int held = 1; held <= sync; held++) {
            CountDownLatch before = dying.holdSyncs;
            dying.holdSyncs = new CountDownLatch(1);
            if (before == null) {
                host.start();
            } else {
                before.countDown();
            }
            int wanted = held;
            Await.asLongAs(() -> host.isAlive() && dying.syncsHeld.get() < wanted);
            assertThat(host.isAlive()).as("it syncs %d times", sync).isTrue();
        }

        assertThat(recover().indexed()).hasSize(1);
        memory.cutPower();

        try (ReadFile file = memory.open(ID.path())) {
            assertThat(file.length()).isGreaterThanOrEqualTo(dataEnd);
        }
        // By the footers, as the first who came did.
        for (JournalStorage.StoredFile file : memory.list(JOURNAL.directory())) {
            if (file.name().equals("MANIFEST") || file.name().endsWith(".index")) {
                memory.delete(JOURNAL.directory() + "/" + file.name());
            }
        }
        assertThat(recover().indexed()).hasSize(1);
        dying.holdSyncs.countDown();
        host.join();
    }

    @Test
    void fileThatFailsIsSettlingUntilItIsEnded() throws Exception {
        FileSealer sealer = sealer(dying);
        for (int sequence = 0; sequence < 2; sequence++) {
            JournalFileId id = new JournalFileId(JOURNAL, "days-0", sequence);
            OpenJournalFile open = OpenJournalFile.create(dying, new StartRecord(id, 1, Map.of()), 1, 0);
            open.writeStart();
            open.sync(Durability.DISK, 1);
            boolean canBeEnded = sequence == 0;
            dying.syncsToFail.set(1);
            dying.undosToFail.set(canBeEnded ? 0 : Integer.MAX_VALUE);

            sealer.seal(open);

            assertThat(open.isEnded()).isEqualTo(canBeEnded);
            assertThat(sealer.isSettling()).isEqualTo(!canBeEnded);
        }
    }

    /** A full disk or a NameNode that is down fails many attempts for each of many files. */
    @Test
    void operatorIsToldOnceThatAFileCannotBeEndedAndOnceThatItIs() throws Exception {
        OpenJournalFile open = OpenJournalFile.create(dying, new StartRecord(ID, 1, Map.of()), 1, 0);
        open.writeStart();
        open.sync(Durability.DISK, 1);
        dying.undosToFail.set(3);
        FileSealer sealer = sealer(dying);
        try (LogLines lines = new LogLines(FileSealer.class)) {
            for (int failed = 1; failed <= 3; failed++) {
                assertThat(sealer.trySettle(open)).isFalse();
            }
            assertThat(sealer.trySettle(open)).isTrue();

            assertThat(lines.texts())
                    .hasSize(2)
                    .satisfiesExactly(
                            first -> assertThat(first).contains("trying again").contains("injected"),
                            last -> assertThat(last).contains("after 3 attempts that failed"));
        }
    }

    private JournalCatalog recover() throws IOException {
        return new JournalRecovery(
                        memory, sealer(memory), new IndexHeads(memory), new FilesAtOnce(Runnable::run), false)
                .recover(JOURNAL, JournalCatalog.EMPTY, done -> {});
    }

    private FileSealer sealer(JournalStorage storage) {
        JournalMetrics metrics = new JournalMetrics(new CollectorRegistry(), () -> 0);
        JournalConfig config = JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), DataSize.ofKiB(64));
        return new FileSealer(storage, new JournalReader(storage, config, metrics)::forgetOpenFile, metrics, threads);
    }
}
