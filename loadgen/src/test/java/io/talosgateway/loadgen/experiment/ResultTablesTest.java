package io.talosgateway.loadgen.experiment;

import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.measure.Metric;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ResultTablesTest {

    private static final Experiment.Contrast CONTRAST = new Experiment.Contrast("new", "old");

    private static Results results(Measurement... runs) {
        return new Results(List.of(Samples.trial("1 client", "old"), Samples.trial("1 client", "new")), List.of(runs));
    }

    private static final Results THREE_ROUNDS = results(
            Samples.run("1 client", "old", 1, 100, 10),
            Samples.run("1 client", "new", 1, 200, 5),
            Samples.run("1 client", "new", 2, 100, 4),
            Samples.run("1 client", "old", 2, 10, 8),
            Samples.run("1 client", "old", 3, 300, 30),
            Samples.run("1 client", "new", 3, 900, 60));

    @Test
    void mediansAreOverTheRoundsWithTheLeastAndTheGreatestOfTheFirstColumn() {
        Table table = ResultTables.medians(Samples.experiment(), THREE_ROUNDS);

        assertThat(table.head()).containsExactly("variant", "puts/s", "put mean ms");
        assertThat(table.rows())
                .containsExactly(List.of("old", "100 (10.0–300)", "10.0"), List.of("new", "200 (100–900)", "5.00"));
    }

    @Test
    void ratiosAreOfTheRunsOfARound() {
        Table table = ResultTables.ratios(Samples.experiment(), THREE_ROUNDS);

        assertThat(table.head()).containsExactly("measure", "new : old");
        assertThat(table.rows())
                .containsExactly(List.of("puts/s", "3.00 (2.00–10.00)"), List.of("put mean ms", "0.50 (0.50–2.00)"));
    }

    @Test
    void roundWithoutOneOfTheRunsHasNoRatio() {
        Results results = results(
                Samples.run("1 client", "old", 1, 100, 10),
                Samples.failed("1 client", "new", 1),
                Samples.run("1 client", "new", 2, 300, 5),
                Samples.run("1 client", "old", 2, 200, 10),
                Samples.run("1 client", "new", 3, 300, 5));

        assertThat(results.ratios("1 client", CONTRAST, Metric.of("put.perSecond")))
                .containsExactly(1.5);
        assertThat(results.of(results.trials().get(1))).hasSize(2);
    }

    @Test
    void loadsAndVariantsAreColumnsIfThereAreSeveral() {
        Results loads = new Results(
                List.of(Samples.trial("1 client", "old"), Samples.trial("2 clients", "old")),
                List.of(Samples.run("1 client", "old", 1, 1, 1), Samples.run("2 clients", "old", 1, 2, 2)));
        Results both = new Results(
                List.of(Samples.trial("1 client", "old"), Samples.trial("2 clients", "new")),
                List.of(Samples.run("1 client", "old", 1, 1, 1), Samples.run("2 clients", "new", 1, 2, 2)));

        assertThat(ResultTables.medians(Samples.experiment(), loads).toMarkdown())
                .isEqualTo("""
                        | load | puts/s | put mean ms |
                        |---|---:|---:|
                        | 1 client | 1.00 | 1.00 |
                        | 2 clients | 2.00 | 2.00 |
                        """);
        assertThat(ResultTables.medians(Samples.experiment(), both).toMarkdown())
                .startsWith("""
                        | load | variant | puts/s | put mean ms |
                        |---|---|---:|---:|
                        | 1 client | old | 1.00 | 1.00 |
                        """);
    }

    @Test
    void interruptedExperimentShowsWhatThereIs() {
        Results results = results(Samples.run("1 client", "old", 1, 100, 10));

        assertThat(ResultTables.of(Samples.experiment(), results))
                .singleElement()
                .satisfies(table -> assertThat(table.rows()).containsExactly(List.of("old", "100", "10.0")));
    }

    @Test
    void failureIsToldByItsFirstAndItsLastLine() {
        assertThat(Samples.failed("1 client", "new", 1).shortFailure()).isEqualTo("the disk is full");
        Measurement failed = new Measurement(
                "", "a", 1, "The load has ended. It said:\nmeasuring\n\nno answer\n", Map.of(), List.of(), null);
        assertThat(failed.shortFailure()).isEqualTo("The load has ended. It said: ... no answer");
    }
}
