package io.talosgateway.verifier;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Gets that were not answered in time. */
final class LateGetsTest {

    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final List<String> GATEWAYS = List.of("gateway-1", "gateway-2");

    private final FaultWindows faults = new FaultWindows();
    private final Violations violations = new Violations();
    private final LateGets gets = new LateGets(500 * MS);

    private static Get get(int gateway, int partition, long endMs, String code) {
        return new Get(partition, From.LATEST, gateway, 0, endMs * MS, 1_000, GetAnswer.failed(code, ""));
    }

    @Test
    void onlyWhatNothingExcusesIsWrong() {
        faults.begin(1, 0);
        gets.ended(get(0, 7, 1_000, "read"));
        gets.ended(get(0, 7, 1_500, "read"));
        gets.ended(get(0, 7, 1_501, "read"));
        gets.ended(get(0, 8, 2_500, "no-answer"));
        gets.ended(get(1, 9, 2_500, "no-answer"));

        gets.check(faults, GATEWAYS, violations);

        assertThat(violations.counts()).isEqualTo(Map.of(Rule.IN_TIME, 1L, Rule.ANSWERED, 1L));
        assertThat(violations.first())
                .extracting(Violations.Violation::text)
                .containsExactlyInAnyOrder(
                        "a get of partition 7 at 0.000 s by gateway-1, to which nothing was done, ended with read after "
                                + "1.501 s; it had 1.000 s",
                        "a get of partition 8 at 0.000 s by gateway-1, to which nothing was done, ended with no-answer "
                                + "after 2.500 s; it had 1.000 s");
        assertThat(gets.latestMs()).isEqualTo(501);
    }
}
