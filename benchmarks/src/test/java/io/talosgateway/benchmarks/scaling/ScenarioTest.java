package io.talosgateway.benchmarks.scaling;

import io.talosgateway.rest.coordination.HostInfo.Intent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ScenarioTest {

    private static final int HOSTS = 20;
    private static final TopicSet TOPICS = TopicSet.even(50, 40, 7);

    private final Scenario scenario = new Scenario(TOPICS, new Assignment(TOPICS, Scenario.allPresent(HOSTS)), HOSTS);
    private final OwnershipState ownership = scenario.ownership();

    @Test
    void whatALostHostHadMovesWhenItsTimeIsOver() {
        assertThat(scenario.lose(1, 7)).isBetween(5_000L, 5_200L);

        assertThat(ownership.needed).isBetween(80L, 120L);
        assertThat(ownership.moved).isGreaterThanOrEqualTo(ownership.needed);
        assertThat(ownership.released).isEqualTo(ownership.moved - ownership.needed);
        // The end of the session, twice the placement (absent, gone), each record, and once more what is released.
        assertThat(scenario.zooKeeper().records).isEqualTo(3 + ownership.moved + ownership.released);
    }

    @Test
    void partitionsAreEvenlyDividedAlsoWhenAHostIsGone() {
        scenario.lose(1, 7);

        // No host has more than a tenth over its share of a topic, and one more.
        assertThat(scenario.balance().worstTopic()).isLessThanOrEqualTo(1);
        assertThat(scenario.balance().most()).isBetween(1.0, 1.3);
        assertThat(scenario.balance().p99())
                .isLessThanOrEqualTo(scenario.balance().most());
    }

    @Test
    void nothingMovesWhenHostsSayThatTheyComeBack() {
        scenario.restartAll(5, Intent.RESTART);

        assertThat(ownership.moved).isZero();
    }

    @Test
    void everythingMovesThereAndBackWhenHostsReleaseFirst() {
        scenario.restartAll(5, Intent.LEAVE);

        assertThat(ownership.needed).isEqualTo(2L * 50 * 40);
        assertThat(ownership.released).isEqualTo(ownership.moved);
        assertThat(ownership.mostJournals()).isGreaterThanOrEqualTo(3);
    }
}
