package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.talosgateway.rest.coordination.Hosts.HostInfo;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.TopicQuota;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What coordination promises, wherever ZooKeeper runs. */
@Timeout(60)
abstract class CoordinationContract {

    private static final Random random = new Random(20261120);

    ZooKeeperCoordination coordination;

    abstract ZooKeeperConfig config();

    @BeforeEach
    void open() throws IOException {
        coordination = ZooKeeperCoordination.open(config());
    }

    @AfterEach
    void close() {
        coordination.close();
    }

    void reopen() throws IOException {
        coordination.close();
        coordination = ZooKeeperCoordination.open(config());
    }

    static TopicMetadata topic(String name, int partitions) {
        return new TopicMetadata(
                new TopicName(name),
                TopicId.random(random),
                "owner#1",
                partitions,
                Duration.ofHours(7),
                Map.of("a", "1"),
                Map.of("CI1", 7),
                new TopicQuota(1L, 2, 3, 4L, null),
                1_600_000_000_000L);
    }

    static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }

    @Test
    void topicIsFoundByNameAndIdAlsoAfterAReopen() throws Exception {
        TopicMetadata topic = topic("t", 3);
        coordination.topics().create(topic);

        assertThat(coordination.topics().find(topic.name())).isEqualTo(topic);
        assertThat(coordination.topics().find(topic.id())).isEqualTo(topic);
        reopen();
        assertThat(coordination.topics().find(topic.name())).isEqualTo(topic);
        assertThat(coordination.topics().find(topic.id())).isEqualTo(topic);
        assertThat(coordination.topics().all()).containsExactly(topic);
        assertFails(ErrorCode.TOPIC_EXISTS, () -> coordination.topics().create(topic("t", 1)));
    }

    @Test
    void topicIsChangedByCompareAndSet() {
        TopicRegistry topics = coordination.topics();
        TopicMetadata before = topic("t", 3);
        topics.create(before);
        TopicMetadata after = before.with(4, Duration.ofHours(8), Map.of());
        topics.update(before, after);

        assertThat(topics.find(before.name())).isEqualTo(after);
        assertThat(topics.find(before.id())).isEqualTo(after);
        assertFails(ErrorCode.OVERLOADED, () -> topics.update(before, before.with(5, Duration.ofHours(8), Map.of())));
        topics.delete(after);
        assertFails(ErrorCode.TOPIC_NOT_FOUND, () -> topics.update(after, before));
    }

    @Test
    void deletedTopicIsGoneAndItsNameFree() {
        TopicRegistry topics = coordination.topics();
        TopicMetadata first = topic("t", 1);
        topics.create(first);
        topics.delete(first);
        topics.delete(first);
        assertThat(topics.find(first.name())).isNull();
        assertThat(topics.find(first.id())).isNull();
        TopicMetadata second = topic("t", 2);
        topics.create(second);

        topics.delete(first);

        assertThat(topics.find(first.name())).isEqualTo(second);
        assertThat(topics.find(first.id())).isNull();
        assertFails(ErrorCode.TOPIC_NOT_FOUND, () -> topics.update(first, first));
    }

    private static OwnershipRecord record(long epoch) {
        return new OwnershipRecord(
                "host-1",
                3,
                new OwnerEpoch(epoch),
                List.of(new JournalReference("host-0", 1, 0, 0), new JournalReference("host-1", 3, 17, 1 << 20)),
                5);
    }

    private static List<Change> changes(TopicMetadata topic, List<Integer> versions, long epoch) {
        List<Change> changes = new ArrayList<>();
        for (int partition = 0; partition < topic.partitions(); partition++) {
            changes.add(new Change(topic.partition(partition), versions.get(partition), record(epoch)));
        }
        return changes;
    }

    @Test
    void ownershipOfManyPartitionsIsWrittenAndReadBack() throws Exception {
        OwnershipRecords ownership = coordination.ownership();
        TopicMetadata topic = topic("many", 1_200);
        assertThat(ownership.read(topic)).isEmpty();
        List<Integer> absent = java.util.Collections.nCopies(1_200, OwnershipRecords.ABSENT);

        List<Integer> versions = ownership.write(changes(topic, absent, 1));
        versions = ownership.write(changes(topic, versions, 2));

        Map<TopicPartition, Versioned> read = ownership.read(topic);
        assertThat(read).hasSize(1_200);
        assertThat(read.get(topic.partition(1_199))).isEqualTo(new Versioned(record(2), versions.get(1_199)));
        assertThat(ownership.topics()).containsExactly(topic.id());
        ownership.delete(topic.id());
        ownership.delete(topic.id());
        assertThat(ownership.read(topic)).isEmpty();
        assertThat(ownership.topics()).isEmpty();
    }

    @Test
    void ownershipThatSomebodyElseChangedIsNotOverwritten() throws Exception {
        OwnershipRecords ownership = coordination.ownership();
        TopicMetadata topic = topic("t", 2);
        List<Integer> absent = List.of(OwnershipRecords.ABSENT, OwnershipRecords.ABSENT);
        List<Integer> versions = ownership.write(changes(topic, absent, 1));
        ownership.write(changes(topic, versions, 2));

        assertThatThrownBy(() -> ownership.write(changes(topic, versions, 3)))
                .isInstanceOf(StaleOwnershipException.class);
        assertThatThrownBy(() -> ownership.write(changes(topic, absent, 3)))
                .isInstanceOf(StaleOwnershipException.class);
        assertThat(ownership.read(topic).get(topic.partition(0)).ownership()).isEqualTo(record(2));
    }

    /** The answer to a write was lost, and it is made again. */
    @Test
    void ownershipThatIsAlreadyAsWantedIsWritten() throws Exception {
        OwnershipRecords ownership = coordination.ownership();
        TopicMetadata topic = topic("t", 2);
        List<Change> changes = changes(topic, List.of(OwnershipRecords.ABSENT, OwnershipRecords.ABSENT), 1);
        List<Integer> versions = ownership.write(changes);

        assertThat(ownership.write(changes)).isEqualTo(versions);
    }

    @Test
    void incarnationsOfAHostCountUp() throws Exception {
        assertThat(coordination.hosts().nextIncarnation("a")).isEqualTo(1);
        assertThat(coordination.hosts().nextIncarnation("a")).isEqualTo(2);
        assertThat(coordination.hosts().nextIncarnation("b")).isEqualTo(1);
        reopen();
        assertThat(coordination.hosts().nextIncarnation("a")).isEqualTo(3);
    }

    @Test
    void hostIsRegisteredAgainAfterItLeft() throws Exception {
        HostInfo host = new HostInfo("a", 1, "127.0.0.1:1");
        coordination.hosts().register(host);
        coordination.hosts().register(host);
        coordination.hosts().unregister("a");
        coordination.hosts().unregister("a");
        coordination.hosts().register(new HostInfo("a", 2, "127.0.0.1:1"));
        assertThat(coordination.hosts().isConnected()).isTrue();
    }

    @Test
    void clusterHasOneIdForEver() throws Exception {
        assertThat(coordination.clusterId()).isNull();
        String id = coordination.createClusterId();

        assertThat(coordination.createClusterId()).isEqualTo(id);
        reopen();
        assertThat(coordination.clusterId()).isEqualTo(id);
    }
}
