package io.talosgateway.loadgen.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.measure.IntervalLog;
import io.talosgateway.loadgen.run.RunListener.Phase;
import io.talosgateway.loadgen.run.RunListener.Totals;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RunMonitorTest {

    private final StringWriter shown = new StringWriter();
    private final RunMonitor monitor = new RunMonitor(Progress.to(new PrintWriter(shown)), IntervalLog.NONE);

    @Test
    void ratesAreOfTheSecondsSinceTheLastLine() {
        monitor.progress(Phase.WARM_UP, 1, new Totals(100, 10, 0));
        monitor.progress(Phase.WARM_UP, 2, new Totals(200, 20, 4));
        monitor.progress(Phase.WARM_UP, 2, new Totals(900, 90, 4));
        monitor.begin(Map.of(), true);
        monitor.progress(Phase.MEASURING, 1, new Totals(1_000, 100, 4));
        monitor.progress(Phase.MEASURING, 2, new Totals(1_100, 110, 4));

        assertThat(shown.toString().lines())
                .containsExactly(
                        "warm-up 2 s: 100 puts/s, 10 gets/s, 4 errors",
                        "The warm-up is over; now it counts",
                        "measuring 2 s: 100 puts/s, 10 gets/s");
    }
}
