package io.talosgateway.loadgen.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PacingTest {

    private static final long MS = 1_000_000;

    /** When the first requests of some clients are due, in ms. */
    private static List<Long> firstOfEach(Traffic traffic) {
        List<Long> due = new ArrayList<>();
        IntFunction<Pacing> pacing = traffic.pacing(0);
        for (int client = 0; client < traffic.clients(); client++) {
            due.add(Math.round(pacing.apply(client).nextNanos() / (double) MS));
        }
        return due;
    }

    @Test
    void requestsAreDueAtEqualIntervals() {
        Pacing pacing = Pacing.at(4, 1_000);

        assertThat(LongStream.generate(pacing::nextNanos).limit(3)).containsExactly(1_000L, 250_001_000L, 500_001_000L);
    }

    @Test
    void closedLoopHasNone() {
        Traffic traffic = new Traffic(1, null, null);

        assertThat(traffic.pacing(0).apply(0)).isNull();
    }

    @Test
    void rateOfAllIsSharedByTheClients() {
        Traffic traffic = new Traffic(2, 10.0, null);

        assertThat(firstOfEach(traffic)).containsExactly(0L, 100L);
    }

    @Test
    void ratePerClientIsKeptByEachAndTheirStartsAreSpread() {
        Traffic traffic = new Traffic(2, null, 2.5);

        assertThat(firstOfEach(traffic)).containsExactly(0L, 200L);
        Pacing one = traffic.pacing(0).apply(1);
        assertThat(LongStream.generate(one::nextNanos).limit(3)).containsExactly(200 * MS, 600 * MS, 1000 * MS);
    }
}
