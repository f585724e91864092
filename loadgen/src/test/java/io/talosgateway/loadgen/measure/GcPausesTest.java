package io.talosgateway.loadgen.measure;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class GcPausesTest {

    @Test
    void collectionIsNotedWhenItWas() {
        try (GcPauses pauses = new GcPauses()) {
            long fromNanos = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
            List<GcPause> noted = pauses.since(fromNanos);
            while (noted.isEmpty()) {
                collect();
                noted = pauses.since(fromNanos);
            }

            GcPause pause = noted.get(0);
            assertThat(pause.atSeconds()).isBetween(0.0, (System.nanoTime() - fromNanos) / 1e9);
            assertThat(pause.ms()).isNotNegative();
            assertThat(pause.cause()).isNotEmpty();
            assertThat(pauses.since(System.nanoTime() + TimeUnit.HOURS.toNanos(1)))
                    .isEmpty();
        }
    }

    /** What else would bring one about? */
    private static void collect() {
        System.gc();
    }
}
