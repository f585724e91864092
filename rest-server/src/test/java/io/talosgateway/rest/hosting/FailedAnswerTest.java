package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.produce.ProduceMetrics;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.InlineExecutor;
import io.talosgateway.scheduler.Priority.Importance;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A put whose answer cannot be made although its messages are stored. */
final class FailedAnswerTest {

    private static final TopicMetadata TOPIC = SimulatedCluster.topic(1, Duration.ofDays(1));
    private static final TopicPartition PARTITION = TOPIC.partition(0);

    private final SimulatedCluster cluster = new SimulatedCluster(TOPIC, SimulatedCluster.AT_ONCE);
    private boolean clockFails;

    private long nanoTime() {
        if (clockFails) {
            throw new IllegalStateException("no clock");
        }
        return cluster.time.nanoTime();
    }

    /** Its client would wait until the connection is closed. */
    @Test
    void putFailsWhenItsAnswerDoes() {
        SimulatedHost host = cluster.start("a");
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.pass(2_000);
        HostedPartition hosted = host.hosting.get(PARTITION);
        ProduceService puts = new ProduceService(
                new InlineExecutor<>(),
                cluster.time,
                Runnable::run,
                Durability.DISK,
                this::nanoTime,
                new ProduceMetrics(new CollectorRegistry()));

        CompletableFuture<PutResult> put = puts.put(
                hosted,
                new PutRequest(
                        PARTITION,
                        JournalFixture.batch("message"),
                        null,
                        null,
                        Importance.NORMAL,
                        Deadline.NONE,
                        null));
        assertThat(put).isNotDone();
        clockFails = true;
        cluster.pass(2_000);

        assertThat(hosted.log().durableOffset()).isEqualTo(1);
        assertThat(put)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingRootCause()
                .withMessage("no clock");
        assertThat(hosted.undecidedPuts().isEmpty()).isTrue();
    }
}
