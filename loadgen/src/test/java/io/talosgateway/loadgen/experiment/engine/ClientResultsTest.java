package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class ClientResultsTest {

    @TempDir
    private Path directory;

    /** A client that had so many puts of so many milliseconds, in two intervals. */
    private Path client(String name, int puts, int ms) throws IOException {
        Path folder = Files.createDirectory(directory.resolve(name));
        Files.writeString(
                folder.resolve("result.json"),
                "{\"cpuMicrosPerRequest\": 5, \"put\": {\"count\": 3, \"perSecond\": %d, \"messagesPerSecond\": %1$d, \"bytesPerSecond\": 7, \"errors\": 2}}"
                        .formatted(puts));
        try (PrintStream stream = new PrintStream(folder.resolve("put.hlog").toFile())) {
            HistogramLogWriter writer = new HistogramLogWriter(stream);
            writer.outputLogFormatVersion();
            for (int interval = 0; interval < 2; interval++) {
                Histogram histogram = new Histogram(3);
                histogram.recordValueWithCount(ms * 1_000_000L, puts / 2);
                writer.outputIntervalHistogram(histogram);
            }
        }
        return folder;
    }

    @Test
    void whatAClientCallsValuesIsTakenAsItIs() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("pipeline"));
        Files.writeString(folder.resolve("result.json"), "{\"values\": {\"backlog.end\": 12, \"errors\": 3}}");
        Map<String, Double> values = new HashMap<>();

        ClientResults.read(List.of(folder)).addTo(values);

        assertThat(values).containsEntry("backlog.end", 12.0).containsEntry(Metrics.ERRORS.key(), 3.0);
    }

    @Test
    void ratesAreAddedUpAndLatenciesAreThoseOfAllRequests() throws Exception {
        ClientResults results = ClientResults.read(List.of(client("one", 98, 10), client("two", 2, 50)));
        Map<String, Double> values = new HashMap<>();

        results.addTo(values);

        assertThat(values)
                .containsEntry(Metrics.PUTS.key(), 100.0)
                .containsEntry(Metrics.PUT_BYTES.key(), 14.0)
                .containsEntry(Metrics.ERRORS.key(), 4.0)
                .containsEntry(Metrics.LOAD_CPU.key(), 5.0)
                .doesNotContainKey(Metrics.GETS.key());
        assertThat(values.get(Metrics.PUT_MEAN.key())).isCloseTo(10.8, within(0.1));
        assertThat(values.get(Metrics.PUT_P75.key())).isCloseTo(10, within(0.1));
        assertThat(values.get(Metrics.PUT_P99.key())).isCloseTo(50, within(0.1));
        assertThat(results.latencies().get("put").getTotalCount()).isEqualTo(100);
    }
}
