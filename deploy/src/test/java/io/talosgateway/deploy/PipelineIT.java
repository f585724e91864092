package io.talosgateway.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A producer, a topic, and consumers that take a while for each message. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class PipelineIT {

    @TempDir
    private static Path directory;

    private static GatewayProcess gateway;
    private static int runs;

    @BeforeAll
    static void start() throws Exception {
        gateway = GatewayProcess.start(Files.createDirectory(directory.resolve("data")), Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    private static JsonNode run(String... arguments) throws Exception {
        Path out = directory.resolve("run-" + runs++);
        Path output = directory.resolve(out.getFileName() + ".txt");
        List<String> all = new ArrayList<>(List.of(
                "run",
                "--endpoint",
                gateway.endpoint(),
                "--key-file",
                gateway.directory().resolve("keys.json").toString(),
                "--out",
                out.toString(),
                "--partitions",
                "4",
                "--warmup",
                "500ms"));
        all.addAll(List.of(arguments));
        Process process =
                GatewayProcess.run("talos-loadgen", output, all, Map.of("TALOS_LOADGEN_JAVA_OPTS", "-Xmx128m"));
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output)).contains("Messages in the queue: ");
        assertThat(out.resolve("take.hlog")).isNotEmptyFile();
        return new ObjectMapper().readTree(out.resolve("result.json").toFile());
    }

    private static long errors(JsonNode result) {
        return result.at("/put/errors").asLong() + result.at("/take/errors").asLong();
    }

    @Test
    void queueOfASlowConsumerGrowsAndAWindowBoundsIt() throws Exception {
        JsonNode unbounded = run("--consumers", "1", "--cost", "5ms", "--duration", "2s");
        JsonNode bounded = run("--consumers", "1", "--cost", "5ms", "--duration", "2s", "--window", "20");

        assertThat(errors(unbounded)).isZero();
        assertThat(unbounded.at("/take/perSecond").asDouble()).isBetween(1.0, 210.0);
        assertThat(unbounded.at("/queue/backlogEnd").asLong()).isGreaterThan(20);
        assertThat(errors(bounded)).isZero();
        assertThat(bounded.at("/take/perSecond").asDouble()).isPositive();
        assertThat(bounded.at("/queue/backlogPeak").asLong()).isLessThanOrEqualTo(20);
    }

    @Test
    void consumersThatComeLaterBeginWithTheFirstMessage() throws Exception {
        JsonNode result = run("--cost", "0ms", "--duration", "4s", "--consumers", "4", "--consumers-after", "2s");

        JsonNode seconds = result.path("timeline");
        assertThat(seconds).isNotEmpty();
        assertThat(result.path("seconds").asDouble()).isEqualTo(4);
        assertThat(seconds.at("/0/take/count").asLong()).isZero();
        assertThat(seconds.at("/0/backlog").asLong()).isPositive();
        assertThat(result.at("/take/perSecond").asDouble()).isPositive();
        // The first one has waited for the consumers.
        assertThat(result.at("/take/maxMs").asDouble()).isGreaterThan(1_500);
    }
}
