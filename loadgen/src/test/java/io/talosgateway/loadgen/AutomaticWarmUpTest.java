package io.talosgateway.loadgen;

import java.nio.file.Path;

import io.talosgateway.loadgen.report.StoredRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A class of its own, so that it runs beside {@link RunCommandTest}. */
final class AutomaticWarmUpTest {

    @TempDir
    private Path directory;

    /** Takes 13 seconds on a machine that does not stall, by the rule of {@code SettledRate}. */
    @Test
    void warmUpIsOverWhenTheRateHasStoppedRising() throws Exception {
        try (StubGateway gateway = new StubGateway(
                (method, path) -> path.contains("/messages") ? StubGateway.json(200, "{}") : StubGateway.topic(4))) {
            CommandResult result = CommandResult.of(
                    "run",
                    "--endpoint",
                    gateway.endpoint(),
                    "--partitions",
                    "4",
                    "--put-threads",
                    "3",
                    "--warmup",
                    "auto",
                    "--duration",
                    "2s",
                    "--put-rate",
                    "100",
                    "--out",
                    directory.resolve("auto").toString());

            assertThat(result.err()).contains("The warm-up is over");
            StoredRun report = StoredRun.read(directory.resolve("auto"));
            assertThat(report.warmupSeconds()).isBetween(11.5, 75.0);
            assertThat(report.seconds()).isEqualTo(2);
        }
    }
}
