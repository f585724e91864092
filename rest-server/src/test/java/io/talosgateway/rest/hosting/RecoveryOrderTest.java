package io.talosgateway.rest.hosting;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.talosgateway.rest.journal.JournalId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RecoveryOrderTest {

    private static final int HOSTS = 1_000;

    private static List<JournalId> lost(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new JournalId("host-" + number, 1))
                .toList();
    }

    @Test
    void hostsBeginElsewhere() {
        Map<JournalId, Integer> first = new HashMap<>();
        for (int host = 0; host < HOSTS; host++) {
            first.merge(
                    lost(50).stream()
                            .min(RecoveryOrder.of("host-" + (100 + host)))
                            .orElseThrow(),
                    1,
                    Integer::sum);
        }

        // Twenty each would be even.
        assertThat(first).hasSize(50);
        assertThat(first.values()).allSatisfy(hosts -> assertThat(hosts).isBetween(5, 45));
    }
}
