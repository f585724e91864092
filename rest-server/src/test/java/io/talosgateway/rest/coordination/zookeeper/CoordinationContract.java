package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.OwnerQuotas;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.ReadLease;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.coordination.TopicGroups;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.OwnerQuota;
import io.talosgateway.rest.topic.PartitionQuota;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroup.Matching;
import io.talosgateway.rest.topic.TopicGroupName;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.TopicPattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What coordination promises, wherever ZooKeeper runs. */
abstract class CoordinationContract {

    private static final Random random = new Random(20261120);

    ZooKeeperCoordination coordination;

    abstract ZooKeeperConfig config();

    static ZooKeeperCoordination open(ZooKeeperConfig config) throws IOException {
        return ZooKeeperCoordination.open(config, System::nanoTime, InstantSource.system());
    }

    @BeforeEach
    void open() throws IOException {
        coordination = open(config());
    }

    @AfterEach
    void close() {
        coordination.close();
    }

    void reopen() throws IOException {
        coordination.close();
        coordination = open(config());
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
                new Quota(1L, 2, 3, 4L, null),
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

    static TopicGroup group(String name, String pattern) {
        return new TopicGroup(new TopicGroupName(name), "CL1", new Matching(new TopicPattern(pattern), List.of()));
    }

    @Test
    void topicGroupIsFoundAlsoAfterAReopen() throws Exception {
        TopicGroup group = group("g", "a.*");
        coordination.topicGroups().create(group);

        assertThat(coordination.topicGroups().find(group.name())).isEqualTo(group);
        // The answer to the first attempt was lost.
        coordination.topicGroups().create(group);
        assertFails(
                ErrorCode.TOPIC_GROUP_EXISTS, () -> coordination.topicGroups().create(group("g", "b")));
        reopen();
        assertThat(coordination.topicGroups().all()).containsExactly(group);
        coordination.topicGroups().update(group, group("g", "b"));
        assertThat(coordination.topicGroups().find(group.name())).isEqualTo(group("g", "b"));
    }

    @Test
    void topicGroupIsChangedAndDeletedByCompareAndSet() {
        TopicGroups groups = coordination.topicGroups();
        TopicGroup before = group("g", "a");
        TopicGroup after = group("g", "b");
        assertFails(ErrorCode.TOPIC_GROUP_NOT_FOUND, () -> groups.update(before, after));
        groups.create(before);
        groups.update(before, after);

        assertFails(ErrorCode.OVERLOADED, () -> groups.update(before, after));
        assertFails(ErrorCode.OVERLOADED, () -> groups.delete(before));
        assertThat(groups.find(after.name())).isEqualTo(after);
        groups.delete(after);
        groups.delete(after);
        assertThat(groups.find(after.name())).isNull();
        groups.create(before);
        assertThat(groups.all()).containsExactly(before);
    }

    @Test
    void quotaOfAnOwnerIsChangedByCompareAndSetAndFoundAfterAReopen() throws Exception {
        OwnerQuotas quotas = coordination.ownerQuotas();
        OwnerQuota none = OwnerQuota.ofNew("a/b");
        OwnerQuota first = none.withLimits(new Quota(1L, 2, 3, 4L, null), 5);
        OwnerQuota second = first.withPending(new PartitionQuota(6, "why", null));
        assertThat(quotas.of("a/b")).isEqualTo(none);
        quotas.replace(none, none);
        quotas.replace(none, first);
        assertFails(ErrorCode.OVERLOADED, () -> quotas.replace(none, second));
        quotas.replace(first, second);
        assertFails(ErrorCode.OVERLOADED, () -> quotas.replace(first, second));

        reopen();
        OwnerQuotas reopened = coordination.ownerQuotas();
        assertThat(reopened.all()).containsExactly(second);
        assertThat(reopened.limits("a/b")).isEqualTo(second.limits());
        assertFails(ErrorCode.OVERLOADED, () -> reopened.replace(first, none));
        reopened.replace(second, none);
        assertThat(reopened.find("a/b")).isNull();
        reopened.replace(none, first);
        assertThat(reopened.of("a/b")).isEqualTo(first);
    }

    private static OwnershipRecord record(long epoch) {
        return new OwnershipRecord(
                "host-1",
                3,
                new OwnerEpoch(epoch),
                List.of(
                        new JournalReference("host-0", 1, new OwnerEpoch(2), 0, 0),
                        new JournalReference("host-1", 3, new OwnerEpoch(epoch), 17, 1 << 20)),
                5,
                23,
                1 << 21,
                epoch % 2 == 0);
    }

    private static List<TopicPartition> all(TopicMetadata topic) {
        return topic.allPartitions().toList();
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
        assertThat(ownership.read(all(topic))).isEmpty();
        List<Integer> absent = java.util.Collections.nCopies(1_200, OwnershipRecords.ABSENT);

        List<Integer> versions = ownership.write(changes(topic, absent, 1));
        versions = ownership.write(changes(topic, versions, 2));

        Map<TopicPartition, Versioned> read = ownership.read(all(topic));
        assertThat(read).hasSize(1_200);
        assertThat(read.get(topic.partition(1_199))).isEqualTo(new Versioned(record(2), versions.get(1_199)));
        assertThat(ownership.topics()).containsExactly(topic.id());
        ownership.delete(topic.id());
        ownership.delete(topic.id());
        assertThat(ownership.read(all(topic))).isEmpty();
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
        assertThat(ownership.read(all(topic)).get(topic.partition(0)).ownership())
                .isEqualTo(record(2));
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
        assertThat(coordination.hosts().nextIncarnation("a", 0)).isEqualTo(1);
        assertThat(coordination.hosts().nextIncarnation("a", 1)).isEqualTo(2);
        assertThat(coordination.hosts().nextIncarnation("b", 0)).isEqualTo(1);
        reopen();
        assertThat(coordination.hosts().nextIncarnation("a", 0)).isEqualTo(3);
        assertThat(coordination.hosts().nextIncarnation("a", 7)).isEqualTo(8);
        assertThat(coordination.hosts().nextIncarnation("a", 2)).isEqualTo(9);
    }

    @Test
    void hostIsRegisteredAgainAfterItLeft() throws Exception {
        HostInfo host = host(1);
        coordination.hosts().register(host);
        coordination.hosts().register(host);
        coordination.hosts().unregister("a");
        coordination.hosts().unregister("a");
        coordination.hosts().register(host(2));
        assertThat(coordination.hosts().isConnected()).isTrue();
    }

    static HostInfo host(long incarnation) {
        return new HostInfo("a", incarnation, "127.0.0.1:1", "127.0.0.1:2", Intent.SERVE);
    }

    @Test
    void leaseBelongsToTheLastRegistration() throws Exception {
        ReadLease first = coordination.hosts().register(host(1));
        awaitHeld(first);
        ReadLease second = coordination.hosts().register(host(2));

        assertThat(first.isHeld()).isFalse();
        awaitHeld(second);
        coordination.hosts().unregister("a");
        assertThat(second.isHeld()).isFalse();
        assertThat(second.whyNotHeld()).isEqualTo("this host has left the cluster");
    }

    @Test
    void leaseIsRenewedAsLongAsZooKeeperAnswers() throws Exception {
        long beganNanos = System.nanoTime();
        ReadLease lease = coordination.hosts().register(host(1));
        long timeouts = 2 * config().sessionTimeout().toNanos();
        Await.asLongAs(() -> System.nanoTime() - beganNanos < timeouts);

        awaitHeld(lease);
    }

    /** A machine that is busy may be late with a renewal: the next one gives the lease back. */
    static void awaitHeld(ReadLease lease) {
        Await.until(lease::isHeld);
    }

    @Test
    void whatAHostIsAboutToDoIsSeen() throws Exception {
        BlockingQueue<Map<String, HostInfo>> seen = new LinkedBlockingQueue<>();
        coordination.hosts().onChange(() -> seen.add(coordination.hosts().alive()));

        coordination.hosts().register(host(1));
        awaitSeen(seen, Map.of("a", host(1)));
        coordination.hosts().announce(host(1).with(Intent.LEAVE));
        awaitSeen(seen, Map.of("a", host(1).with(Intent.LEAVE)));
        coordination.hosts().unregister("a");
        awaitSeen(seen, Map.of());
    }

    private static <T> void awaitSeen(BlockingQueue<T> seen, T wanted) throws InterruptedException {
        T last = seen.poll(120, TimeUnit.SECONDS);
        while (last != null && !last.equals(wanted)) {
            last = seen.poll(120, TimeUnit.SECONDS);
        }
        assertThat(last).isEqualTo(wanted);
    }

    @Test
    void placementIsReplacedByWhoKnowsIt() throws Exception {
        Placement first = new Placement(List.of(new PlacedHost("a", Presence.PRESENT)));
        Placement second =
                new Placement(List.of(new PlacedHost("a", Presence.RESTARTING), new PlacedHost("b", Presence.ABSENT)));
        PlacementRecord placement = coordination.placement();
        assertThat(placement.current())
                .isEqualTo(new PlacementRecord.Versioned(Placement.EMPTY, PlacementRecord.ABSENT));

        assertThat(placement.replace(PlacementRecord.ABSENT, first)).isTrue();
        assertThat(placement.replace(PlacementRecord.ABSENT, second)).isFalse();
        assertThat(placement.replace(placement.current().version(), second)).isTrue();
        assertThat(placement.replace(0, first)).isFalse();

        assertThat(placement.current().placement()).isEqualTo(second);
        reopen();
        assertThat(coordination.placement().current().placement()).isEqualTo(second);
    }

    @Test
    void oneHostIsElected() throws Exception {
        CountDownLatch elected = new CountDownLatch(1);
        coordination.election().onElected(elected::countDown);
        assertThat(coordination.election().isElected()).isFalse();

        coordination.election().stand("a");

        assertThat(elected.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(coordination.election().isElected()).isTrue();
        coordination.election().withdraw();
        assertThat(coordination.election().isElected()).isFalse();
    }

    @Test
    void topicsThatAreThereNowAreListed() {
        TopicMetadata kept = topic("kept", 1);
        TopicMetadata gone = topic("gone", 1);
        assertThat(coordination.topics().idsNow()).isEmpty();
        coordination.topics().create(kept);
        coordination.topics().create(gone);
        coordination.topics().delete(gone);

        assertThat(coordination.topics().idsNow()).containsExactly(kept.id());
    }

    @Test
    void clusterHasOneIdForEver() throws Exception {
        assertThat(coordination.clusterId()).isNull();
        String id = coordination.createClusterId();

        String secret = coordination.clusterSecret();
        assertThat(secret).hasSize(64);
        assertThat(coordination.createClusterId()).isEqualTo(id);
        reopen();
        assertThat(coordination.clusterId()).isEqualTo(id);
        assertThat(coordination.clusterSecret()).isEqualTo(secret);
    }
}
