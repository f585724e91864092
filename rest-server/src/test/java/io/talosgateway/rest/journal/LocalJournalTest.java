package io.talosgateway.rest.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.talosgateway.rest.journal.hdfs.HadoopJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import org.junit.jupiter.api.io.TempDir;

final class LocalJournalTest extends JournalContract {

    @TempDir
    Path directory;

    @Override
    JournalStorage newStorage() throws IOException {
        return HadoopJournalStorage.open(new StorageConfig(
                directory.resolve("root").toUri(), Duration.ofSeconds(10), Duration.ofSeconds(10), Map.of()));
    }

    @Override
    boolean openFilesCanBeFenced() {
        return false;
    }
}
