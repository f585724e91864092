package io.talosgateway.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.xiaomi.infra.galaxy.rpc.thrift.Grantee;
import com.xiaomi.infra.galaxy.talos.admin.TalosAdmin;
import com.xiaomi.infra.galaxy.talos.client.HttpTTransportException;
import com.xiaomi.infra.galaxy.talos.client.TalosClientFactory;
import com.xiaomi.infra.galaxy.talos.consumer.SimpleConsumer;
import com.xiaomi.infra.galaxy.talos.producer.SimpleProducer;
import com.xiaomi.infra.galaxy.talos.thrift.AddSubResourceNameRequest;
import com.xiaomi.infra.galaxy.talos.thrift.BaseQuota;
import com.xiaomi.infra.galaxy.talos.thrift.ChangeTopicAttributeRequest;
import com.xiaomi.infra.galaxy.talos.thrift.CreateTopicRequest;
import com.xiaomi.infra.galaxy.talos.thrift.DeleteTopicQuotaRequest;
import com.xiaomi.infra.galaxy.talos.thrift.DeleteTopicRequest;
import com.xiaomi.infra.galaxy.talos.thrift.DeleteUserQuotaRequest;
import com.xiaomi.infra.galaxy.talos.thrift.DescribeTopicRequest;
import com.xiaomi.infra.galaxy.talos.thrift.ErrorCode;
import com.xiaomi.infra.galaxy.talos.thrift.GalaxyTalosException;
import com.xiaomi.infra.galaxy.talos.thrift.GetMessageRequest;
import com.xiaomi.infra.galaxy.talos.thrift.GetPartitionOffsetRequest;
import com.xiaomi.infra.galaxy.talos.thrift.GetPermissionRequest;
import com.xiaomi.infra.galaxy.talos.thrift.GetTopicOffsetRequest;
import com.xiaomi.infra.galaxy.talos.thrift.ListPermissionRequest;
import com.xiaomi.infra.galaxy.talos.thrift.Message;
import com.xiaomi.infra.galaxy.talos.thrift.MessageAndOffset;
import com.xiaomi.infra.galaxy.talos.thrift.MessageCompressionType;
import com.xiaomi.infra.galaxy.talos.thrift.OffsetInfo;
import com.xiaomi.infra.galaxy.talos.thrift.Permission;
import com.xiaomi.infra.galaxy.talos.thrift.QueryTopicQuotaRequest;
import com.xiaomi.infra.galaxy.talos.thrift.RevokePermissionRequest;
import com.xiaomi.infra.galaxy.talos.thrift.SetPermissionRequest;
import com.xiaomi.infra.galaxy.talos.thrift.SetTopicQuotaRequest;
import com.xiaomi.infra.galaxy.talos.thrift.SetUserQuotaRequest;
import com.xiaomi.infra.galaxy.talos.thrift.Topic;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAndPartition;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAttribute;
import com.xiaomi.infra.galaxy.talos.thrift.TopicInfo;
import com.xiaomi.infra.galaxy.talos.thrift.TopicTalosResourceName;
import com.xiaomi.infra.galaxy.talos.thrift.UserQuota;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.Position;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The official SDK 2.0.2, unchanged, against a gateway process. */
abstract class OfficialSdkContract extends StorageContract {

    private static final int EARLIEST = -1;
    private static final int LAST_MESSAGE = -2;

    private final SdkMessages messages = new SdkMessages(20261120);
    private OfficialSdk sdk;
    private TalosAdmin admin;
    private int topics;

    @BeforeAll
    void makeClients() {
        sdk = OfficialSdk.of(gateway());
        admin = sdk.admin();
    }

    private TopicInfo newTopic(int partitions) throws Exception {
        TopicAttribute attribute = new TopicAttribute().setPartitionNumber(partitions);
        return admin.createTopic(new CreateTopicRequest("topic-" + topics++, attribute))
                .getTopicInfo();
    }

