package io.talosgateway.loadgen.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.TreeMap;

import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.measure.IntervalLog;
import io.talosgateway.loadgen.measure.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RunMonitorTest {

    private final StringWriter shown = new StringWriter();
    private final RunMonitor monitor = new RunMonitor(Progress.to(new PrintWriter(shown)), IntervalLog.NONE);

    private void progress(RunEvent.Type phase, int seconds, RunEvent.Totals totals) {
        monitor.accept(RunEvent.progress(phase, seconds, totals));
    }

    private static RunEvent.Totals totals(long puts, long gets, long errors) {
        return new RunEvent.Totals(new TreeMap<>(Map.of(Kind.PUT, puts, Kind.GET, gets)), errors);
    }

    @Test
    void ratesAreOfTheSecondsSinceTheLastLine() {
        progress(RunEvent.Type.WARM_UP, 1, totals(100, 10, 0));
        progress(RunEvent.Type.WARM_UP, 2, totals(200, 20, 4));
        progress(RunEvent.Type.WARM_UP, 2, totals(900, 90, 4));
        monitor.accept(RunEvent.tallies(RunEvent.Type.BEGIN, Map.of(), 0, true));
        progress(RunEvent.Type.MEASURING, 1, totals(1_000, 100, 4));
        progress(RunEvent.Type.MEASURING, 2, totals(1_100, 110, 4));

        assertThat(shown.toString().lines())
                .containsExactly(
                        "warm-up 2 s: 100 puts/s, 10 gets/s, 4 errors",
                        "The warm-up is over; now it counts",
                        "measuring 2 s: 100 puts/s, 10 gets/s");
    }
}
