package io.talosgateway.loadgen.report;

import java.util.List;
import java.util.regex.Pattern;

import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ReportPageTest {

    private static long count(String page, String part) {
        return Pattern.compile(Pattern.quote(part)).matcher(page).results().count();
    }

    @Test
    void whereTheTimeGoesIsATable() {
        assertThat(ReportPage.of(SampleReports.report(3)))
                .contains("Where the time of a put goes", "1,234 requests of a client beside the load")
                .contains("<td class=\"text\">received - got</td><td>1,234</td><td>2.0000</td>", "<td>80.0 %</td>");
        assertThat(ReportText.of(SampleReports.report(3)))
                .contains("Where the time of a put goes: 1,234 requests, 2.500 ms in the mean");
    }

    @Test
    void pageHasTheNumbersAndThePlots() {
        String page = ReportPage.of(SampleReports.report(3));

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
        String page = ReportPage.of(SampleReports.report(3));

        assertThat(page).contains("uPlot (v1.6.30)").doesNotContain("<script src", "<link", "@import");
        assertThat(withoutScripts(page))
                .startsWith("<!DOCTYPE html>")
                .contains("prefers-color-scheme: dark")
                .doesNotContain("<img", "src=", "href=", "url(");
    }

    @Test
    void pausesAndErrorsAreMarkedAndWhatIsSaidIsEscaped() {
        String page = ReportPage.of(SampleReports.report(3));

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
        assertThat(ReportPage.of(SampleReports.report(3))).contains("The run was interrupted");
    }

    @Test
    void runWithoutTheGatewaysMetricsHasFewerPlots() {
        Report report = SampleReports.report(3);

        String page = ReportPage.of(SampleReports.report(report.put(), null, report.timeline(), List.of()));

        assertThat(page).doesNotContain("Storage share", "Latency of gets");
        assertThat(count(page, "data-plot=")).isEqualTo(3);
    }

    @Test
    void runWithoutAnyAnswerHasAPageToo() {
        Summary nothing = Summary.of(new Tally(), 0);

        assertThat(withoutScripts(ReportPage.of(SampleReports.report(nothing, null, List.of(), List.of()))))
                .contains("0 puts/s")
                .doesNotContain("NaN");
    }
}
