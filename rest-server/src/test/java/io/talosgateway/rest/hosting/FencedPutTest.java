package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.PutCondition;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority.Importance;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Puts with fencing tokens, to a host of a simulated cluster. */
final class FencedPutTest {

    private static final TopicMetadata TOPIC = SimulatedCluster.topic(1, Duration.ofDays(1));
    private static final TopicPartition PARTITION = TOPIC.partition(0);

    private final SimulatedCluster cluster = new SimulatedCluster(TOPIC, SimulatedCluster.AT_ONCE);
    private SimulatedHost host;

    @BeforeEach
    void start() {
        host = cluster.start("a");
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.pass(2_000);
    }

    private CompletableFuture<Void> setToken(String token, @Nullable String replaces) {
        return host.partitions.changeFencingToken(new FencingTokenChange(PARTITION, token, replaces), Deadline.NONE);
    }

    private CompletableFuture<PutResult> put(String token, Deadline deadline) {
        return host.partitions.put(new PutRequest(
                        PARTITION,
                        JournalFixture.batch("message"),
                        null,
                        Durability.DISK,
                        Importance.NORMAL,
                        deadline,
                        null)
                .onlyIf(new PutCondition(null, token)));
    }

    private static ErrorCode failure(CompletableFuture<?> answer) {
        assertThat(answer).isCompletedExceptionally();
        return GatewayException.in(answer.handle((result, reason) -> reason).join())
                .orElseThrow()
                .code();
    }

    @Test
    void tokenChangesWhenThePutsBeforeAreStored() {
        CompletableFuture<Void> first = setToken("a", null);
        cluster.pass(2_000);
        assertThat(first).isCompleted();
        CompletableFuture<PutResult> before = put("a", Deadline.NONE);
        CompletableFuture<Void> second = setToken("b", "a");
        assertThat(failure(put("a", Deadline.NONE))).isEqualTo(ErrorCode.PARTITION_MOVING);
        assertThat(second).isNotDone();
        cluster.pass(2_000);
        assertThat(before).isCompletedWithValueMatching(result -> result.firstOffset() == 0);
        assertThat(second).isCompleted();
        assertThat(failure(put("a", Deadline.NONE))).isEqualTo(ErrorCode.FENCED);
    }

    /** Or the token could never be changed again. */
    @Test
    void putThatTheLogRefusesIsNotWaitedFor() {
        setToken("a", null);
        cluster.pass(2_000);
        long past = cluster.time.nanoTime() - 1;
        assertThat(failure(put("a", Deadline.at(past)))).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
        CompletableFuture<Void> second = setToken("b", "a");
        cluster.pass(2_000);
        assertThat(second).isCompleted();
    }
}
