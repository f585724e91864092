package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.consumergroup.Coordinators;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Consumer groups at the owner of their partition: real hosting and journal on a simulated ZooKeeper and HDFS. */
final class GroupCoordinatorTest {

    private static final String GROUP = "g";
    private static final TopicPartition COORDINATOR = GroupBook.COORDINATORS.partition(0);
    private static final TopicMetadata TOPIC = SimulatedCluster.topic(4, Duration.ofDays(1));

    private final SimulatedCluster cluster = new SimulatedCluster(TOPIC, SimulatedCluster.AT_ONCE);
    private SimulatedHost owner;

    GroupCoordinatorTest() {
        cluster.zooKeeper.topics.add(GroupBook.COORDINATORS);
        owner = cluster.start("a");
        cluster.pass(1_000);
    }

    private CompletableFuture<GroupAnswer> ask(SimulatedHost host, GroupRequest request) {
        return host.partitions.askGroup(COORDINATOR, request, Deadline.NONE);
    }

    private GroupAnswer answer(GroupRequest request) {
        return awaited(ask(owner, request));
    }

    /** What is answered within a few seconds. */
    private GroupAnswer awaited(CompletableFuture<GroupAnswer> answer) {
        for (int step = 0; step < 100 && !answer.isDone(); step++) {
            cluster.pass(50);
        }
        assertThat(answer).isCompleted();
        return answer.join();
    }

    private static GroupRequest claim(String worker, int partition) {
        return GroupRequest.claim(GROUP, worker, Map.of(TOPIC.id(), List.of(partition)));
    }

    private static GroupRequest commit(String worker, int partition, long offset) {
        return GroupRequest.commit(GROUP, worker, TOPIC.id(), partition, offset, null);
    }

    private static GroupRequest find(int partition) {
        return GroupRequest.find(GROUP, TOPIC.id(), List.of(partition));
    }

    private GroupEntry found(int partition) {
        return answer(find(partition)).entries().get(0);
    }

    private static GroupEntry entry(int partition, String worker, long offset) {
        return new GroupEntry(GROUP, TOPIC.id(), partition, worker, offset);
    }

    private static GatewayException failure(CompletableFuture<?> answer) {
        assertThat(answer).isCompletedExceptionally();
        return GatewayException.in(answer.handle((result, failure) -> failure).join())
                .orElseThrow();
    }

    /** The host dies, and another one owns the partition. */
    private void takeOver() {
        cluster.die(owner);
        owner = cluster.start("b");
        cluster.pass(2_000);
        assertThat(owner.hosting.find(COORDINATOR)).isNotNull();
    }

    @Test
    void answersWhenItsChangesAreDurable() {
        CompletableFuture<GroupAnswer> claimed = ask(owner, claim("w1", 0));
        CompletableFuture<GroupAnswer> told = ask(owner, find(0));
        assertThat(claimed).isNotDone();
        assertThat(told).as("rests on what is not durable").isNotDone();
        assertThat(awaited(claimed).entries()).isEmpty();
        assertThat(awaited(told).entries()).containsExactly(entry(0, "w1", -1));
        assertThat(ask(owner, claim("w1", 0))).as("changes nothing").isCompleted();
    }

    @Test
    void nextOwnerKnowsEverythingAndGivesWholeLeases() {
        answer(claim("w1", 0));
        answer(commit("w1", 0, 7));
        cluster.pass(Coordinators.LEASE.toMillis() - 5_000);
        takeOver();
        assertThat(found(0)).isEqualTo(entry(0, "w1", 7));
        cluster.pass(Coordinators.LEASE.toMillis() - 5_000);
        assertThat(answer(claim("w2", 0)).entries()).containsExactly(entry(0, "w1", 7));
        cluster.pass(5_000);
        assertThat(answer(claim("w2", 0)).entries()).isEmpty();
        assertThat(answer(commit("w1", 0, 9)).accepted()).isFalse();
        assertThat(found(0)).isEqualTo(entry(0, "w2", 7));
    }

    @Test
    void ownerThatHasLostItsSessionUnawaresAnswersNothing() {
        answer(claim("w1", 0));
        SimulatedHost old = owner;
        old.paused = true;
        old.zooKeeper.expire();
        owner = cluster.start("b");
        cluster.pass(2_000);
        answer(commit("w1", 0, 7));
        assertThat(old.hosting.find(COORDINATOR)).as("does not know yet").isNotNull();

        for (GroupRequest request : List.of(find(0), claim("w1", 0), commit("w1", 0, 3))) {
            assertThat(failure(ask(old, request)).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        }
        assertThat(found(0)).isEqualTo(entry(0, "w1", 7));
    }

    /** Some are stored when there is room again, some are refused: the offset is the last one that was accepted. */
    @Test
    void offsetIsTheLastOneThatWasAcceptedAlsoAfterTheStorageWasFull() {
        answer(claim("w1", 0));
        owner.storage.full = true;
        List<CompletableFuture<GroupAnswer>> commits = new ArrayList<>();
        for (int offset = 0; offset < 10; offset++) {
            commits.add(ask(owner, commit("w1", 0, offset)));
            cluster.pass(100);
            assertThat(commits).noneMatch(commit -> commit.isDone() && !commit.isCompletedExceptionally());
        }
        owner.storage.full = false;
        cluster.pass(5_000);

        assertThat(commits).allMatch(CompletableFuture::isDone);
        long accepted = GroupEntry.NOTHING_COMMITTED;
        for (int offset = 0; offset < 10; offset++) {
            accepted = commits.get(offset).isCompletedExceptionally() ? accepted : offset;
        }
        assertThat(found(0).offset()).isEqualTo(accepted);
        takeOver();
        assertThat(found(0).offset()).isEqualTo(accepted);
    }

    @Test
    void logIsWrittenAnewAndShortened() {
        answer(claim("w1", 0));
        answer(claim("w2", 1));
        answer(commit("w2", 1, 3));
        for (int offset = 0; offset < 10 * Coordinators.MIN_SUPERSEDED; offset++) {
            answer(commit("w1", 0, offset));
        }
        assertThat(owner.hosting.get(COORDINATOR).log().durableOffset())
                .as("messages in all")
                .isGreaterThan(10L * Coordinators.MIN_SUPERSEDED);
        assertThat(owner.hosting.get(COORDINATOR).log().durableOffset()
                        - owner.hosting.get(COORDINATOR).log().logStartOffset())
                .as("messages that are kept")
                .isLessThan(3L * Coordinators.MIN_SUPERSEDED);
        takeOver();
        assertThat(found(0)).isEqualTo(entry(0, "w1", 10 * Coordinators.MIN_SUPERSEDED - 1));
        assertThat(found(1)).isEqualTo(entry(1, "w2", 3));
    }

    @Test
    void deletedTopicsAreForgottenWhenTheLogIsWrittenAnew() {
        answer(claim("w1", 0));
        answer(commit("w1", 0, 3));
        cluster.zooKeeper.topics.remove(TOPIC);
        cluster.pass(100);
        GroupRequest other = GroupRequest.claim(GROUP, "w1", Map.of(GroupBook.COORDINATORS.id(), List.of(0)));
        GroupRequest releases = GroupRequest.release(GROUP, "w1", Map.of(GroupBook.COORDINATORS.id(), List.of(0)));
        for (int number = 0; number < 10 * Coordinators.MIN_SUPERSEDED; number++) {
            answer(other);
            answer(releases);
        }
        assertThat(answer(GroupRequest.list("", List.of())).entries())
                .extracting(GroupEntry::topic)
                .containsOnly(GroupBook.COORDINATORS.id());
    }
}
