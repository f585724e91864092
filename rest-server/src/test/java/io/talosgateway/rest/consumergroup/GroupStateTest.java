package io.talosgateway.rest.consumergroup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.statelog.Decider.Decision;
import io.talosgateway.rest.topic.TopicId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

final class GroupStateTest {

    private static final long LEASE_SECONDS = 30;
    private static final TopicId TOPIC = new TopicId(1, 1);
    private static final TopicId OTHER_TOPIC = new TopicId(2, 2);

    private final GroupState state = new GroupState(TimeUnit.SECONDS.toNanos(LEASE_SECONDS), 1_000);
    /** All that was recorded, in order. */
    private final List<GroupRecord> log = new ArrayList<>();
    /** Monotonic clocks begin anywhere, and may overflow. */
    private long nowNanos = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(10);

    private void pass(long seconds) {
        nowNanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    private GroupAnswer ask(GroupRequest request) {
        Decision<GroupRecord, GroupAnswer> decision = state.decide(request, nowNanos);
        decision.records().forEach(record -> state.apply(record, nowNanos));
        log.addAll(decision.records());
        return decision.answer();
    }

    /** As the next owner of the log has it. */
    private GroupState replayed() {
        GroupState replayed = new GroupState(TimeUnit.SECONDS.toNanos(LEASE_SECONDS), 1_000);
        log.forEach(record -> replayed.apply(record, nowNanos));
        return replayed;
    }

    private GroupAnswer claim(String worker, Integer... partitions) {
        return ask(GroupRequest.claim("g", worker, Map.of(TOPIC, List.of(partitions))));
    }

    private boolean commit(String worker, int partition, long offset, @Nullable Long expected) {
        return ask(GroupRequest.commit("g", worker, TOPIC, partition, offset, expected))
                .accepted();
    }

    private GroupEntry find(int partition) {
        return ask(GroupRequest.find("g", TOPIC, List.of(partition))).entries().get(0);
    }

    private List<GroupEntry> workers() {
        return ask(GroupRequest.workers("g", List.of(TOPIC))).entries();
    }

    private static GroupEntry entry(int partition, String worker, long offset) {
        return new GroupEntry("g", TOPIC, partition, worker, offset);
    }

    @Test
    void registeredWorkerIsThereAtOnce() {
        claim("w1");
        assertThat(workers()).containsExactly(entry(GroupEntry.NO_PARTITION, "w1", -1));
    }

    @Test
    void partitionHasOneHolder() {
        assertThat(claim("w1", 0, 1).entries()).isEmpty();
        assertThat(claim("w2", 1, 2).entries()).containsExactly(entry(1, "w1", -1));
        assertThat(workers()).containsExactly(entry(0, "w1", -1), entry(1, "w1", -1), entry(2, "w2", -1));
        // Claimed again, as a renewal does: nothing changes, and nothing is recorded.
        int before = log.size();
        assertThat(claim("w1", 0, 1).entries()).isEmpty();
        assertThat(log).hasSize(before);
    }

    private List<Integer> balance(String worker, int partitions) {
        List<Integer> all = IntStream.range(0, partitions).boxed().toList();
        return ask(GroupRequest.balance("g", worker, TOPIC, all)).entries().stream()
                .map(GroupEntry::partition)
                .toList();
    }

    private boolean reset(int partition, long offset) {
        return ask(GroupRequest.reset("g", TOPIC, partition, offset)).accepted();
    }

    @Test
    void membersShareThePartitions() {
        assertThat(balance("a", 5)).containsExactly(0, 1, 2, 3, 4);
        assertThat(balance("b", 5)).as("nothing is free yet").isEmpty();
        assertThat(balance("a", 5)).containsExactly(0, 1, 2);
        assertThat(balance("b", 5)).containsExactly(3, 4);
        int before = log.size();
        assertThat(balance("a", 5)).containsExactly(0, 1, 2);
        assertThat(log).as("nothing changes").hasSize(before);
    }

    @Test
    void partitionsOfAMemberThatIsGoneAreShared() {
        balance("a", 4);
        balance("b", 4);
        balance("a", 4);
        assertThat(balance("b", 4)).containsExactly(2, 3);

        ask(GroupRequest.leave("g", "a", TOPIC));
        assertThat(balance("b", 4)).as("left").containsExactly(2, 3, 0, 1);
        balance("c", 4);
        assertThat(balance("b", 4)).containsExactly(0, 1);
        assertThat(balance("c", 4)).containsExactly(2, 3);
        pass(LEASE_SECONDS - 1);
        balance("c", 4);
        pass(1);
        assertThat(balance("c", 4)).as("silent").containsExactly(2, 3, 0, 1);
    }

    @Test
    void membersThatAreMoreThanPartitionsHaveNone() {
        assertThat(balance("a", 1)).containsExactly(0);
        assertThat(balance("b", 1)).isEmpty();
        assertThat(balance("a", 1)).containsExactly(0);
        assertThat(workers()).hasSize(2);
    }

    @Test
    void partitionsThatAreAddedAreShared() {
        balance("a", 2);
        balance("b", 2);
        balance("a", 2);
        balance("b", 2);
        assertThat(balance("a", 4)).containsExactly(0, 2);
        assertThat(balance("b", 4)).containsExactly(1, 3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whateverTheyAskMembersNeverShareAPartitionAndEndWithFairShares(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int step = 0; step < 2_000; step++) {
            String worker = "w" + random.nextInt(6);
            int partitions = 7;
            switch (random.nextInt(8)) {
                case 0 -> ask(GroupRequest.leave("g", worker, TOPIC));
                case 1 -> pass(random.nextInt(20));
                case 2 -> claim(worker, random.nextInt(partitions));
                default -> balance(worker, partitions);
            }
        }
        pass(LEASE_SECONDS);
        for (int round = 0; round < 2; round++) {
            for (int member = 0; member < 3; member++) {
                balance("w" + member, 7);
            }
        }
        List<Integer> all = new ArrayList<>();
        for (int member = 0; member < 3; member++) {
            List<Integer> share = balance("w" + member, 7);
            assertThat(share).hasSizeBetween(2, 3);
            all.addAll(share);
        }
        assertThat(all).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6);
    }

    @Test
    void offsetsAreResetOnlyWhileNobodyWorks() {
        claim("a", 0);
        commit("a", 0, 41, null);
        assertThat(reset(0, 7)).isFalse();
        assertThat(find(0).offset()).isEqualTo(41);
        ask(GroupRequest.leave("g", "a", TOPIC));
        assertThat(reset(0, 7)).isTrue();
        assertThat(reset(1, 9)).isTrue();
        int before = log.size();
        assertThat(reset(0, 7)).isTrue();
        assertThat(log).as("as it is").hasSize(before);
        assertThat(find(0).offset()).isEqualTo(7);
        assertThat(find(1).offset()).isEqualTo(9);
    }

    @Test
    void onlyItsHolderReleasesAPartition() {
        claim("w1", 0);
        ask(GroupRequest.release("g", "w2", Map.of(TOPIC, List.of(0, 7))));
        assertThat(find(0).worker()).isEqualTo("w1");
        ask(GroupRequest.release("g", "w1", Map.of(TOPIC, List.of(0))));
        assertThat(find(0).worker()).isEmpty();
        assertThat(workers()).containsExactly(entry(GroupEntry.NO_PARTITION, "w1", -1));
    }

    @Test
    void workerThatIsSilentLosesEverythingWhenItsLeaseEnds() {
        claim("w1", 0);
        claim("w2");
        pass(LEASE_SECONDS - 1);
        claim("w2");
        assertThat(claim("w2", 0).entries()).containsExactly(entry(0, "w1", -1));
        pass(1);
        assertThat(workers()).containsExactly(entry(GroupEntry.NO_PARTITION, "w2", -1));
        assertThat(find(0).worker()).isEmpty();
        assertThat(claim("w2", 0).entries()).isEmpty();
        // The first one wakes up: it is registered again, without its partition.
        assertThat(claim("w1", 0).entries()).containsExactly(entry(0, "w2", -1));
        assertThat(workers()).containsExactly(entry(0, "w2", -1), entry(GroupEntry.NO_PARTITION, "w1", -1));
    }

    @Test
    void workerThatSleptForTooLongHasItsPartitionsAgainIfNobodyTookThem() {
        claim("w1", 0);
        pass(10 * LEASE_SECONDS);
        assertThat(claim("w1", 0).entries()).isEmpty();
        assertThat(find(0)).isEqualTo(entry(0, "w1", -1));
    }

    /**
     * A worker of the SDK whose lock was refused lists the partition in a renewal that is on its way, and so gets it, once it is
     * free, without knowing: it never releases it, and nobody reads it.
     */
    @Test
    void partitionThatItsWorkerDoesNotRenewIsFreeAfterALease() {
        claim("w1", 0);
        claim("w2", 1);
        assertThat(claim("w2", 0).entries()).as("refused lock").hasSize(1);
        ask(GroupRequest.release("g", "w1", Map.of(TOPIC, List.of(0))));
        claim("w2", 0, 1);
        for (int renewal = 0; renewal < LEASE_SECONDS; renewal++) {
            assertThat(find(0).worker()).isEqualTo("w2");
            pass(1);
            claim("w2", 1);
        }
        assertThat(find(0).worker()).isEmpty();
        assertThat(commit("w2", 0, 5, null)).isFalse();
        assertThat(workers()).containsExactly(entry(1, "w2", -1));
        claim("w1", 0);
        assertThat(find(0).worker()).isEqualTo("w1");
        assertThat(replayed()
                        .decide(GroupRequest.find("g", TOPIC, List.of(0)), nowNanos)
                        .answer()
                        .entries())
                .containsExactly(entry(0, "w1", -1));
    }

    @Test
    void partitionIsFreeWhenItsLeaseEndsAlsoBeforeThatIsRecorded() {
        claim("w1", 0);
        pass(LEASE_SECONDS - 1);
        claim("w1");
        pass(1);
        assertThat(find(0).worker()).isEmpty();
        assertThat(commit("w1", 0, 5, null)).isFalse();
        assertThat(workers()).containsExactly(entry(GroupEntry.NO_PARTITION, "w1", -1));
    }

    @Test
    void workerThatHoldsOnlyWhatItDoesNotRenewIsIdleAfterALease() {
        claim("w1", 0);
        for (int renewal = 0; renewal < LEASE_SECONDS; renewal++) {
            pass(1);
            claim("w1");
        }
        assertThat(workers()).containsExactly(entry(GroupEntry.NO_PARTITION, "w1", -1));
    }

    @Test
    void heartbeatKeepsWhatIsHeld() {
        balance("a", 2);
        for (int beat = 0; beat < 3; beat++) {
            pass(LEASE_SECONDS - 1);
            ask(GroupRequest.heartbeat("g", "a", TOPIC));
        }
        assertThat(workers()).containsExactly(entry(0, "a", -1), entry(1, "a", -1));
        ask(GroupRequest.heartbeat("g", "b", TOPIC));
        assertThat(workers()).as("registered").contains(entry(GroupEntry.NO_PARTITION, "b", -1));
    }

    @Test
    void pollKeepsWhatIsHeld() {
        for (int poll = 0; poll < 3; poll++) {
            assertThat(balance("a", 2)).containsExactly(0, 1);
            pass(LEASE_SECONDS - 1);
        }
        assertThat(workers()).containsExactly(entry(0, "a", -1), entry(1, "a", -1));
    }

    @Test
    void onlyTheHolderCommits() {
        claim("w1", 0);
        claim("w2", 1);
        assertThat(commit("w1", 0, 5, null)).isTrue();
        assertThat(commit("w2", 0, 9, null)).isFalse();
        assertThat(commit("w1", 2, 9, null)).isFalse();
        assertThat(find(0).offset()).isEqualTo(5);
        assertThat(find(2).offset()).isEqualTo(GroupEntry.NOTHING_COMMITTED);
    }

    @Test
    void commitOfAWorkerThatLostItsPartitionDoesNotDisturbTheNewOne() {
        claim("w1", 0);
        commit("w1", 0, 5, null);
        pass(LEASE_SECONDS);
        claim("w2", 0);
        commit("w2", 0, 7, null);
        assertThat(commit("w1", 0, 6, null)).isFalse();
        ask(GroupRequest.release("g", "w1", Map.of(TOPIC, List.of(0))));
        assertThat(find(0)).isEqualTo(entry(0, "w2", 7));
    }

    @Test
    void commitOfAWorkerWhoseLeaseHasEndedIsRefusedAlsoWhileNobodyElseHasCome() {
        claim("w1", 0);
        pass(LEASE_SECONDS);
        assertThat(commit("w1", 0, 5, null)).isFalse();
    }

    @Test
    void commitsMayGoBackAndMayDependOnTheLastOne() {
        claim("w1", 0);
        assertThat(commit("w1", 0, 5, -1L)).isTrue();
        assertThat(commit("w1", 0, 9, 4L)).isFalse();
        assertThat(commit("w1", 0, 9, 5L)).isTrue();
        assertThat(commit("w1", 0, 2, null)).isTrue();
        assertThat(find(0).offset()).isEqualTo(2);
    }

    @Test
    void offsetsOutliveWorkersAndTopicsAreApart() {
        claim("w1", 0);
        commit("w1", 0, 5, null);
        pass(LEASE_SECONDS);
        claim("w2");
        assertThat(find(0)).isEqualTo(entry(0, "", 5));
        assertThat(ask(GroupRequest.find("g", OTHER_TOPIC, List.of(0))).entries())
                .containsExactly(new GroupEntry("g", OTHER_TOPIC, 0, "", -1));
        assertThat(ask(GroupRequest.find("h", TOPIC, List.of(0))).entries())
                .containsExactly(new GroupEntry("h", TOPIC, 0, "", -1));
    }

    @Test
    void groupWithLiveWorkersIsNotDeleted() {
        claim("w1", 0);
        commit("w1", 0, 5, null);
        GroupAnswer refused = ask(GroupRequest.delete("g", TOPIC));
        assertThat(refused.accepted()).isFalse();
        assertThat(refused.entries()).containsExactly(entry(0, "w1", 5));
        pass(LEASE_SECONDS);
        assertThat(ask(GroupRequest.delete("g", TOPIC)).accepted()).isTrue();
        assertThat(find(0).offset()).isEqualTo(GroupEntry.NOTHING_COMMITTED);
        assertThat(state.size()).isZero();
        assertThat(state.groupCount()).isZero();
    }

    @Test
    void listsByPrefixAndTopic() {
        claim("w1", 0);
        ask(GroupRequest.claim("group", "w", Map.of(TOPIC, List.of(), OTHER_TOPIC, List.of(3))));
        ask(GroupRequest.claim("other", "w", Map.of(TOPIC, List.of())));
        assertThat(ask(GroupRequest.list("g", List.of())).entries())
                .containsExactlyInAnyOrder(
                        entry(0, "w1", -1),
                        new GroupEntry("group", TOPIC, GroupEntry.NO_PARTITION, "w", -1),
                        new GroupEntry("group", OTHER_TOPIC, 3, "w", -1));
        assertThat(ask(GroupRequest.list("", List.of(OTHER_TOPIC))).entries())
                .containsExactly(new GroupEntry("group", OTHER_TOPIC, 3, "w", -1));
    }

    @Test
    void thereIsABoundAndWhatIsThereGoesOn() {
        GroupState small = new GroupState(TimeUnit.SECONDS.toNanos(LEASE_SECONDS), 3);
        small.apply(
                new GroupRecord("g", TOPIC, List.of(new Change.Joined("w1"), new Change.Claimed(0, "w1"))), nowNanos);
        GroupRequest more = GroupRequest.claim("g", "w1", Map.of(TOPIC, List.of(0, 1, 2)));
        assertThatExceptionOfType(GatewayException.class)
                .isThrownBy(() -> small.decide(more, nowNanos))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.CONSUMER_GROUP_LIMIT_REACHED));
        assertThat(small.decide(GroupRequest.claim("g", "w1", Map.of(TOPIC, List.of(0))), nowNanos)
                        .answer()
                        .entries())
                .isEmpty();
    }

    @Test
    void whatIsThereMayChangeThoughThereIsRoomForNothingMore() {
        GroupState full = new GroupState(TimeUnit.SECONDS.toNanos(LEASE_SECONDS), 3);
        full.apply(
                new GroupRecord(
                        "g",
                        TOPIC,
                        List.of(new Change.Joined("w1"), new Change.Claimed(0, "w1"), new Change.Committed(0, 5))),
                nowNanos);
        Decision<GroupRecord, GroupAnswer> committed =
                full.decide(GroupRequest.commit("g", "w1", TOPIC, 0, 6, null), nowNanos);
        assertThat(committed.answer().accepted()).isTrue();
        committed.records().forEach(record -> full.apply(record, nowNanos));

        // Its worker has gone: another takes its place.
        long later = nowNanos + TimeUnit.SECONDS.toNanos(LEASE_SECONDS);
        GroupRequest claim = GroupRequest.claim("g", "w2", Map.of(TOPIC, List.of(0)));
        Decision<GroupRecord, GroupAnswer> claimed = full.decide(claim, later);
        assertThat(claimed.answer().entries()).isEmpty();
        claimed.records().forEach(record -> full.apply(record, later));

        assertThatExceptionOfType(GatewayException.class)
                .isThrownBy(() -> full.decide(GroupRequest.claim("g", "w3", Map.of(TOPIC, List.of(1))), later));
    }

    @Test
    void forgetsDeletedTopics() {
        claim("w1", 0);
        ask(GroupRequest.claim("g", "w1", Map.of(OTHER_TOPIC, List.of(0))));
        assertThat(state.topics()).containsExactlyInAnyOrder(TOPIC, OTHER_TOPIC);
        state.forgetting(Set.of(TOPIC)).forEach(record -> state.apply(record, nowNanos));
        assertThat(state.topics()).containsExactly(OTHER_TOPIC);
    }

    /** What is read from the log, or from a snapshot of it, is what was there. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void logAndSnapshotMakeTheSameState(long seed) throws Exception {
        Random random = new Random(seed);
        int most = 0;
        for (int step = 0; step < 2_000; step++) {
            String group = "g" + random.nextInt(3);
            String worker = "w" + random.nextInt(4);
            TopicId topic = random.nextBoolean() ? TOPIC : OTHER_TOPIC;
            int partition = random.nextInt(5);
            switch (random.nextInt(6)) {
                case 0, 1 -> ask(GroupRequest.claim(group, worker, Map.of(topic, List.of(partition))));
                case 2 -> ask(GroupRequest.release(group, worker, Map.of(topic, List.of(partition))));
                case 3 -> ask(GroupRequest.commit(group, worker, topic, partition, step, null));
                case 4 -> ask(GroupRequest.delete(group, topic));
                default -> pass(random.nextInt(20));
            }
            if (step % 100 == 99) {
                assertSame(replayed(), "log at step " + step);
                assertSame(ofSnapshot(), "snapshot at step " + step);
                most = Math.max(most, state.asRecords().size());
            }
        }
        assertThat(most).as("groups and topics compared at once").isGreaterThan(3);
    }

    private GroupState ofSnapshot() throws Exception {
        GroupState read = new GroupState(TimeUnit.SECONDS.toNanos(LEASE_SECONDS), 1_000);
        for (var block : new GroupRecordCodec().encode(state.asRecords())) {
            for (GroupRecord record : new GroupRecordCodec().decode(block.data())) {
                read.apply(record, nowNanos);
            }
        }
        return read;
    }

    private void assertSame(GroupState read, String what) {
        assertThat(read.asRecords()).as(what).containsExactlyInAnyOrderElementsOf(state.asRecords());
        assertThat(read.size()).as(what).isEqualTo(state.size());
    }
}
