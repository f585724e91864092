package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

final class MeasurementTest {

    @TempDir
    private Path directory;

    /** A client that had so many puts a second. */
    private Path client(String name, int puts) throws IOException {
        Path folder = Files.createDirectory(directory.resolve(name));
        Files.writeString(
                folder.resolve("result.json"),
                "{\"cpuMicrosPerRequest\": 5, \"put\": {\"count\": 3, \"perSecond\": %d, \"messagesPerSecond\": %1$d, \"bytesPerSecond\": 7, \"errors\": 2}}"
                        .formatted(puts));
        return folder;
    }

    private static Measurement read(Path folder) throws IOException {
        return Measurement.read(Samples.trial("", "new"), 1, folder, List.of());
    }

    @Test
    void measuresAreThoseOfTheClient() throws Exception {
        Measurement result = read(client("one", 98));

        assertThat(result.values())
                .containsOnly(
                        entry("put.count", 3.0),
                        entry("put.perSecond", 98.0),
                        entry("put.messagesPerSecond", 98.0),
                        entry("put.bytesPerSecond", 7.0),
                        entry("put.errors", 2.0),
                        entry("errors", 2.0),
                        entry("load.cpuMicros", 5.0));
    }

    @Test
    void clientThatHadNoAnswerHasNoLatency() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("none"));
        Files.writeString(
                folder.resolve("result.json"),
                "{\"get\": {\"count\": 0, \"perSecond\": 0, \"meanMs\": 0, \"errors\": 7}}");

        assertThat(read(folder).values())
                .containsEntry("errors", 7.0)
                .containsEntry("get.perSecond", 0.0)
                .doesNotContainKey("get.meanMs");
    }
}
