package io.talosgateway.rest.http.talos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.CheckPoint;
import io.talosgateway.thrift.CheckRegisterRequest;
import io.talosgateway.thrift.ConsumeUnit;
import io.talosgateway.thrift.ConsumerGroupAndPartition;
import io.talosgateway.thrift.ConsumerGroupAndTopic;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.DeleteConsumerGroupRequest;
import io.talosgateway.thrift.DeleteTopicRequest;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GetTopicConsumeUnitRequest;
import io.talosgateway.thrift.GetWorkerIdRequest;
import io.talosgateway.thrift.LockPartitionRequest;
import io.talosgateway.thrift.LockPartitionResponse;
import io.talosgateway.thrift.LockWorkerRequest;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PartitionConsumeUnit;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.QueryConsumerGroupRequest;
import io.talosgateway.thrift.QueryOffsetRequest;
import io.talosgateway.thrift.QueryOrgOffsetRequest;
import io.talosgateway.thrift.QueryTopicConsumeUnitRequest;
import io.talosgateway.thrift.QueryWorkerRequest;
import io.talosgateway.thrift.RenewRequest;
import io.talosgateway.thrift.RenewResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.TopicsConsumeUnit;
import io.talosgateway.thrift.TopicsLockWorkerRequest;
import io.talosgateway.thrift.TopicsQueryWorkerRequest;
import io.talosgateway.thrift.TopicsRenewRequest;
import io.talosgateway.thrift.TopicsRenewResponse;
import io.talosgateway.thrift.UnlockPartitionRequest;
import io.talosgateway.thrift.UpdateOffsetRequest;
import io.talosgateway.thrift.call.ConsumerMethods;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.MetricMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import org.apache.thrift.TApplicationException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The consumer groups of a whole gateway, call by call. What the official SDK makes of them is tested in {@code deploy}. */
final class ConsumerServiceIT {

    private static final int PARTITIONS = 4;
    private static final AtomicInteger topics = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static TalosTestClient client;

    private TopicInfo topic;

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(directory);
        client = new TalosTestClient(gateway);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @BeforeEach
    void createTopic() throws Exception {
        topic = newTopic();
    }

    private static TopicInfo newTopic() throws Exception {
        return client.call(
                        ThriftService.TOPIC,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(
                                "topic-" + topics.incrementAndGet(),
                                new TopicAttribute().setPartitionNumber(PARTITIONS)))
                .getTopicInfo();
    }

    private static <A, R> R consumer(ThriftMethod<A, R> method, A argument) throws Exception {
        return client.call(ThriftService.CONSUMER, method, argument);
    }

    private ConsumeUnit unit(String worker, Integer... partitions) {
        return new ConsumeUnit("group", topic.getTopicTalosResourceName(), List.of(partitions), worker);
    }

