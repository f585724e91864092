package io.talosgateway.scheduler;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RunTimesTest {

    private static final long MS = 1_000_000;

    private final RunTimes runTimes = new RunTimes();

    private void addRuns(int runs, long nanos) {
        for (int run = 0; run < runs; run++) {
            runTimes.add(nanos);
        }
    }

    @Test
    void oneRunThatIsInterruptedDoublesTheMeanAtMost() {
        runTimes.add(MS);
        runTimes.add(10_000 * MS);

        assertThat(runTimes.expectedNanos(1)).isEqualTo(2 * MS);
    }

    @Test
    void meanFollowsTasksThatAllTakeLonger() {
        runTimes.add(MS);
        addRuns(30, 1_000 * MS);

        assertThat(runTimes.expectedNanos(1)).isBetween(500 * MS, 1_000 * MS);
    }

    @Test
    void meanFollowsTasksThatAllTakeLessTime() {
        runTimes.add(1_000 * MS);
        addRuns(30, MS);

        assertThat(runTimes.expectedNanos(1)).isBetween(MS, 500 * MS);
    }

    @Test
    void meanRisesFromZero() {
        runTimes.add(0);
        addRuns(40, MS);

        assertThat(runTimes.expectedNanos(1)).isBetween(MS / 2, MS);
    }
}
