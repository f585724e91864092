package io.talosgateway.rest.journal.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.file.FileSealer;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.file.OpenJournalFile;
import io.talosgateway.rest.journal.file.StartRecord;
import io.talosgateway.rest.journal.local.LocalJournalStorage;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class LocalJournalTest extends JournalContract {

    @TempDir
    Path directory;

    @Override
    JournalStorage newStorage() throws IOException {
        return LocalJournalStorage.open(directory.resolve("root").toUri());
    }

    @Override
    boolean openFilesCanBeFenced() {
        return false;
    }

    /** A buffer keeps what it could not write, and closing writes it again. */
    @Test
    void whatWasUndoneDoesNotComeBackWhenItsFileIsClosed() throws IOException {
        try (JournalStorage storage = newStorage()) {
            JournalFileId id = new JournalFileId(new JournalId("gw-1", 1), "days-0", 0);
            OpenJournalFile open = OpenJournalFile.create(storage, new StartRecord(id, 1, Map.of()), 1, 0);
            open.writeStart();
            open.sync(Durability.DISK, 1);
            open.write(ByteSlice.utf8("of a put that is told that it is not stored"));
            JournalMetrics metrics = new JournalMetrics(new CollectorRegistry(), () -> 0);
            JournalConfig config =
                    JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), DataSize.ofKiB(64));
            JournalThreads threads = new OwnJournalThreads();
            FileSealer sealer = new FileSealer(
                    storage, new JournalReader(storage, config, metrics)::forgetOpenFile, metrics, threads);

            assertThat(sealer.undo(open)).isTrue();
            open.close();

            try (JournalStorage.ReadFile file = storage.open(id.path())) {
                assertThat(file.length()).isEqualTo(open.committedPosition());
            }
            threads.close();
        }
    }
}