    private TopicAndPartition partition(int partition) {
        return new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), partition);
    }

    private boolean register(String worker) throws Exception {
        return consumer(ConsumerMethods.LOCK_WORKER, new LockWorkerRequest(unit(worker)))
                .isRegisterSuccess();
    }

    private RenewResponse renew(String worker, Integer... partitions) throws Exception {
        return consumer(ConsumerMethods.RENEW, new RenewRequest(unit(worker, partitions)));
    }

    private LockPartitionResponse lock(String worker, int partition) throws Exception {
        return consumer(ConsumerMethods.LOCK_PARTITION, new LockPartitionRequest(unit(worker, partition)));
    }

    private void unlock(String worker, int partition) throws Exception {
        consumer(ConsumerMethods.UNLOCK_PARTITION, new UnlockPartitionRequest(unit(worker, partition)));
    }

    private Map<String, List<Integer>> workers() throws Exception {
        return consumer(
                        ConsumerMethods.QUERY_WORKER,
                        new QueryWorkerRequest("group", topic.getTopicTalosResourceName()))
                .getWorkerMap();
    }

    private boolean commit(String worker, int partition, long offset, @Nullable Long expected) throws Exception {
        CheckPoint checkPoint = new CheckPoint("group", partition(partition), offset, worker);
        if (expected != null) {
            checkPoint.setLastCommitOffset(expected);
        }
        return consumer(ConsumerMethods.UPDATE_OFFSET, new UpdateOffsetRequest(checkPoint))
                .isSuccess();
    }

    private long committed(int partition) throws Exception {
        return consumer(ConsumerMethods.QUERY_OFFSET, new QueryOffsetRequest("group", partition(partition)))
                .getMsgOffset();
    }

    private String holder(int partition) throws Exception {
        return consumer(ConsumerMethods.GET_WORKER_ID, new GetWorkerIdRequest(partition(partition), "group"))
                .getWorkerId();
    }

    private void put(int partition, int messages) throws Exception {
        Message message = new Message(null, null, ByteSlice.utf8("m"), 1L, null, Message.BINARY, null, null);
        var block = MessageEncoder.encode(Collections.nCopies(messages, message), MessageVersion.V2, Compression.NONE);
        client.call(
                ThriftService.MESSAGE,
                MessageMethods.PUT_MESSAGE,
                new PutMessageRequest(
                        partition(partition),
                        List.of(new MessageBlock(
                                0,
                                messages,
                                MessageCompressionType.NONE,
                                block.data().toByteBuffer())),
                        messages,
                        "put#1"));
    }

    private static void assertFails(ErrorCode code, String told, ThrowingCallable call) {
        assertThatExceptionOfType(GalaxyTalosException.class).isThrownBy(call).satisfies(failure -> {
            assertThat(failure.getErrorCode()).as(failure.getDetails()).isEqualTo(code);
            assertThat(failure.getDetails()).contains(told);
        });
    }

    // --- workers ---

    @Test
    void workerIsInTheListRightAfterItsRegistration() throws Exception {
        assertThat(workers()).isEmpty();
        assertThat(register("w1")).isTrue();
        assertThat(workers()).isEqualTo(Map.of("w1", List.of()));
        assertThat(register("w1")).as("again").isTrue();
        assertThat(consumer(ConsumerMethods.CHECK_REGISTER, new CheckRegisterRequest(unit("w2")))
                        .isCanRegister())
                .isTrue();
        assertThat(workers()).as("asking registers nobody").containsOnlyKeys("w1");
    }

    @Test
    void renewalRegistersAWorkerThatIsNotKnownAndGivesItWhatNobodyHolds() throws Exception {
        lock("other", 1);
        RenewResponse renewed = renew("w1", 0, 1);
        assertThat(renewed.isHeartbeatSuccess()).isTrue();
        assertThat(renewed.getFailedPartitionList()).containsExactly(1);
        assertThat(workers()).isEqualTo(Map.of("w1", List.of(0), "other", List.of(1)));
    }

    @Test
    void renewalNeverNamesAPartitionThatWasNotAskedFor() throws Exception {
        lock("other", 0);
        lock("other", 1);
        assertThat(renew("w1").getFailedPartitionList()).isEmpty();
        assertThat(renew("w1", 1, 77, -3).getFailedPartitionList()).containsExactly(1, 77, -3);
    }

    @Test
    void groupsOfOneNameOnTwoTopicsAreApart() throws Exception {
        register("w1");
        lock("w1", 0);
        topic = newTopic();
        assertThat(workers()).isEmpty();
        assertThat(lock("w2", 0).getSuccessPartitions()).containsExactly(0);
    }

    // --- partitions ---

    @Test
    void partitionIsLockedByOneWorkerUntilItUnlocksIt() throws Exception {
        assertThat(lock("w1", 2)).isEqualTo(new LockPartitionResponse(List.of(2), List.of()));
        assertThat(lock("w1", 2)).as("again").isEqualTo(new LockPartitionResponse(List.of(2), List.of()));
        assertThat(lock("w2", 2)).isEqualTo(new LockPartitionResponse(List.of(), List.of(2)));
        assertThat(holder(2)).isEqualTo("w1");
        unlock("w2", 2);
        assertThat(holder(2)).as("only its holder unlocks it").isEqualTo("w1");
        unlock("w1", 2);
        assertThat(workers()).isEqualTo(Map.of("w1", List.of(), "w2", List.of()));
        assertThat(lock("w2", 2).getSuccessPartitions()).containsExactly(2);
    }

    // --- offsets ---

    @Test
    void offsetIsThatOfTheLastCommitOfWhoeverHoldsThePartition() throws Exception {
        put(0, 10);
        assertThat(committed(0)).as("nothing").isEqualTo(-1);
        lock("w1", 0);
        assertThat(commit("w1", 0, 5, null)).isTrue();
        assertThat(commit("w2", 0, 7, null)).isFalse();
        assertThat(commit("w1", 0, 8, 4L)).as("not what it expects").isFalse();
        assertThat(commit("w1", 0, 8, 5L)).isTrue();
        assertThat(commit("w1", 0, 2, null)).as("back").isTrue();
        assertThat(committed(0)).isEqualTo(2);
        assertThat(committed(1)).isEqualTo(-1);
    }

    @Test
    void offsetsOutliveWorkersAndRestarts() throws Exception {
        put(0, 10);
        lock("w1", 0);
        commit("w1", 0, 5, null);
        lock("w1", 1);
        gateway.restart();
        assertThat(committed(0)).isEqualTo(5);
        assertThat(holder(1)).isEqualTo("w1");
        assertThat(commit("w1", 0, 6, 5L)).isTrue();
        assertThat(committed(0)).isEqualTo(6);
    }

    @Test
    void topicThatIsCreatedAgainBeginsWithoutOffsets() throws Exception {
        put(0, 10);
        lock("w1", 0);
        commit("w1", 0, 5, null);
        TopicInfo before = topic;
        client.call(
                ThriftService.TOPIC,
                TopicMethods.DELETE_TOPIC,
                new DeleteTopicRequest(topic.getTopicTalosResourceName()));
        topic = client.call(
                        ThriftService.TOPIC,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(
                                before.getTopicName(), new TopicAttribute().setPartitionNumber(PARTITIONS)))
                .getTopicInfo();
        assertThat(committed(0)).isEqualTo(-1);
        assertThat(workers()).isEmpty();
        topic = before;
        assertFails(ErrorCode.TOPIC_NOT_EXIST, "deleted", () -> renew("w1", 0));
    }

    // --- groups ---

    @Test
    void groupWithWorkersIsNotDeleted() throws Exception {
        put(0, 10);
        lock("w1", 0);
        commit("w1", 0, 5, null);
        assertFails(
                ErrorCode.CONSUMER_GROUP_STILL_WORKING,
                "w1",
                () -> consumer(
                        ConsumerMethods.DELETE_CONSUMER_GROUP,
                        new DeleteConsumerGroupRequest("group", topic.getTopicTalosResourceName())));
        assertThat(committed(0)).isEqualTo(5);
    }

    @Test
    void lagIsWhatIsBehindTheLastCommit() throws Exception {
        put(0, 10);
        put(1, 3);
        String worker = "10_1_2_3-w1";
        lock(worker, 0);
        commit(worker, 0, 6, null);

        assertThat(client.call(
                                ThriftService.METRIC,
                                MetricMethods.QUERY_CONSUMER_GROUP,
                                new QueryConsumerGroupRequest(topic.getTopicTalosResourceName()))
                        .getConsumerGroupList())
                .containsExactly("group");
        List<PartitionConsumeUnit> units = client.call(
                        ThriftService.METRIC,
                        MetricMethods.GET_TOPIC_CONSUME_UNIT,
                        new GetTopicConsumeUnitRequest(
                                new ConsumerGroupAndTopic("group", topic.getTopicTalosResourceName())))
                .getPartitionConsumeUnitList();
        assertThat(units)
                .containsExactly(
                        new PartitionConsumeUnit(0, "10.1.2.3", 6, 3),
                        new PartitionConsumeUnit(1, "", -1, 3),
                        new PartitionConsumeUnit(2, "", -1, 0),
                        new PartitionConsumeUnit(3, "", -1, 0));
        assertThat(client.call(
                                ThriftService.METRIC,
                                MetricMethods.QUERY_TOPIC_CONSUME_UNIT,
                                new QueryTopicConsumeUnitRequest(topic.getTopicTalosResourceName()))
                        .getTopicConsumeUnitMap())
                .isEqualTo(Map.of("group", units));
        Map<ConsumerGroupAndPartition, Long> lags = consumer(
                        ConsumerMethods.QUERY_ORG_OFFSET, new QueryOrgOffsetRequest("gro", topic.getOwnerId()))
                .getConsumerGroupOffsetMap();
        assertThat(lags)
                .containsEntry(new ConsumerGroupAndPartition("group", topic.getTopicTalosResourceName(), 0), 3L);
        assertThat(consumer(ConsumerMethods.QUERY_ORG_OFFSET, new QueryOrgOffsetRequest("gro", "CLnobody"))
                        .getConsumerGroupOffsetMap())
                .isEmpty();
    }

    // --- several topics ---

    @Test
    void workerOfSeveralTopicsHoldsPartitionsOfEach() throws Exception {
        TopicInfo other = newTopic();
        List<TopicTalosResourceName> both =
                List.of(topic.getTopicTalosResourceName(), other.getTopicTalosResourceName());
        assertThat(consumer(
                                ConsumerMethods.LOCK_WORKER_FOR_TOPICS,
                                new TopicsLockWorkerRequest("group", both, "w1", ""))
                        .isRegisterSuccess())
                .isTrue();
        TopicsQueryWorkerRequest query = new TopicsQueryWorkerRequest("group", both, "");
        assertThat(consumer(ConsumerMethods.QUERY_WORKER_FOR_TOPICS, query).getWorkerMap())
                .isEqualTo(Map.of("w1", List.of()));
        lock("w1", 0);
        lock("w2", 1);
        assertThat(consumer(ConsumerMethods.QUERY_WORKER_FOR_TOPICS, query).getWorkerMap())
                .isEqualTo(Map.of("w1", List.of(partition(0)), "w2", List.of(partition(1))));
        String gone = "nobody#gone#" + "0".repeat(32);
        Map<String, List<Integer>> held = new HashMap<>();
        held.put(topic.getTopicTalosResourceName().getTopicTalosResourceName(), List.of(0, 1));
        held.put(other.getTopicTalosResourceName().getTopicTalosResourceName(), List.of());
        held.put(gone, List.of(3));
        TopicsRenewResponse renewed = consumer(
                ConsumerMethods.RENEW_FOR_TOPICS,
                new TopicsRenewRequest(new TopicsConsumeUnit("group", held, "w1", "")));
        assertThat(renewed.isHeartbeatSuccess()).isTrue();
        assertThat(renewed.getFailedPartitionList())
                .containsExactlyInAnyOrder(
                        partition(1), new TopicAndPartition("gone", new TopicTalosResourceName(gone), 3));
    }

    // --- bad input ---

    @Test
    void badInputIsRefusedWithAReason() throws Exception {
        put(0, 10);
        lock("w1", 0);
        assertFails(ErrorCode.PARTITION_NOT_EXIST, "partitions 0 to 3, not 4", () -> lock("w1", 4));
        assertFails(ErrorCode.PARTITION_NOT_EXIST, "not -1", () -> lock("w1", -1));
        assertFails(
                ErrorCode.UNEXPECTED_MESSAGE_OFFSET,
                "the last message of partition 0 has offset 9",
                () -> commit("w1", 0, 10, null));
        assertFails(ErrorCode.UNEXPECTED_MESSAGE_OFFSET, "-1 cannot be committed", () -> commit("w1", 0, -1, null));
        assertFails(
                ErrorCode.INVALID_NAME_ERROR,
                "80 letters",
                () -> consumer(
                        ConsumerMethods.QUERY_WORKER,
                        new QueryWorkerRequest("_group", topic.getTopicTalosResourceName())));
        assertFails(ErrorCode.INVALID_NAME_ERROR, "1 to 256 characters", () -> register(""));
        assertFails(ErrorCode.INVALID_NAME_ERROR, "1 to 256 characters", () -> register("w".repeat(257)));
        assertThat(committed(0)).isEqualTo(-1);
        assertThat(workers()).isEqualTo(Map.of("w1", List.of(0)));
    }

    @Test
    void topicThatHoldsGroupsIsNobodysToUse() throws Exception {
        register("w1");
        assertFails(
                ErrorCode.INVALID_NAME_ERROR,
                "reserved",
                () -> client.call(
                        ThriftService.TOPIC,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(
                                "__consumer_groups", new TopicAttribute().setPartitionNumber(PARTITIONS))));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                "__consumer_groups",
                () -> client.call(
                        ThriftService.TOPIC,
                        TopicMethods.DESCRIBE_TOPIC,
                        new DescribeTopicRequest("__consumer_groups")));
        assertThat(client.call(ThriftService.TOPIC, TopicMethods.LIST_TOPICS, null)
                        .getTopicInfos())
                .extracting(TopicInfo::getTopicName)
                .doesNotContain("__consumer_groups");
        assertThat(gateway.send(gateway.request("/v1/topics/__consumer_groups/partitions/0/messages?offset=earliest")
                                .build())
                        .statusCode())
                .isEqualTo(404);
    }

    /** The Java SDK 2.0.2 skips exceptions of these methods, and would say that the result is unknown. */
    @Test
    void javaClientsAreToldTheReasonInAFormThatAllOfThemShow() {
        TalosTestClient java = client.withUserAgent(TalosTestClient.JAVA);
        ConsumeUnit badName = new ConsumeUnit("bad name", topic.getTopicTalosResourceName(), List.of(), "w1");
        assertThatExceptionOfType(TApplicationException.class)
                .isThrownBy(() ->
                        java.call(ThriftService.CONSUMER, ConsumerMethods.LOCK_WORKER, new LockWorkerRequest(badName)))
                .withMessageContaining("The name of the consumer group is not valid");
        assertThatExceptionOfType(GalaxyTalosException.class)
                .as("an exception that every SDK knows")
                .isThrownBy(() -> java.call(
                        ThriftService.CONSUMER,
                        ConsumerMethods.GET_WORKER_ID,
                        new GetWorkerIdRequest(partition(0), "bad name")));
    }
}
