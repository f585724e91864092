package io.talosgateway.benchmarks.scaling;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class JournalCostsTest {

    /** The same as TakeOverCostTest finds for two lanes of three files. */
    @Test
    void smallJournalsTellWhatLargerOnesCost() throws Exception {
        JournalCosts costs = JournalCosts.count();

        assertThat(costs.first().calls(4, 2))
                .isEqualTo(Map.of(
                        "exists",
                        1L,
                        "delete",
                        1L,
                        "list",
                        2L,
                        "fence",
                        6L,
                        "open",
                        8L,
                        "force",
                        2L,
                        "createWhole",
                        3L));
        assertThat(costs.later().calls(4, 2)).isEqualTo(Map.of("exists", 1L, "list", 1L, "open", 7L));
    }
}
