package io.talosgateway.loadgen.report;

import java.util.List;

import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class ComparisonTest {

    private static final StoredRun FAST = new StoredRun("fast", SampleReports.report(3));
    private static final StoredRun SLOW = new StoredRun("slow", SampleReports.report(60));

    private static Comparison.Row row(Comparison comparison, Kind kind, Measure measure) {
        return comparison.rows().stream()
                .filter(row -> row.kind() == kind && row.measure() == measure)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void ratiosAreToTheFirst() {
        Comparison comparison = Comparison.of(List.of(FAST, SLOW, FAST));

        Comparison.Row p50 = row(comparison, Kind.PUT, Measure.P50);
        assertThat(p50.values().get(1).getAsDouble()).isCloseTo(60, within(0.1));
        assertThat(p50.ratio(1).getAsDouble()).isCloseTo(20, within(0.1));
        assertThat(p50.ratio(2)).hasValue(1);
        assertThat(row(comparison, Kind.PUT, Measure.RATE).ratio(1)).hasValue(1);
        assertThat(row(comparison, Kind.PUT, Measure.STORAGE_SHARE)
                        .values()
                        .get(0)
                        .getAsDouble())
                .isCloseTo(50, within(0.01));
        assertThat(comparison.differences()).isEmpty();
    }

    @Test
    void whatARunDoesNotHaveIsEmptyAndWhatNoneHasIsLeftOut() {
        Report report = SampleReports.report(3);
        StoredRun putsOnly =
                new StoredRun("puts", SampleReports.report(report.put(), null, report.timeline(), List.of()));

        Comparison comparison = Comparison.of(List.of(FAST, putsOnly));
        Comparison alone = Comparison.of(List.of(putsOnly, putsOnly));

        assertThat(row(comparison, Kind.GET, Measure.RATE).values().get(1)).isEmpty();
        assertThat(row(comparison, Kind.GET, Measure.RATE).ratio(1)).isEmpty();
        assertThat(alone.rows())
                .noneMatch(row -> row.kind() == Kind.GET)
                .noneMatch(row -> row.measure() == Measure.STORAGE);
        assertThat(comparison.differences())
                .containsExactly(new Comparison.Difference("get threads", List.of("2", "0")));
    }

    @Test
    void zeroHasNoRatio() {
        Report report = SampleReports.report(3);
        Summary nothing = Summary.of(new Tally(), 0);
        StoredRun idle = new StoredRun("idle", SampleReports.report(nothing, report.get(), List.of(), List.of()));

        Comparison comparison = Comparison.of(List.of(idle, FAST));

        assertThat(row(comparison, Kind.PUT, Measure.RATE).ratio(1)).isEmpty();
        assertThat(row(comparison, Kind.PUT, Measure.P99).values().get(0)).isEmpty();
    }

    @Test
    void textIsATable() {
        assertThat(ComparisonText.of(Comparison.of(List.of(FAST, SLOW))))
                .startsWith("A  fast\nB  slow\n")
                .containsPattern("\n +A +B +B/A\n")
                .containsPattern("put per s +100\\.0 +100\\.0 +1\\.00\n")
                .containsPattern("put P50 ms +3\\.\\d+ +60\\.\\d+ +(19\\.9\\d|20\\.\\d+)\n")
                .doesNotContain("not alike");
    }

    @Test
    void pageColoursWhatIsBetterAndWorse() {
        String page = ComparisonPage.of(List.of(FAST, SLOW));
        String back = ComparisonPage.of(List.of(SLOW, FAST));

        assertThat(page).contains("class=\"worse\"").doesNotContain("class=\"better\"");
        assertThat(back).contains("class=\"better\"").doesNotContain("class=\"worse\"");
        assertThat(page).contains("Latency of puts by percentile", "Latency of gets by percentile");
    }
}