    private static TopicAndPartition partition(TopicInfo topic, int partition) {
        return new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), partition);
    }

    private static GalaxyTalosException assertFails(ErrorCode code, ThrowingCallable call) {
        GalaxyTalosException failure = catchThrowableOfType(GalaxyTalosException.class, call);
        assertThat((Throwable) failure).as("exception").isNotNull();
        assertThat(failure.getErrorCode()).as(failure.toString()).isEqualTo(code);
        assertThat(failure.getDetails()).as("details").isNotBlank();
        return failure;
    }

    // --- topics ---

    @Test
    void topicIsCreatedDescribedListedChangedAndDeleted() throws Exception {
        TopicAttribute attribute = new TopicAttribute()
                .setPartitionNumber(3)
                .setMessageRetentionSecs(7_200)
                .setAttributes(Map.of("team", "billing"));
        TopicInfo created =
                admin.createTopic(new CreateTopicRequest("life", attribute)).getTopicInfo();
        assertThat(created.getTopicName()).isEqualTo("life");
        assertThat(created.getOwnerId()).isEqualTo("tester");

        Topic described = admin.describeTopic(new DescribeTopicRequest("life"));
        assertThat(described.getTopicInfo()).isEqualTo(created);
        assertThat(described.getTopicAttribute()).isEqualTo(attribute);
        assertThat(described.getTopicState().getPartitionStates()).hasSize(3);
        assertThat(admin.listTopic()).contains(created);

        admin.addTopicPartitionNumber(created.getTopicTalosResourceName(), 5);
        admin.changeTopicAttribute(new ChangeTopicAttributeRequest(
                created.getTopicTalosResourceName(),
                new TopicAttribute().setPartitionNumber(5).setMessageRetentionSecs(10_800)));
        assertThat(admin.describeTopic(new DescribeTopicRequest("life")).getTopicAttribute())
                .isEqualTo(attribute.setPartitionNumber(5).setMessageRetentionSecs(10_800));

        admin.deleteTopic(new DeleteTopicRequest(created.getTopicTalosResourceName()));
        assertThat(admin.listTopic()).doesNotContain(created);
        assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> admin.describeTopic(new DescribeTopicRequest("life")));
    }

    @Test
    void permissionsAreGrantedListedAndRevoked() throws Exception {
        TopicAttribute attribute = new TopicAttribute().setPartitionNumber(1);
        Grantee team = new Grantee().setIdentifier("CI200");
        TopicTalosResourceName topic = admin.createTopic(new CreateTopicRequest("granted", attribute)
                        .setAclMap(Map.of(team, Permission.TOPIC_READ_AND_MESSAGE_FULL_CONTROL)))
                .getTopicInfo()
                .getTopicTalosResourceName();
        assertThat(admin.listPermission(new ListPermissionRequest(topic))).isEqualTo(Map.of("CI200", 7));

        admin.setPermission(new SetPermissionRequest(topic, team, Permission.GET_MESSAGE_AND_DESCRIBE_TOPIC));
        assertThat(admin.queryPermission(new GetPermissionRequest(topic, team))).isEqualTo(6);
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> admin.setPermission(new SetPermissionRequest(topic, team, Permission.FULL_CONTROL)));

        admin.revokePermission(new RevokePermissionRequest(topic, team));
        assertThat(admin.queryPermission(new GetPermissionRequest(topic, team))).isZero();
        assertThat(admin.listPermission(new ListPermissionRequest(topic))).isEmpty();
    }

    @Test
    void quotaIsSetAskedForAndDeleted() throws Exception {
        TopicInfo topic = newTopic(1);
        TopicTalosResourceName name = topic.getTopicTalosResourceName();
        DescribeTopicRequest describe = new DescribeTopicRequest(topic.getTopicName());
        BaseQuota none = admin.describeTopic(describe).getTopicQuota();
        BaseQuota wanted = new BaseQuota(1 << 30).setPutMessageQpsQuota(7).setGetMessageQpsQuota(8);

        admin.setTopicQuota(new SetTopicQuotaRequest(name, wanted));
        // This SDK drops what it is answered, but fails at an answer that lacks a field.
        admin.queryTopicQuota(new QueryTopicQuotaRequest(name));
        assertThat(admin.describeTopic(describe).getTopicQuota()).isEqualTo(wanted);
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> admin.setTopicQuota(new SetTopicQuotaRequest(name, new BaseQuota(0))));

        admin.deleteTopicQuota(new DeleteTopicQuotaRequest(name));
        admin.queryTopicQuota(new QueryTopicQuotaRequest(name));
        assertThat(admin.describeTopic(describe).getTopicQuota()).isEqualTo(none);
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> admin.queryTopicQuota(
                        new QueryTopicQuotaRequest(new TopicTalosResourceName("tester#none#" + "0".repeat(32)))));
    }

    @Test
    void quotaOfADeveloperIsSetListedAskedForAndDeleted() throws Exception {
        UserQuota none = admin.queryUserQuota();
        assertThat(none.getTopicNumberQuota()).isPositive();
        assertThat(admin.listAllUserQuota()).doesNotContainKey("developer");
        UserQuota wanted = new UserQuota(new BaseQuota(1 << 30).setPutMessageQpsQuota(7)).setTopicNumberQuota(3);

        admin.setUserQuota(new SetUserQuotaRequest("developer", wanted));
        assertThat(admin.listAllUserQuota()).containsEntry("developer", wanted);
        assertThat(admin.queryUserQuota().getTopicNumberQuota())
                .as("of the caller")
                .isEqualTo(none.getTopicNumberQuota());
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> admin.setUserQuota(new SetUserQuotaRequest("developer", new UserQuota(new BaseQuota(-1)))));

        admin.deleteUserQuota(new DeleteUserQuotaRequest("developer"));
        assertThat(admin.listAllUserQuota()).doesNotContainKey("developer");
    }

    @Test
    void topicIsHandedToATeam() throws Exception {
        TopicInfo topic = newTopic(1);
        TopicTalosResourceName name = topic.getTopicTalosResourceName();
        List<Message> put = messages.randoms(2, 10);
        sdk.producer(partition(topic, 0), MessageCompressionType.NONE).putMessageList(put);

        admin.addSubResourceName(new AddSubResourceNameRequest(name, "CL100", "CI200"));

        assertThat(admin.listPermission(new ListPermissionRequest(name)))
                .isEqualTo(Map.of("CI200", Permission.ADMIN.getValue()));
        assertThat(admin.describeTopic(new DescribeTopicRequest(topic.getTopicName()))
                        .getTopicInfo())
                .isEqualTo(topic);
        TopicTalosResourceName second =
                new TopicTalosResourceName(name.getTopicTalosResourceName().replaceFirst("^tester#", "CL100#"));
        SdkMessages.assertSame(SdkMessages.readAll(sdk.consumer(partition(second, topic.getTopicName())), 0), 0, put);
        assertFails(
                ErrorCode.SUB_RESOURCE_NAME_EXIST,
                () -> admin.addSubResourceName(new AddSubResourceNameRequest(name, "CL101", "CI200")));
    }

    @Test
    void partitionThatIsAddedTakesMessagesAtOnceAndAfterARestart() throws Exception {
        TopicInfo topic = newTopic(1);
        admin.addTopicPartitionNumber(topic.getTopicTalosResourceName(), 2);
        List<Message> put = messages.randoms(3, 100);

        sdk.producer(partition(topic, 1), MessageCompressionType.SNAPPY).putMessageList(put);
        restart();

        SdkMessages.assertSame(SdkMessages.readAll(sdk.consumer(partition(topic, 1)), 0), 0, put);
        assertThat(sdk.consumer(partition(topic, 0)).fetchMessage(0)).isEmpty();
    }

    /** Puts a message to each partition of a new topic, and gets it. */
    final void putToEachOf(int partitions) throws Exception {
        TopicInfo topic = newTopic(partitions);
        for (int number = 0; number < partitions; number++) {
            List<Message> put = messages.randoms(1, 10);
            sdk.producer(partition(topic, number), MessageCompressionType.NONE).putMessageList(put);
            SdkMessages.assertSame(SdkMessages.readAll(sdk.consumer(partition(topic, number)), 0), 0, put);
        }
    }

    private void restart() throws Exception {
        gateway().kill();
        gateway().start();
    }

    // --- messages ---

    @ParameterizedTest
    @EnumSource
    void messagesComeBackInOrderByteForByteAlsoAfterARestart(MessageCompressionType compression) throws Exception {
        TopicAndPartition partition = partition(newTopic(2), 1);
        SimpleProducer producer = sdk.producer(partition, compression);
        SimpleConsumer consumer = sdk.consumer(partition);
        List<Message> put = new ArrayList<>();
        for (List<Message> batch : batches()) {
            producer.putMessageList(batch);
            put.addAll(batch);
        }

        SdkMessages.assertSame(SdkMessages.readAll(consumer, 0), 0, put);
        restart();
        SdkMessages.assertSame(SdkMessages.readAll(consumer, 0), 0, put);

        List<Message> more = messages.randoms(5, 500);
        producer.putMessageList(more);
        // From the middle of a block of the first batch on.
        SdkMessages.assertSame(SdkMessages.readAll(consumer, 1), 1, concat(put.subList(1, put.size()), more));
        assertThat(sdk.consumer(partition(partition.getTopicTalosResourceName(), partition.getTopicName()))
                        .fetchMessage(0))
                .as("the other partition")
                .isEmpty();
    }

    private static TopicAndPartition partition(TopicTalosResourceName resourceName, String name) {
        return new TopicAndPartition(name, resourceName, 0);
    }

    private List<List<Message>> batches() {
        return List.of(
                messages.randoms(4, 1),
                List.of(messages.random(1)),
                List.of(messages.random(10 << 10)),
                messages.randoms(7, 10 << 10),
                List.of(messages.random(1 << 20)),
                List.of(messages.repetitive((1 << 20) + 13), messages.random(1), messages.repetitive(1)),
                messages.randoms(1_000, 20),
                List.of(messages.repetitive(3 << 20)));
    }

    private static List<Message> concat(List<Message> first, List<Message> second) {
        List<Message> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    @Test
    void everyMessageIsReadWithOneGetEach() throws Exception {
        TopicAndPartition partition = partition(newTopic(1), 0);
        List<Message> put = messages.randoms(20, 50);
        sdk.producer(partition, MessageCompressionType.GZIP).putMessageList(put.subList(0, 13));
        sdk.producer(partition, MessageCompressionType.NONE).putMessageList(put.subList(13, 20));
        SimpleConsumer consumer = sdk.consumer(partition);

        for (int offset = 0; offset < put.size(); offset++) {
            MessageAndOffset first = consumer.fetchMessage(offset, 1).get(0);
            SdkMessages.assertSame(List.of(first), offset, List.of(put.get(offset)));
        }
    }

    @Test
    void consumerBeginsAtTheEarliestOrTheLastMessage() throws Exception {
        TopicAndPartition partition = partition(newTopic(1), 0);
        SimpleConsumer consumer = sdk.consumer(partition);
        assertThat(consumer.fetchMessage(EARLIEST)).isEmpty();
        assertThat(consumer.fetchMessage(LAST_MESSAGE)).isEmpty();
        List<Message> put = messages.randoms(3, 10);
        for (Message message : put) {
            sdk.producer(partition, MessageCompressionType.NONE).putMessageList(List.of(message));
        }

        SdkMessages.assertSame(consumer.fetchMessage(EARLIEST), 0, put);
        SdkMessages.assertSame(consumer.fetchMessage(LAST_MESSAGE), 2, put.subList(2, 3));
        assertThat(consumer.fetchMessage(3)).isEmpty();
    }

    @Test
    void offsetsOfATopicTellWhatIsStored() throws Exception {
        TopicInfo topic = newTopic(2);
        sdk.producer(partition(topic, 1), MessageCompressionType.SNAPPY).putMessageList(messages.randoms(9, 10));

        List<OffsetInfo> offsets = admin.getTopicOffset(new GetTopicOffsetRequest(topic.getTopicTalosResourceName()));

        assertThat(offsets)
                .containsExactlyInAnyOrder(
                        new OffsetInfo(0).setStartOffset(0).setEndOffset(-1),
                        new OffsetInfo(1).setStartOffset(0).setEndOffset(8));
        assertThat(admin.getPartitionOffset(new GetPartitionOffsetRequest(partition(topic, 1))))
                .isEqualTo(new OffsetInfo(1).setStartOffset(0).setEndOffset(8));
    }

    @Test
    void requestThatIsSentAgainIsStoredOnceAlsoAfterARestart() throws Exception {
        TopicAndPartition partition = partition(newTopic(1), 0);
        List<Message> put = messages.randoms(2, 30);
        List<Message> next = messages.randoms(1, 30);

        sdk.producer(partition, "client", 1).putMessageList(put);
        sdk.producer(partition, "client", 1).putMessageList(put);
        restart();
        sdk.producer(partition, "client", 1).putMessageList(put);
        sdk.producer(partition, "client", 2).putMessageList(next);

        SdkMessages.assertSame(SdkMessages.readAll(sdk.consumer(partition), 0), 0, concat(put, next));
    }

    @ParameterizedTest
    @EnumSource
    void restInterfaceReadsWhatTheSdkPut(MessageCompressionType compression) throws Exception {
        TopicInfo topic = newTopic(1);
        List<Message> put = List.of(messages.random(1), messages.repetitive(200_000), messages.random(50_000));
        sdk.producer(partition(topic, 0), compression).putMessageList(put);

        List<io.talosgateway.client.Message> read = client().get(
                        topic.getTopicName(), 0, Position.EARLIEST, GetOptions.DEFAULT)
                .get()
                .messages();

        assertThat(read).hasSize(3);
        for (int index = 0; index < 3; index++) {
            assertThat(read.get(index).offset()).isEqualTo(index);
            assertThat(read.get(index).payload()).isEqualTo(put.get(index).getMessage());
            assertThat(read.get(index).sequenceNumber())
                    .isEqualTo(put.get(index).getSequenceNumber());
        }
    }

    @Test
    void sdkReadsWhatTheRestInterfacePut() throws Exception {
        TopicInfo topic = newTopic(1);
        byte[] bytes = messages.random(10_000).getMessage();
        client().put(topic.getTopicName(), 0, List.of(NewMessage.of("first"), NewMessage.of(bytes)))
                .get();

        List<MessageAndOffset> read = sdk.consumer(partition(topic, 0)).fetchMessage(0);

        assertThat(read).hasSize(2);
        assertThat(new String(read.get(0).getMessage().getMessage(), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("first");
        assertThat(read.get(1).getMessage().getMessage()).isEqualTo(bytes);
    }

    private GatewayClient client() {
        return gateway().client().build();
    }

    // --- errors ---

    @Test
    void whatIsNotThereIsATypedException() throws Exception {
        TopicInfo topic = newTopic(1);
        assertFails(
                ErrorCode.TOPIC_EXIST,
                () -> admin.createTopic(
                        new CreateTopicRequest(topic.getTopicName(), new TopicAttribute().setPartitionNumber(1))));
        assertFails(
                ErrorCode.PARTITION_NOT_EXIST,
                () -> sdk.consumer(partition(topic, 1)).fetchMessage(0));
        SimpleProducer producer = sdk.producer(partition(topic, 0), MessageCompressionType.NONE);
        admin.deleteTopic(new DeleteTopicRequest(topic.getTopicTalosResourceName()));

        assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> producer.putMessageList(messages.randoms(1, 1)));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> sdk.consumer(partition(topic, 0)).fetchMessage(0));
    }

    @Test
    void resourceNameOfADeletedTopicDoesNotReachItsSuccessor() throws Exception {
        TopicInfo old = newTopic(1);
        admin.deleteTopic(new DeleteTopicRequest(old.getTopicTalosResourceName()));
        TopicInfo successor = admin.createTopic(
                        new CreateTopicRequest(old.getTopicName(), new TopicAttribute().setPartitionNumber(1)))
                .getTopicInfo();

        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> sdk.producer(partition(old, 0), MessageCompressionType.NONE)
                        .putMessageList(messages.randoms(1, 1)));
        assertThat(sdk.consumer(partition(successor, 0)).fetchMessage(0)).isEmpty();
    }

    @Test
    void offsetBehindTheEndIsOutOfRange() throws Exception {
        TopicAndPartition partition = partition(newTopic(1), 0);
        sdk.producer(partition, MessageCompressionType.NONE).putMessageList(messages.randoms(2, 1));

        GalaxyTalosException failure = assertFails(
                ErrorCode.MESSAGE_OFFSET_OUT_OF_RANGE,
                () -> sdk.consumer(partition).fetchMessage(3));

        assertThat(failure.getErrMsg()).contains("Message out range");
    }

    @Test
    void wrongSecretIsUnauthenticated() {
        TalosAdmin wrong = sdk.withSecret("wrong").admin();

        assertThatThrownBy(wrong::listTopic).isInstanceOfSatisfying(HttpTTransportException.class, failure -> {
            assertThat(failure.getStatusCode()).isEqualTo(401);
            assertThat(failure.getErrorCode().name()).isEqualTo("INVALID_AUTH");
        });
    }

    @Test
    void requestThatIsWrongSaysWhatIsWrong() throws Exception {
        GetMessageRequest wrong = new GetMessageRequest(partition(newTopic(1), 0), 0, "id").setMaxGetMessageNumber(-1);

        assertThatThrownBy(() -> sdk.factory().newMessageClient().getMessage(wrong))
                .isInstanceOfSatisfying(
                        HttpTTransportException.class,
                        failure -> assertThat(failure.getStatusCode()).isEqualTo(400))
                .hasMessageContaining("maxGetMessageNumber must be positive");
    }

    @Test
    void clockThatIsFarOffIsCorrectedByTheFirstAnswer() throws Exception {
        TalosClientFactory factory = sdk.factory();
        long hourAhead = System.currentTimeMillis() / 1000 + 3_600;
        factory.getClock().adjust(hourAhead);
        TalosAdmin ahead = new TalosAdmin(factory);

        assertThatThrownBy(ahead::listTopic)
                .isInstanceOfSatisfying(
                        HttpTTransportException.class,
                        failure -> assertThat(failure.getStatusCode()).isEqualTo(412));

        assertThat(ahead.listTopic()).isNotNull();
    }
}
