package io.talosgateway.loadgen.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.measure.IntervalLog;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RunMonitorTest {

    private final StringWriter shown = new StringWriter();
    private final RunMonitor monitor = new RunMonitor(Progress.to(new PrintWriter(shown)), IntervalLog.NONE);

    private void progress(RunEvent.Type phase, int seconds, RunEvent.Totals totals) {
        monitor.accept(RunEvent.progress(phase, seconds, totals));
    }

    @Test
    void ratesAreOfTheSecondsSinceTheLastLine() {
        progress(RunEvent.Type.WARM_UP, 1, new RunEvent.Totals(100, 10, 0));
        progress(RunEvent.Type.WARM_UP, 2, new RunEvent.Totals(200, 20, 4));
        progress(RunEvent.Type.WARM_UP, 2, new RunEvent.Totals(900, 90, 4));
        monitor.accept(RunEvent.tallies(RunEvent.Type.BEGIN, Map.of(), 0, true));
        progress(RunEvent.Type.MEASURING, 1, new RunEvent.Totals(1_000, 100, 4));
        progress(RunEvent.Type.MEASURING, 2, new RunEvent.Totals(1_100, 110, 4));

        assertThat(shown.toString().lines())
                .containsExactly(
                        "warm-up 2 s: 100 puts/s, 10 gets/s, 4 errors",
                        "The warm-up is over; now it counts",
                        "measuring 2 s: 100 puts/s, 10 gets/s");
    }
}
