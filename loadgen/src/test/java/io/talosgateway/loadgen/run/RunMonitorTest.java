package io.talosgateway.loadgen.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.Tally;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RunMonitorTest {

    private static final long SECOND_NANOS = 1_000_000_000;

    private final StringWriter shown = new StringWriter();
    private final RunMonitor monitor = new RunMonitor(Progress.to(new PrintWriter(shown)));

    private static Map<Kind, Tally> tallies(int puts, int gets, int errors) {
        return Map.of(Kind.PUT, tally(puts, errors), Kind.GET, tally(gets, 0));
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
        monitor.warmUp(tallies(100, 10, 0), 1 * SECOND_NANOS);
        monitor.warmUp(tallies(100, 10, 4), 2 * SECOND_NANOS);
        monitor.begin(tallies(700, 70, 0), true);
        monitor.second(tallies(100, 10, 0), 1 * SECOND_NANOS);
        monitor.second(tallies(100, 10, 0), 2 * SECOND_NANOS);
        monitor.second(tallies(100, 10, 0), 3 * SECOND_NANOS);
        monitor.end(tallies(300, 10, 0), 4 * SECOND_NANOS);

        assertThat(shown.toString().lines())
                .containsExactly(
                        "warm-up 2 s: 100 puts/s, 10 gets/s, 4 errors",
                        "The warm-up is over; now it counts",
                        "measuring 2 s: 100 puts/s, 10 gets/s",
                        "measuring 4 s: 200 puts/s, 10 gets/s");
    }
}
