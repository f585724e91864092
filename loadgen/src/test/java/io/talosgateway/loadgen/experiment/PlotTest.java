package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Mark;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.process.GcLog;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

final class PlotTest {

    private static final Trial TRIAL = Samples.trial("full load", "tight heap");

    private static final Plot SLOWEST =
            new Plot("Latency", null, "", "full load", Map.of("slowest", "put.maxMs"), true);

    private static Measurement run(int round, double slowestMs, GcLog.Pause... pauses) throws IOException {
        JsonNode client = new ObjectMapper().readTree("""
                        {"startedAt": "1970-01-01T00:16:38.500Z", "warmupSeconds": 1.5, "timeline": [
                          {"atSeconds": 0.0, "seconds": 1.0, "put": {"maxMs": %s}},
                          {"atSeconds": 1.0, "seconds": 1.0, "put": {"maxMs": %s}}]}
                        """.formatted(slowestMs, 2 * slowestMs));
        return new Measurement(TRIAL.load(), TRIAL.variant(), round, null, Map.of(), List.of(pauses), client);
    }

    @Test
    void linesAreThoseOfTheLastRound() throws IOException {
        Results results = new Results(List.of(TRIAL), List.of(run(1, 10), run(2, 30)));

        List<Chart> charts = SLOWEST.charts(results);

        assertThat(charts).singleElement().satisfies(chart -> {
            assertThat(chart.title()).isEqualTo("Latency, tight heap");
            assertThat(chart.series()).singleElement().satisfies(line -> {
                assertThat(line.name()).isEqualTo("slowest");
                assertThat(line.points()).containsExactly(new Series.Point(1, 30), new Series.Point(2, 60));
            });
        });
    }

    @Test
    void pausesAreDrawnWhereTheyWere() throws IOException {
        Measurement run = run(
                1,
                10,
                new GcLog.Pause(999_000, 5, "Young (Normal)"),
                new GcLog.Pause(1_000_500, 100, "Young (Normal)"),
                new GcLog.Pause(1_001_500, 200, "Full (G1 Compaction Pause)"),
                new GcLog.Pause(1_009_000, 5, "Young (Normal)"));

        Chart chart = SLOWEST.charts(new Results(List.of(TRIAL), List.of(run))).get(0);

        assertThat(chart.marks())
                .extracting(Mark::name, Mark::fromX, Mark::untilX)
                .containsExactly(tuple("GC pause", 0.4, 0.5), tuple("full collection", 1.3, 1.5));
    }

    @Test
    void loadOfWhichAllRunsFailedHasNoChart() {
        assertThat(SLOWEST.charts(new Results(List.of(TRIAL), List.of()))).isEmpty();
    }

    @Test
    void latenciesByPercentileAreThoseOfTheLastRoundIfNothingElseIsToBeDrawn() throws IOException {
        JsonNode client = new ObjectMapper().readTree("""
                        {"put": {"count": 1000, "distribution": [[0.0, 1.0], [50.0, 2.0], [100.0, 9.0]]}}
                        """);
        Measurement run = new Measurement(TRIAL.load(), TRIAL.variant(), 2, null, Map.of(), List.of(), client);

        List<Chart> charts = Plot.charts(List.of(), new Results(List.of(TRIAL), List.of(run(1, 10), run)));

        assertThat(charts).singleElement().satisfies(chart -> {
            assertThat(chart.title()).isEqualTo("Latency of puts, full load, ms");
            assertThat(chart.series().get(0).points())
                    .containsExactly(new Series.Point(0, 1), new Series.Point(50, 2), new Series.Point(99.9, 9));
        });
    }
}
