package io.talosgateway.loadgen.process;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GcLogTest {

    private static final List<String> LINES = List.of(
            "[1700000000000ms] Using G1",
            "[1700000001000ms] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->3M(256M) 2.500ms",
            "[1700000002000ms] GC(1) Concurrent Mark Cycle",
            "[1700000002100ms] GC(1) Pause Remark 30M->28M(256M) 1.000ms",
            "[1700000002200ms] GC(1) Concurrent Mark Cycle 200.500ms",
            "[1700000003000ms] GC(2) To-space exhausted",
            "[1700000003000ms] GC(2) Pause Full (G1 Compaction Pause) 189M->150M(192M) 210.250ms");

    @Test
    void pausesAreReadAndWhatIsConcurrentIsNone() {
        GcLog log = GcLog.parse(LINES);

        assertThat(log.pauses())
                .containsExactly(
                        new GcLog.Pause(1700000001000L, 2.5, "Young (Normal) (G1 Evacuation Pause)"),
                        new GcLog.Pause(1700000002100L, 1.0, "Remark"),
                        new GcLog.Pause(1700000003000L, 210.25, "Full (G1 Compaction Pause)"));
        assertThat(log.pauses().get(0).startMs()).isEqualTo(1700000000997.5);
    }

    @Test
    void sumsAreOfTheStretchThatIsAskedFor() {
        GcLog log = GcLog.parse(LINES).between(1700000001000L, 1700000003000L);

        assertThat(log.pauses()).hasSize(2);
        assertThat(log.longestMs()).isEqualTo(2.5);
        assertThat(log.full()).isZero();
        assertThat(GcLog.parse(LINES).full()).isEqualTo(1);
    }

    @Test
    void nothingIsLongWhereThereIsNothing() {
        assertThat(GcLog.parse(List.of()).longestMs()).isZero();
    }
}
