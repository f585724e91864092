package io.talosgateway.benchmarks.scaling;

import java.io.PrintWriter;
import java.io.Writer;

import io.talosgateway.rest.coordination.HostInfo.Intent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ScenarioTest {

    private static final int HOSTS = 20;
    private static final TopicSet TOPICS = TopicSet.even(50, 40, 7);

    private final Scenario scenario = new Scenario(TOPICS, placed(), HOSTS);

    private static Assignment placed() {
        SimulatedController controller = new SimulatedController(HOSTS, Scenario.DELAYS, new ZooKeeperUse());
        return Assignment.of(TOPICS, controller.placement());
    }

    @Test
    void whatALostHostHadMovesWhenItsTimeIsOver() {
        assertThat(scenario.lose(1, 7)).isBetween(5_000L, 5_200L);

        Outcome outcome = scenario.outcome("lost");
        assertThat(outcome.needed()).isBetween(80L, 120L);
        assertThat(outcome.moved()).isGreaterThanOrEqualTo(outcome.needed());
        assertThat(outcome.released()).isEqualTo(outcome.moved() - outcome.needed());
        // The end of the session, twice the placement (absent, gone), each record, and once more what is released.
        assertThat(outcome.zooKeeper().records()).isEqualTo(3 + outcome.moved() + outcome.released());
    }

    @Test
    void nothingMovesWhenHostsSayThatTheyComeBack() {
        scenario.restartAll(5, Intent.RESTART, new Progress(new PrintWriter(Writer.nullWriter())));

        assertThat(scenario.outcome("wait").moved()).isZero();
    }

    @Test
    void everythingMovesThereAndBackWhenHostsReleaseFirst() {
        scenario.restartAll(5, Intent.LEAVE, new Progress(new PrintWriter(Writer.nullWriter())));

        Outcome outcome = scenario.outcome("release");
        assertThat(outcome.needed()).isEqualTo(2L * TOPICS.partitions());
        assertThat(outcome.released()).isEqualTo(outcome.moved());
        assertThat(outcome.journals()).isGreaterThanOrEqualTo(3);
    }
}
