package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Experiments of the distribution, as a process that starts gateways and load generators, on the local disk. */
final class ExperimentIT {

    @TempDir
    private Path directory;

    private Process start(Path output, Path work, String... arguments) throws IOException {
        Files.createDirectories(work);
        List<String> all = new ArrayList<>(List.of("experiment"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--storage", "file", "--work-directory", work.toString()));
        return GatewayProcess.run("talos-loadgen", output, all, Map.of());
    }

    private static JsonNode read(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }

    @Test
    void variantsAreMeasuredInTurnAndCompared() throws Exception {
        Path output = directory.resolve("output.txt");
        Path work = directory.resolve("work");
        Path out = directory.resolve("out");

        Process process = start(
                output,
                work,
                "talos-full",
                "--only",
                "2.1.6,ours",
                "--rounds",
                "1",
                "--warmup",
                "1s",
                "--duration",
                "2s",
                "--out",
                out.toString());
        try {
            assertThat(process.waitFor(9, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(text)
                .contains("round 1 of 1, 2.1.6, 1 client: with 1 s of warm-up; about")
                .containsPattern("\\| 1 client \\| puts/s \\| [\\d.]+ ")
                .endsWith("Report: " + out.resolve("report.html") + "\n");
        JsonNode result = read(out.resolve("result.json"));
        assertThat(result.path("runs")).hasSize(4);
        for (JsonNode run : result.path("runs")) {
            assertThat(run.path("failure").isMissingNode())
                    .as(run.path("failure").asText())
                    .isTrue();
            JsonNode values = run.path("values");
            assertThat(values.path("put.perSecond").asDouble()).isPositive();
            assertThat(values.path("put.p99Ms").asDouble())
                    .isBetween(
                            values.path("put.p50Ms").asDouble(),
                            values.path("put.maxMs").asDouble());
            assertThat(values.has("get.perSecond")).isTrue();
            // Of the warm-up, too, in which clients wait longest.
            assertThat(values.path("errors").asDouble())
                    .isLessThan(values.path("put.perSecond").asDouble());
            assertThat(values.path("server.cpuMicros").asDouble()).isPositive();
            assertThat(values.path("gateway.storageSharePercent").asDouble()).isBetween(0.0, 100.0);
            assertThat(run.at("/client/put/distribution").size()).isGreaterThan(5);
        }
        assertThat(result.path("runs").path(3).path("client").path("putThreads").asInt())
                .isEqualTo(240);
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("Latency of puts, 2 clients", "--set journal.layout=file-per-partition")
                .doesNotContain("<script src", "<link", "href=");
        assertThat(Files.readString(out.resolve("table.md"))).contains("| 2 clients | ours | ");
        assertThat(work).isEmptyDirectory();
    }

    @Test
    void interruptedExperimentLeavesNoProcessAndNoData() throws Exception {
        Path output = directory.resolve("output.txt");
        Path work = directory.resolve("work");
        Process process = start(
                output,
                work,
                "talos-full",
                "--only",
                "ours",
                "--warmup",
                "1s",
                "--duration",
                "1m",
                "--out",
                directory.resolve("out").toString());
        List<ProcessHandle> children;
        try {
            // Before that, start scripts may have helpers, which end by themselves and a moment later than their
            // scripts.
            while (!Files.readString(output).contains("measuring for")) {
                assertThat(process.waitFor(20, TimeUnit.MILLISECONDS))
                        .as(Files.readString(output))
                        .isFalse();
            }
            try (Stream<ProcessHandle> all = process.descendants()) {
                children = all.toList();
            }
            assertThat(children).hasSizeGreaterThanOrEqualTo(2);

            process.destroy();

            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(children).noneMatch(ProcessHandle::isAlive);
        assertThat(work).isEmptyDirectory();
    }

    @Test
    void withoutASourceTreeItSaysWhatIsMissing() throws Exception {
        Path output = directory.resolve("output.txt");
        Process process = GatewayProcess.run(
                "talos-loadgen",
                output,
                List.of(
                        "experiment",
                        "ideal",
                        "--kit",
                        directory.resolve("none").toString()),
                Map.of());

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(output))
                .startsWith("talos-loadgen: --kit: there is no folder ")
                .hasLineCount(1);
    }
}
