package io.talosgateway.loadgen.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.Millis;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.run.RunEvent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TakeMergeTest {

    private static final long SECOND = 1_000_000_000;
    private static final long MS = 1_000_000;

    private final List<String> heard = new ArrayList<>();
    private final List<Tally> tallies = new ArrayList<>();
    private final TakeMerge merge = new TakeMerge(2, this::hear);

    private void hear(RunEvent event) {
        Tally puts = event.tallies().getOrDefault(Kind.PUT, new Tally());
        tallies.add(puts);
        heard.add("%s %d at %d".formatted(event.type(), puts.latency().getTotalCount(), event.atNanos() / SECOND));
    }

    private void add(int process, RunEvent.Type type, Map<Kind, Tally> taken, long nanos) {
        merge.add(process, RunEvent.tallies(type, taken, nanos, true));
    }

    private static Map<Kind, Tally> puts(int count, long ms) {
        KindRecorder recorder = new KindRecorder();
        for (int number = 0; number < count; number++) {
            recorder.answered(true, ms * MS, 1, 10);
        }
        return Map.of(Kind.PUT, recorder.take());
    }

    @Test
    void secondsOfTheProcessesMakeOneWhicheverComesFirst() {
        add(0, RunEvent.Type.BEGIN, Map.of(), 0);
        add(0, RunEvent.Type.SECOND, puts(3, 5), SECOND);
        add(1, RunEvent.Type.BEGIN, Map.of(), 0);
        add(0, RunEvent.Type.END, puts(1, 5), 2 * SECOND);
        add(1, RunEvent.Type.SECOND, puts(4, 5), SECOND + MS);
        add(1, RunEvent.Type.END, puts(2, 5), 2 * SECOND);

        assertThat(heard).containsExactly("BEGIN 0 at 0", "SECOND 7 at 1", "END 3 at 2");
    }

    @Test
    void percentilesAreThoseOfAllRequestsAndNotMeansOfPercentiles() {
        add(0, RunEvent.Type.BEGIN, Map.of(), 0);
        add(1, RunEvent.Type.BEGIN, Map.of(), 0);
        add(0, RunEvent.Type.END, puts(99, 1), SECOND);
        add(1, RunEvent.Type.END, puts(1, 1000), SECOND);

        Tally all = tallies.get(1);
        assertThat(Millis.percentile(all.latency(), 50)).isBetween(0.99, 1.01);
        assertThat(Millis.percentile(all.latency(), 99)).isBetween(0.99, 1.01);
        assertThat(Millis.percentile(all.latency(), 100)).isBetween(999.0, 1001.0);
        assertThat(all.messages()).isEqualTo(100);
    }

    @Test
    void processThatEndsBeforeTheOthersIsMissingFromThenOn() {
        add(0, RunEvent.Type.BEGIN, Map.of(), 0);
        add(1, RunEvent.Type.BEGIN, Map.of(), 0);
        add(0, RunEvent.Type.SECOND, puts(3, 5), SECOND);
        add(1, RunEvent.Type.SECOND, puts(3, 5), SECOND);
        merge.gone(0);
        add(1, RunEvent.Type.SECOND, puts(2, 5), 2 * SECOND);
        add(1, RunEvent.Type.END, puts(1, 5), 3 * SECOND);
        merge.gone(1);

        assertThat(heard).containsExactly("BEGIN 0 at 0", "SECOND 6 at 1", "SECOND 2 at 2", "END 1 at 3");
    }

    @Test
    void processWhoseWarmUpIsOverWaitsForTheOthers() {
        add(0, RunEvent.Type.WARM_UP, puts(1, 5), SECOND);
        add(0, RunEvent.Type.BEGIN, Map.of(), 0);
        add(1, RunEvent.Type.WARM_UP, puts(1, 5), SECOND);
        add(1, RunEvent.Type.WARM_UP, puts(3, 5), 2 * SECOND);
        add(0, RunEvent.Type.END, puts(1, 5), SECOND);
        add(1, RunEvent.Type.BEGIN, Map.of(), 0);
        add(1, RunEvent.Type.END, puts(1, 5), SECOND);

        assertThat(heard).containsExactly("WARM_UP 2 at 1", "WARM_UP 3 at 2", "BEGIN 0 at 0", "END 2 at 1");
    }

    @Test
    void tallyIsTheSameAfterItsWayBetweenProcesses() {
        KindRecorder recorder = new KindRecorder();
        recorder.answered(true, 7 * MS, 2, 30);
        recorder.refused(true, 3 * MS);
        recorder.failed(503, "overloaded", "Too much.");
        Tally tally = recorder.take();

        String line = RunEvent.tallies(RunEvent.Type.END, Map.of(Kind.PUT, tally), 5, true)
                .toLine();
        Tally read = RunEvent.parse(line).tallies().get(Kind.PUT);

        assertThat(line).doesNotContain("\n");
        assertThat(read.latency()).isEqualTo(tally.latency());
        assertThat(read.refusal()).isEqualTo(tally.refusal());
        assertThat(read.answered()).isEqualTo(1);
        assertThat(read.messages()).isEqualTo(2);
        assertThat(read.bytes()).isEqualTo(30);
        assertThat(read.errors()).isEqualTo(tally.errors());
    }
}
