package io.talosgateway.loadgen.report;

import java.util.List;
import java.util.regex.Pattern;

import io.talosgateway.loadgen.measure.Second;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ReportPageTest {

    private static long count(String page, String part) {
        return Pattern.compile(Pattern.quote(part)).matcher(page).results().count();
    }

    private static String page(Report report) {
        return ReportPage.of(report).toHtml();
    }

    @Test
    void terminalHasTheSameNumbersWithoutPlots() {
        assertThat(ReportPage.of(SampleReports.report(3)).toText())
                .startsWith(
                        "100 puts/s, 100 gets/s\norders of http://127.0.0.1:8080, 3.0 s after 1.0 s of warm-up; begun at ")
                .contains("The run was interrupted")
                .containsPattern("put +8 +300 +100\\.0 +")
                .containsPattern("put +1  503 overloaded  Too <much>\\.\n")
                .containsPattern("partitions +4\n")
                .doesNotContain("Point at a plot", "<p", "uPlot", "\n\n\n");
    }

    @Test
    void pageHasTheNumbersAndThePlots() {
        String page = page(SampleReports.report(3));

        assertThat(page)
                .contains("100 puts/s, 100 gets/s")
                .contains("<td>put</td><td>8</td><td>300</td>")
                .contains("Latency by percentile", "Latency of puts over time", "Latency of gets over time")
                .contains("Requests answered per second", "Wait in the gateway&#39;s queue", "Storage share");
        assertThat(count(page, "data-plot=")).isEqualTo(7);
    }

    private static String withoutScripts(String page) {
        return page.substring(0, page.indexOf("<script>"));
    }

    @Test
    void pageNeedsNothingButItselfInLightAndInDark() {
        String page = page(SampleReports.report(3));

        assertThat(page).contains("uPlot (v1.6.30)").doesNotContain("<script src", "<link", "@import");
        assertThat(withoutScripts(page))
                .startsWith("<!DOCTYPE html>")
                .contains("prefers-color-scheme: dark")
                .doesNotContain("<img", "src=", "href=", "url(");
    }

    @Test
    void pausesAndErrorsAreMarkedAndWhatIsSaidIsEscaped() {
        String page = page(SampleReports.report(3));

        assertThat(
                        count(
                                page,
                                "GC pause of the load generator&quot;,&quot;style&quot;:&quot;gc&quot;,&quot;shape&quot;:&quot;BAND"))
                .isEqualTo(2);
        assertThat(count(page, "&quot;style&quot;:&quot;servergc&quot;")).isEqualTo(2);
        assertThat(count(page, "&quot;shape&quot;:&quot;FLAG&quot;")).isEqualTo(1);
        assertThat(page).contains("Too &lt;much&gt;.").doesNotContain("<much>");
    }

    @Test
    void interruptedRunSaysSo() {
        assertThat(page(SampleReports.report(3))).contains("The run was interrupted");
    }

    @Test
    void runWithoutTheGatewaysMetricsHasFewerPlots() {
        Report report = SampleReports.report(3);

        List<Second> ofPuts = report.timeline().stream()
                .map(second -> new Second(second.atSeconds(), second.seconds(), second.put(), null))
                .toList();

        String page = page(SampleReports.report(report.put(), null, ofPuts, List.of()));

        assertThat(page).doesNotContain("Storage share", "Latency of gets");
        assertThat(count(page, "data-plot=")).isEqualTo(3);
    }

    @Test
    void runWithoutAnyAnswerHasAPageToo() {
        Summary nothing = Summary.of(new Tally(), 0);

        assertThat(withoutScripts(page(SampleReports.report(nothing, null, List.of(), List.of()))))
                .contains("0 puts/s")
                .doesNotContain("NaN");
    }
}
