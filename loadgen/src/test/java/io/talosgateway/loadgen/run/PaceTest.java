package io.talosgateway.loadgen.run;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PaceTest {

    private static final long MS = 1_000_000;

    @Test
    void messagesTakeTheirTimeOneAfterAnother() {
        Pace pace = new Pace(2 * MS, 100 * MS);

        assertThat(pace.doneAtNanos(100 * MS)).isEqualTo(102 * MS);
        assertThat(pace.doneAtNanos(102 * MS)).isEqualTo(104 * MS);
    }

    @Test
    void aLateWakeUpIsCaughtUp() {
        Pace pace = new Pace(2 * MS, 100 * MS);

        assertThat(pace.doneAtNanos(100 * MS)).isEqualTo(102 * MS);
        assertThat(pace.doneAtNanos(103 * MS)).isEqualTo(104 * MS);
    }

    @Test
    void aLongStallIsNotCaughtUp() {
        Pace pace = new Pace(2 * MS, 100 * MS);

        assertThat(pace.doneAtNanos(1_000 * MS)).isEqualTo(990 * MS);
    }

    @Test
    void idleTimeIsNotSaved() {
        Pace pace = new Pace(2 * MS, 100 * MS);

        pace.idleUntil(500 * MS);

        assertThat(pace.doneAtNanos(500 * MS)).isEqualTo(502 * MS);
    }
}
