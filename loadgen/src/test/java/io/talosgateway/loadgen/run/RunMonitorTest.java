package io.talosgateway.loadgen.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.measure.IntervalLog;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.Tally;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RunMonitorTest {

    private final StringWriter shown = new StringWriter();
    private final RunMonitor monitor = new RunMonitor(Progress.to(new PrintWriter(shown)), IntervalLog.NONE);

    private void tell(RunEvent.Type type, int seconds, int puts, int gets, int errors) {
        monitor.accept(RunEvent.tallies(
                type, Map.of(Kind.PUT, tally(puts, errors), Kind.GET, tally(gets, 0)), seconds * 1_000_000_000L, true));
    }

    /** Of answers that do not count, and errors. */
    private static Tally tally(int answered, int errors) {
        KindRecorder recorder = new KindRecorder();
        for (int number = 0; number < answered; number++) {
            recorder.answered(false, 1_000, 1, 1);
        }
        for (int number = 0; number < errors; number++) {
            recorder.failed(503, "overloaded", "");
        }
        return recorder.take();
    }

    @Test
    void ratesAreOfTheSecondsSinceTheLastLine() {
        tell(RunEvent.Type.WARM_UP, 1, 100, 10, 0);
        tell(RunEvent.Type.WARM_UP, 2, 100, 10, 4);
        tell(RunEvent.Type.BEGIN, 0, 700, 70, 0);
        tell(RunEvent.Type.SECOND, 1, 100, 10, 0);
        tell(RunEvent.Type.SECOND, 2, 100, 10, 0);
        tell(RunEvent.Type.SECOND, 3, 100, 10, 0);
        tell(RunEvent.Type.END, 4, 300, 10, 0);

        assertThat(shown.toString().lines())
                .containsExactly(
                        "warm-up 2 s: 100 puts/s, 10 gets/s, 4 errors",
                        "The warm-up is over; now it counts",
                        "measuring 2 s: 100 puts/s, 10 gets/s",
                        "measuring 4 s: 200 puts/s, 10 gets/s");
    }
}
