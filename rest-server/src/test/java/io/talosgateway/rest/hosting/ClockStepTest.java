package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.hosting.RecentPuts.Known;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.message.PutIdentity;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A wall clock that is set while a host runs, with real hosting and journals on simulated threads, ZooKeeper and storage. */
final class ClockStepTest {

    private static final Duration YEAR = Duration.ofDays(365);
    private static final TopicMetadata TOPIC = SimulatedCluster.topic(1, Duration.ofDays(1));
    private static final TopicPartition PARTITION = TOPIC.partition(0);

    private final SimulatedCluster cluster = new SimulatedCluster(TOPIC, SimulatedCluster.AT_ONCE);
    private SimulatedHost host;

    @BeforeEach
    void start() {
        host = cluster.start("a");
        pass(Duration.ofSeconds(1));
    }

    private void pass(Duration by) {
        cluster.time.advance(by);
        cluster.pass(1_000);
    }

    private void put(SimulatedHost owner, String key) {
        HostedPartition hosted = owner.hosting.get(PARTITION);
        MessageBatch batch = JournalFixture.batch(key);
        PutIdentity identity = PutIdentity.of(new IdempotencyKey(key, true), batch);
        CompletableFuture<AppendResult> outcome = hosted.log()
                .append(batch, identity, Durability.DISK, Deadline.NONE)
                .outcome();
        hosted.recentPuts().add(identity.fingerprint(), identity.digest(), outcome);
        owner.threads.drain(cluster.random);
        assertThat(outcome).isCompleted();
    }

    private static Known known(SimulatedHost owner, String key) {
        return owner.hosting
                .get(PARTITION)
                .recentPuts()
                .find(
                        new IdempotencyKey(key, true).fingerprint(),
                        JournalFixture.batch(key).digest())
                .known();
    }

    private static long logStart(SimulatedHost owner) throws IOException {
        owner.hosting.doUpkeep();
        return owner.hosting.get(PARTITION).log().logStartOffset();
    }

    @Test
    void nothingExpiresWhenTheClockIsSetAheadOrBack() throws Exception {
        put(host, "first");

        for (Duration offset : List.of(YEAR, YEAR.negated(), YEAR, Duration.ZERO)) {
            host.clockOffset = offset;
            pass(Duration.ofMinutes(1));
            put(host, "with the clock off by " + offset);

            assertThat(known(host, "first")).as("clock off by %s", offset).isEqualTo(Known.REPEAT);
            assertThat(logStart(host)).as("clock off by %s", offset).isZero();
        }
    }

    @Test
    void messagesAndKeysExpireInTheirTimeWhateverTheClockSays() throws Exception {
        put(host, "first");
        host.clockOffset = YEAR;
        pass(Duration.ofHours(25));
        put(host, "second");

        assertThat(known(host, "first")).isEqualTo(Known.NEW);
        assertThat(logStart(host)).isEqualTo(1);
    }

    @Test
    void ownerWhoseClockWasSetAheadKnowsThePutsOfTheOneBefore() throws Exception {
        put(host, "first");
        SimulatedHost second = cluster.start("b");
        pass(Duration.ofMinutes(1));
        SimulatedHost owner = second.hosting.find(PARTITION) == null ? host : second;
        SimulatedHost next = owner == host ? second : host;
        next.clockOffset = YEAR;
        cluster.die(owner);
        pass(Duration.ofMinutes(1));

        assertThat(known(next, "first")).isEqualTo(Known.REPEAT);
        assertThat(logStart(next)).isZero();
    }
}
