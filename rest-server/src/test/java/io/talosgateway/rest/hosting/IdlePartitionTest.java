package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The end of a partition that is idle for longer than its retention, while hosts come and go, step by step. */
final class IdlePartitionTest {

    private static final Duration RETENTION = Duration.ofHours(1);
    private static final TopicMetadata TOPIC = SimulatedCluster.topic(1, RETENTION);
    private static final TopicPartition PARTITION = TOPIC.partition(0);

    private final SimulatedCluster cluster = new SimulatedCluster(TOPIC, SimulatedCluster.AT_ONCE);

    @BeforeEach
    void start() {
        cluster.start("a");
        pass(Duration.ofSeconds(1));
        put(0);
        put(1);
    }

    /** Time passes, and everybody does what there is to do; files get old, and are ended. */
    private void pass(Duration by) {
        cluster.time.advance(by);
        cluster.pass(2_000);
    }

    /** Whatever can be deleted is. */
    private void expire() throws Exception {
        pass(Duration.ofSeconds(10));
        pass(RETENTION.multipliedBy(2));
        for (SimulatedHost host : cluster.hosts) {
            host.hosting.doUpkeep();
        }
    }

    private SimulatedHost owner() {
        return cluster.hosts.stream()
                .filter(host -> host.hosting.find(PARTITION) != null)
                .findAny()
                .orElseThrow();
    }

    private void put(long expectedOffset) {
        SimulatedHost owner = owner();
        CompletableFuture<AppendResult> outcome = owner.hosting
                .get(PARTITION)
                .log()
                .append(JournalFixture.batch("message"), null, Durability.DISK, Deadline.NONE)
                .outcome();
        owner.threads.drain(cluster.random);
        assertThat(outcome).isCompletedWithValueMatching(result -> result.firstOffset() == expectedOffset);
    }

    /** Another host takes the partition, while the first lives on. */
    private void moveTo(SimulatedHost next) {
        SimulatedHost owner = owner();
        owner.zooKeeper.hosts.announce(cluster.zooKeeper.alive.get(owner.name).with(Intent.LEAVE));
        pass(Duration.ofMillis(200));
        assertThat(owner()).isSameAs(next);
        owner.zooKeeper.hosts.announce(cluster.zooKeeper.alive.get(owner.name).with(Intent.SERVE));
    }

    private void die(SimulatedHost host) {
        cluster.die(host);
        pass(Duration.ofSeconds(1));
    }

    private OwnershipRecord record() {
        return Objects.requireNonNull(cluster.zooKeeper.ownership.get(PARTITION))
                .ownership();
    }

    @Test
    void partitionThatComesBackToAJournalWithoutFilesGoesOnWhereItEnded() throws Exception {
        SimulatedHost first = owner();
        SimulatedHost second = cluster.start("b");
        pass(Duration.ofSeconds(1));
        if (owner() == first) {
            moveTo(second);
        }
        expire();
        assertThat(record().startOffset()).isEqualTo(2);
        die(second);
        assertThat(owner()).isSameAs(first);
        SimulatedHost third = cluster.start("c");
        pass(Duration.ofSeconds(1));
        die(first);
        assertThat(owner()).isSameAs(third);

        assertThat(owner().hosting.get(PARTITION).log().durableOffset()).isEqualTo(2);
        put(2);
    }

    @Test
    void releaseRecordsTheEndWhenNoFileNamesThePartition() throws Exception {
        expire();
        SimulatedHost first = owner();
        SimulatedHost second = cluster.start("b");
        pass(Duration.ofSeconds(1));
        if (owner() == first) {
            moveTo(second);
        }
        assertThat(record().endOffset()).isEqualTo(2);
        put(2);
    }

    @Test
    void lastFileOfALostHostStaysUntilItsPartitionsHaveAnotherOwner() throws Exception {
        SimulatedHost first = owner();
        SimulatedHost other = cluster.start("b");
        pass(Duration.ofSeconds(1));
        if (owner() == other) {
            moveTo(first);
            pass(Duration.ofSeconds(1));
        }
        long end = owner().hosting.get(PARTITION).log().durableOffset();
        cluster.time.advance(RETENTION.multipliedBy(2));
        // Its files are found, and are out of their retention, before anybody has taken its partitions.
        cluster.die(first);
        other.hosting.doUpkeep();
        pass(Duration.ofSeconds(1));
        other.hosting.doUpkeep();

        assertThat(owner()).isSameAs(other);
        assertThat(owner().hosting.get(PARTITION).log().durableOffset()).isEqualTo(end);
        put(end);
    }

    /** Nobody knows all files of its journal: those that are indexed are not kept in memory. */
    @Test
    void journalOfAHostThatIsGoneIsDeletedByOneThatLives() throws Exception {
        SimulatedHost first = owner();
        for (int offset = 2; offset < 10; offset++) {
            put(offset);
            pass(Duration.ofSeconds(4));
        }
        cluster.start("b");
        cluster.start("c");
        pass(Duration.ofSeconds(1));
        die(first);
        put(10);
        SimulatedHdfs.View storage = cluster.hdfs.new View();
        assertThat(storage.list("journals/a/0000000001"))
                .extracting(JournalStorage.StoredFile::name)
                .anyMatch(name -> name.endsWith(".index"))
                .anyMatch(name -> name.endsWith(".journal"));

        expire();
        assertThat(record().startOffset()).isEqualTo(11);
        expire();
        assertThat(storage.list("journals/a/0000000001")).isEmpty();
        assertThat(storage.list("journals/a")).isEmpty();
        put(11);
    }

    /** The files that the old record names are deleted, rightly. */
    @Test
    void partitionIsNotRefusedByWhatAnOldRecordNames() throws Exception {
        SimulatedHost first = owner();
        SimulatedHost second = cluster.start("b");
        pass(Duration.ofSeconds(1));
        if (owner() == first) {
            moveTo(second);
        }
        Map<TopicPartition, Versioned> old = Map.copyOf(cluster.zooKeeper.ownership);
        die(first);
        SimulatedHost third = cluster.start("c");
        pass(Duration.ofSeconds(1));
        die(second);
        expire();
        assertThat(record().startOffset()).isEqualTo(2);
        SimulatedHost fourth = cluster.start("d");
        pass(Duration.ofSeconds(1));
        if (owner() == fourth) {
            moveTo(third);
        }

        fourth.zooKeeper.fallBehind(old);
        die(third);

        assertThat(fourth.hosting.refused()).isZero();
        assertThat(owner()).isSameAs(fourth);
        assertThat(owner().hosting.get(PARTITION).log().durableOffset()).isEqualTo(2);
    }

    /** Somebody has deleted the files of the journal. */
    @Test
    void partitionWhoseMessagesAreMissingIsRefused() throws Exception {
        SimulatedHost first = owner();
        SimulatedHost second = cluster.start("b");
        pass(Duration.ofSeconds(1));
        if (owner() == first) {
            moveTo(second);
        }
        die(second);
        die(first);
        cluster.hdfs.deleteAll();
        SimulatedHost third = cluster.start("c");
        pass(Duration.ofSeconds(1));

        assertThat(third.hosting.find(PARTITION)).isNull();
        assertThat(third.hosting.refused()).isEqualTo(1);
        assertThatThrownBy(() -> third.hosting.get(PARTITION)).isInstanceOfSatisfying(GatewayException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_CORRUPT);
            assertThat(e.getMessage())
                    .contains("The newest 2 messages", "up to offset 1", "journal.accept-damage=true");
        });
    }
}
