package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Partition;
import io.talosgateway.client.Position;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The load generator of the distribution, as a process, against a gateway process. */
final class LoadgenIT {

    @TempDir
    private static Path directory;

    private static GatewayProcess gateway;
    private static int runs;

    @BeforeAll
    static void start() throws Exception {
        gateway = GatewayProcess.start(
                Files.createDirectory(directory.resolve("data")), Map.of("zookeeper.session-timeout", "60s"));
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    private static Process start(Path output, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "run",
                "--endpoint",
                gateway.endpoint(),
                "--key-file",
                gateway.directory().resolve("keys.json").toString()));
        all.addAll(List.of(arguments));
        return GatewayProcess.run(
                "talos-loadgen", output, all, Map.of("TALOS_LOADGEN_JAVA_OPTS", "-Xmx64m -XX:TieredStopAtLevel=1"));
    }

    private static String run(String... arguments) throws Exception {
        Path output = directory.resolve("loadgen-" + runs++ + ".txt");
        Process process = start(output, arguments);
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }

    private static JsonNode read(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }

    /** On a machine that stalls, some requests are due and have no connection until after the end. */
    private static void assertNoneWasRefused(JsonNode kind) {
        assertThat(kind.required("errorsByKind").findValuesAsText("code"))
                .as("%s", kind)
                .isSubsetOf("not-sent");
    }

    private static long messagesOf(String topic) throws Exception {
        try (var partitions = client().partitions(topic).get().stream()) {
            return partitions.mapToLong(Partition::logEndOffset).sum();
        }
    }

    private static GatewayClient client() {
        return gateway.client().build();
    }

    @Test
    void putsThatAreReportedAreStored() throws Exception {
        Path file = directory.resolve("puts.json");

        String output = run(
                "--topic",
                "puts",
                "--partitions",
                "4",
                "--put-threads",
                "8",
                "--put-rate",
                "400",
                "--size",
                "1KiB",
                "--warmup",
                "200ms",
                "--duration",
                "4s",
                "--json",
                file.toString());

        assertThat(output).contains("Made the topic puts with 4 partitions").containsPattern("put +8 ");
        JsonNode put = read(file).path("put");
        assertThat(put.path("count").asLong()).isPositive();
        assertNoneWasRefused(put);
        assertThat(messagesOf("puts")).isGreaterThanOrEqualTo(put.path("count").asLong());
    }

    @Test
    void putsWithIdempotencyKeysAreAllStoredAlsoWhenTheRunIsMadeAgain() throws Exception {
        long reported = 0;
        for (int round = 0; round < 2; round++) {
            Path file = directory.resolve("keys-" + round + ".json");
            run(
                    "--topic",
                    "keys",
                    "--partitions",
                    "2",
                    "--put-threads",
                    "4",
                    "--put-rate",
                    "400",
                    "--idempotency-keys",
                    "on",
                    "--warmup",
                    "0ms",
                    "--duration",
                    "3s",
                    "--json",
                    file.toString());
            reported += read(file).path("put").path("count").asLong();
            assertNoneWasRefused(read(file).path("put"));
        }

        assertThat(messagesOf("keys")).isGreaterThanOrEqualTo(reported);
    }

    @Test
    void readersGetWhatProducersPut() throws Exception {
        Path file = directory.resolve("gets.json");

        run(
                "--topic",
                "gets",
                "--partitions",
                "2",
                "--put-threads",
                "2",
                "--put-rate",
                "200",
                "--get-threads",
                "4",
                "--warmup",
                "200ms",
                "--duration",
                "4s",
                "--json",
                file.toString());

        JsonNode get = read(file).path("get");
        assertNoneWasRefused(get);
        assertThat(get.path("messages").asLong()).isBetween(1L, 2 * messagesOf("gets"));
    }

    /** A short run with puts and gets of batches, on a topic of its own; slow, so that there are some of each on a loaded machine. */
    private static JsonNode runBatches(String topic, String options) throws Exception {
        Path file = directory.resolve(topic + ".json");
        List<String> all = new ArrayList<>(List.of(options.split(" ")));
        all.addAll(List.of(
                "--topic",
                topic,
                "--partitions",
                "2",
                "--size",
                "50B:1,500B:1",
                "--batch",
                "10",
                "--warmup",
                "200ms",
                "--duration",
                "4s",
                "--json",
                file.toString()));
        String output = run(all.toArray(String[]::new));
        JsonNode result = read(file);
        for (String kind : List.of("put", "get")) {
            assertNoneWasRefused(result.path(kind));
            assertThat(result.path(kind).path("messages").asLong()).as(output).isPositive();
        }
        assertThat(result.path("put").path("messages").asLong())
                .isEqualTo(10 * result.path("put").path("count").asLong());
        assertThat(messagesOf(topic))
                .isGreaterThanOrEqualTo(result.path("put").path("messages").asLong())
                .isGreaterThanOrEqualTo(result.path("get").path("messages").asLong() / 2);
        return result;
    }

    @ParameterizedTest
    @CsvSource({
        "json-none, --format json --put-threads 2 --put-rate 40 --get-threads 2",
        "ndjson-gzip, --format ndjson --compression gzip --put-threads 2 --put-rate 40 --get-threads 2",
        "thrift-none, --format thrift --put-threads 2 --put-rate 40 --get-threads 2 --idempotency-keys on",
        "thrift-snappy, --format thrift --compression snappy --put-threads 2 --put-rate 40 --get-threads 2",
        "thrift-zstd, --format thrift --compression zstd --pending 4 --put-rate 40 --get-pending 2 --io-threads 2",
        "json-pending, --format json --pending 20 --put-rate 40 --get-pending 4"
    })
    void formatsAreTakenByTheGateway(String topic, String options) throws Exception {
        runBatches(topic, options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"snappy", "gzip", "zstd", "lz4"})
    void compressedMessagesCanBeReadByTheJsonInterface(String compression) throws Exception {
        String topic = "read-" + compression;
        runBatches(topic, "--format thrift --put-threads 2 --put-rate 40 --get-threads 2 --compression " + compression);

        List<io.talosgateway.client.Message> messages = client().get(topic, 0, Position.EARLIEST, GetOptions.DEFAULT)
                .get()
                .messages();

        assertThat(messages)
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message.payload().length).isBetween(50, 500));
    }

    @Test
    void topicsShareALoad() throws Exception {
        Path file = directory.resolve("topics.json");

        run(
                "--topic",
                "first,second",
                "--partitions",
                "2",
                "--put-threads",
                "4",
                "--put-rate",
                "100",
                "--size",
                "100B",
                "--warmup",
                "200ms",
                "--duration",
                "4s",
                "--json",
                file.toString());

        JsonNode result = read(file);
        assertNoneWasRefused(result.path("put"));
        // 100 a second, or fewer where the machine stalls.
        assertThat(result.path("put").path("count").asLong()).isBetween(1L, 400L);
        long first = messagesOf("first");
        long second = messagesOf("second");
        assertThat(first).isPositive();
        assertThat(second).isPositive();
        // With those of the warm-up.
        assertThat(first + second).isLessThanOrEqualTo(430);
        assertThat(result.path("generator").path("cpuCores").asDouble()).isPositive();
    }

    @Test
    void smokeRunHasAReport() throws Exception {
        Path folder = directory.resolve("smoke");

        String output = run(
                "--preset",
                "smoke",
                "--duration",
                "6s",
                "--ops",
                "http://127.0.0.1:" + gateway.opsPort(),
                "--out",
                folder.toString());

        assertThat(output)
                .containsPattern("put +8 ")
                .containsPattern("get +8 ")
                .endsWith("Report: " + folder.resolve("report.html") + "\n");
        JsonNode result = read(folder.resolve("result.json"));
        JsonNode put = result.path("put");
        assertNoneWasRefused(put);
        assertThat(result.path("get").path("messages").asLong()).isPositive();
        assertThat(put.path("p50Ms").asDouble()).isPositive();
        assertThat(put.path("p99Ms").asDouble())
                .isBetween(put.path("p50Ms").asDouble(), put.path("maxMs").asDouble());
        // Six seconds, or fewer where the machine stalls.
        assertThat(result.path("timeline")).hasSizeBetween(1, 7);
        long putsOfAllSeconds = 0;
        for (JsonNode second : result.path("timeline")) {
            putsOfAllSeconds += second.path("put").path("count").asLong();
        }
        assertThat(putsOfAllSeconds).isEqualTo(put.path("count").asLong());
        assertThat(messagesOf("smoke")).isGreaterThanOrEqualTo(putsOfAllSeconds);
        assertThat(result.path("server")).isNotEmpty();
        assertThat(result.path("server")).anySatisfy(second -> {
            assertThat(second.path("storageShare").asDouble()).isBetween(0.01, 1.0);
            // 0 where no put of this second was queued, and missing where the pool counted none.
            assertThat(second.has("putQueueMs")).isTrue();
            assertThat(second.path("cpuCores").asDouble()).isPositive();
        });
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("Latency of puts over time", "Storage share", "&quot;name&quot;:&quot;storage&quot;")
                .doesNotContain("<script src", "<link", "href=");
        assertThat(compare(folder, folder)).containsPattern("puts/s +[\\d,.]+ +[\\d,.]+ +1\\.00");
    }

    private static String compare(Path one, Path other) throws Exception {
        Path output = directory.resolve("compare.txt");
        Process process = GatewayProcess.run(
                "talos-loadgen", output, List.of("compare", one.toString(), other.toString()), Map.of());
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }

    @Test
    void interruptedRunShowsWhatThereIs() throws Exception {
        Path output = directory.resolve("interrupted.txt");
        Path file = directory.resolve("interrupted.json");
        Path folder = directory.resolve("interrupted");
        Process process = start(
                output,
                "--topic",
                "interrupted",
                "--partitions",
                "1",
                "--put-threads",
                "1",
                "--warmup",
                "0ms",
                "--duration",
                "10m",
                "--json",
                file.toString(),
                "--out",
                folder.toString());
        try {
            while (!Files.readString(output).contains("measuring 2 s")) {
                assertThat(process.waitFor(20, TimeUnit.MILLISECONDS))
                        .as(Files.readString(output))
                        .isFalse();
            }

            process.destroy();

            assertThat(process.waitFor()).isEqualTo(143);
            assertThat(Files.readString(output)).contains("The run was interrupted");
            assertThat(read(file).path("interrupted").asBoolean()).isTrue();
            assertThat(read(file).path("put").path("count").asLong()).isPositive();
            assertThat(read(file).path("seconds").asDouble()).isBetween(2.0, 60.0);
            assertThat(read(folder.resolve("result.json"))).isEqualTo(read(file));
            assertThat(Files.readString(folder.resolve("report.html"))).contains("The run was interrupted");
        } finally {
            process.destroyForcibly();
        }
    }
}
