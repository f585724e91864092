package io.talosgateway.benchmarks.kafka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A real broker in a process of its own. */
@Timeout(120)
class KafkaLoadIT {

    private static final String SERVES = "Kafka serves at ";
    private static final int PARTITIONS = 3;

    @TempDir
    private Path temporary;

    private Process server;

    private String start(String... options) throws IOException {
        Path data = temporary.resolve("kafka");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                KafkaServer.class.getName(),
                "--directory",
                data.toString(),
                "--partitions=" + PARTITIONS,
                "--with-parent");
        builder.command().addAll(List.of(options));
        server = builder.redirectErrorStream(true).start();
        BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(SERVES)) {
                return line.substring(SERVES.length());
            }
        }
        throw new IOException("the broker has ended");
    }

    @AfterEach
    void kill() {
        server.destroyForcibly();
    }

    private JsonNode load(String bootstrap, String producers) throws IOException {
        Path results = temporary.resolve(producers);
        StringWriter out = new StringWriter();
        int status = KafkaLoad.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(
                        "--endpoint=" + bootstrap,
                        "--topic=" + producers,
                        "--no-create",
                        "--partitions=" + PARTITIONS,
                        "--put-threads=4",
                        "--producers=" + producers,
                        "--size=1000B",
                        "--warmup=3s",
                        "--duration=1s",
                        "--out=" + results);
        assertThat(status).as(out.toString()).isZero();
        assertThat(out.toString()).contains("The warm-up is over");
        JsonNode result =
                new ObjectMapper().readTree(results.resolve("result.json").toFile());
        assertThat(latencies(results.resolve("put.hlog")).getTotalCount())
                .isEqualTo(result.path("put").path("count").asLong());
        return result;
    }

    private static Histogram latencies(Path log) throws IOException {
        try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
            return (Histogram) reader.nextIntervalHistogram();
        }
    }

    private static long stored(String bootstrap, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            return admin
                    .listOffsets(IntStream.range(0, PARTITIONS)
                            .mapToObj(partition -> new TopicPartition(topic, partition))
                            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest())))
                    .all()
                    .get()
                    .values()
                    .stream()
                    .mapToLong(info -> info.offset())
                    .sum();
        }
    }

    @Test
    void whatCountsIsStoredWithOneProducerAndWithMany() throws Exception {
        String bootstrap = start();
        for (String producers : new String[] {"shared", "per-thread"}) {
            JsonNode result = load(bootstrap, producers);

            assertThat(result.path("put").path("errors").asLong()).isZero();
            assertThat(result.path("put").path("count").asLong())
                    .isPositive()
                    .isLessThanOrEqualTo(stored(bootstrap, producers));
        }
    }

    @Test
    void forcedPutsWorkAndNothingIsLeftWhenTheParentEnds() throws Exception {
        String bootstrap = start("--flush-messages=1");
        assertThat(load(bootstrap, "shared").path("put").path("count").asLong()).isPositive();

        server.getOutputStream().close();

        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(temporary.resolve("kafka")).doesNotExist();
    }
}
