package io.talosgateway.benchmarks.scaling;

import java.util.Map;

import io.talosgateway.benchmarks.scaling.JournalCosts.Terms;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class TakeOverRunTest {

    /** Whoever looks opens each file, and that is all. */
    private static final JournalCosts JOURNAL = new JournalCosts(
            new Terms(Map.of(), Map.of("open", 1), Map.of("open", 1)),
            new Terms(Map.of(), Map.of("open", 1), Map.of("open", 1)));

    private static Costs costs(double nameNodeReads) {
        return new Costs(1e9, 1e9, nameNodeReads, 1e9, Map.of("open", 1), Map.of(), 1e12, 2, 1000, 0, 1e12);
    }

    private static TakeOverRun run(int files, double nameNodeReads) {
        return new TakeOverRun(JOURNAL, costs(nameNodeReads), files, 1, 0, 0);
    }

    @Test
    void oneHostRecoversAndTheOthersWaitASecondAtATime() {
        TakeOverRun.Result result = run(99, 1e9).run(1, 10);

        assertThat(result.recoveries()).isEqualTo(1);
        assertThat(result.nameNode().reads()).isEqualTo(10 * 100);
        // A fence and 100 footers of 2 ms, 8 at a time; two polls, and the footers again.
        assertThat(result.lastMs()).isCloseTo(2_000 + 26, within(1.0));
    }

    @Test
    void whoHasWaitedTooLongRecoversAsWell() {
        assertThat(run(150_000, 1e9).run(1, 10).recoveries()).isEqualTo(10);
    }

    @Test
    void nameNodeIsTheLimitWhenManyHostsAsk() {
        TakeOverRun.Result result = run(99, 1_000).run(5, 100);

        assertThat(result.nameNode().reads()).isEqualTo(5 * 100 * 100);
        assertThat(result.lastMs()).isGreaterThan(50_000);
    }
}
