package io.talosgateway.loadgen.experiment;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import io.talosgateway.loadgen.process.ChildProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TrialTest {

    private static List<String> commandLine(@Nullable Path keyFile) throws Exception {
        try (ChildProcess process =
                ChildProcess.start("version", List.of(ChildProcess.java(), "-version"), java.util.Map.of())) {
            return Samples.trial("", "")
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
                        "run",
                        "--size",
                        "1KiB",
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
                        "out");
    }

    @Test
    void serverWithoutKeysIsNotAskedForTopics() throws Exception {
        assertThat(commandLine(null)).contains("--no-create").doesNotContain("--key-file");
    }
}
