package io.talosgateway.loadgen.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class ComparisonTest {

    private static final Report FAST = SampleReports.report(3);
    private static final Report SLOW = SampleReports.report(60);

    private static Comparison comparison(Report... reports) {
        List<RunResult> results = Stream.of(reports).map(RunResult::of).toList();
        return new Comparison(List.of("first", "second", "third").subList(0, results.size()), results);
    }

    /** Without its name; nothing if there is none. */
    private static List<String> row(Table table, String name) {
        return table.rows().stream()
                .filter(row -> row.get(0).equals(name))
                .flatMap(row -> row.stream().skip(1))
                .toList();
    }

    @Test
    void ratiosAreToTheFirst() {
        Comparison comparison = comparison(FAST, SLOW, FAST);

        List<String> p50 = row(comparison.measures(), "put P50 ms");
        assertThat(Double.parseDouble(p50.get(1))).isCloseTo(60, within(0.1));
        assertThat(Double.parseDouble(p50.get(2))).isCloseTo(20, within(0.1));
        assertThat(p50.get(4)).isEqualTo("1.00");
        assertThat(row(comparison.measures(), "puts/s")).containsExactly("100", "100", "1.00", "100", "1.00");
        assertThat(row(comparison.measures(), "put errors").get(0)).isEqualTo("1.00");
        assertThat(row(comparison.measures(), "storage share %").get(0)).isEqualTo("50.0");
        assertThat(row(comparison.measures(), "GC % of the time").get(0)).isEqualTo("0.233");
        assertThat(row(comparison.measures(), "get queue wait ms").get(0)).isEqualTo("0.200");
        assertThat(comparison.differences().rows()).isEmpty();
    }

    @Test
    void whatARunDoesNotHaveIsEmptyAndWhatNoneHasIsLeftOut() {
        Report putsOnly = SampleReports.report(FAST.put(), null, FAST.timeline(), List.of());

        Comparison comparison = comparison(FAST, putsOnly);

        assertThat(row(comparison.measures(), "gets/s")).containsExactly("100", "-", "-");
        assertThat(comparison(putsOnly, putsOnly).measures().rows())
                .noneMatch(row -> row.get(0).startsWith("get"))
                .noneMatch(row -> row.get(0).contains("storage"));
        assertThat(comparison.differences().rows())
                .containsExactly(List.of("get threads", "2", "0"), List.of("get rate", "10", "-"));
    }

    @Test
    void zeroHasNoRatio() {
        Report idle = SampleReports.report(Summary.of(new Tally(), 0), FAST.get(), List.of(), List.of());

        Table measures = comparison(idle, FAST).measures();

        assertThat(row(measures, "puts/s")).containsExactly("0", "100", "-");
        assertThat(row(measures, "put P99 ms").get(0)).isEqualTo("-");
    }

    @Test
    void textIsATable() {
        assertThat(comparison(FAST, SLOW).page().toText())
                .startsWith("Comparison of 2 runs\n")
                .containsPattern("\nA +first .*\nB +second ")
                .containsPattern("\n +A +B +B/A\n")
                .containsPattern("puts/s +100 +100 +1\\.00\n")
                .containsPattern("put P50 ms +3\\.\\d+ +60\\.\\d +(19\\.9\\d|20\\.\\d+)\n")
                .doesNotContain("not alike");
    }

    @Test
    void resultOfAnOlderLoadGeneratorIsCompared(@TempDir Path directory) throws Exception {
        Path old = Files.writeString(directory.resolve("old.json"), """
                {"endpoint":"http://h","topic":"t","partitions":1,"put":{"count":5,"perSecond":2.5,"p50Ms":1.5,
                "errorsByKind":[]},"somethingElse":1}""");
        Path now = directory.resolve("result.json");
        ResultFile.write(now, FAST);

        Comparison comparison = Comparison.read(List.of(old, now));

        assertThat(row(comparison.measures(), "puts/s")).containsExactly("2.50", "100", "40.00");
        assertThat(row(comparison.differences(), "host")).containsExactly("-", "host");
        assertThat(comparison.page().toText())
                .contains("The runs are not alike:\n")
                .containsPattern("endpoint +http://h +http://127\\.0\\.0\\.1:8080\n")
                .containsPattern("partitions +1 +4\n");
        assertThat(comparison.page().toHtml())
                .contains("<td class=\"text\">unknown</td>", "Latency of puts by percentile");
    }

    @Test
    void pageColoursWhatIsBetterAndWorse() {
        String page = comparison(FAST, SLOW).page().toHtml();
        String back = comparison(SLOW, FAST).page().toHtml();

        assertThat(page).contains("class=\"worse\"").doesNotContain("class=\"better\"");
        assertThat(back).contains("class=\"better\"").doesNotContain("class=\"worse\"");
        assertThat(page).contains("Latency of puts by percentile", "Latency of gets by percentile");
    }
}
