package io.talosgateway.loadgen.experiment;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import io.talosgateway.loadgen.process.ChildProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TrialClientTest {

    private static List<String> commandLine(@Nullable Path keyFile) throws Exception {
        try (ChildProcess process =
                ChildProcess.start("version", List.of(ChildProcess.java(), "-version"), java.util.Map.of())) {
            return TrialClient.parse("run --topic t --size 1KiB")
                    .commandLine(
                            new Server.Running(
                                    process, "http://127.0.0.1:1", URI.create("http://127.0.0.1:2"), keyFile, null),
                            Samples.settings(Scale.QUICK, StorageKind.FILE, 1, Samples.WARMUP),
                            Path.of("out"));
        }
    }

    @Test
    void commandLineSaysWhereAndHowLongAndWhat() throws Exception {
        assertThat(commandLine(Path.of("keys.json")))
                .containsExactly(
                        "--endpoint",
                        "http://127.0.0.1:1",
                        "--key-file",
                        "keys.json",
                        "--warmup",
                        "2000ms",
                        "--duration",
                        "8000ms",
                        "--seed",
                        "7",
                        "--out",
                        "out",
                        "--topic",
                        "t",
                        "--size",
                        "1KiB");
    }

    @Test
    void programWithoutServerIsToldOfNone() {
        assertThat(TrialClient.parse("io.talosgateway.benchmarks.Program --threads 4")
                        .commandLine(
                                null,
                                Samples.settings(Scale.QUICK, StorageKind.FILE, 1, Samples.WARMUP),
                                Path.of("out")))
                .containsExactly(
                        "--warmup", "2000ms", "--duration", "8000ms", "--seed", "7", "--out", "out", "--threads", "4");
    }

    @Test
    void serverWithoutKeysIsNotAskedForTopics() throws Exception {
        assertThat(commandLine(null)).contains("--no-create").doesNotContain("--key-file");
    }
}
