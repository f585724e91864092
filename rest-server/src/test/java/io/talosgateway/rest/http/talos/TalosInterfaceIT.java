package io.talosgateway.rest.http.talos;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.ChangeTopicAttributeRequest;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.CreateTopicResponse;
import io.talosgateway.thrift.DeleteMessageIndexRequest;
import io.talosgateway.thrift.DeleteTopicAttributeRequest;
import io.talosgateway.thrift.DeleteTopicRequest;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.DescribeTopicResponse;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GetCheckpointRequest;
import io.talosgateway.thrift.GetDescribeInfoRequest;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetMessageResponse;
import io.talosgateway.thrift.GetPartitionCheckpointRequest;
import io.talosgateway.thrift.GetPartitionOffsetRequest;
import io.talosgateway.thrift.GetPartitionOffsetResponse;
import io.talosgateway.thrift.GetPartitionsOffsetRequest;
import io.talosgateway.thrift.GetPermissionRequest;
import io.talosgateway.thrift.GetScheduleInfoRequest;
import io.talosgateway.thrift.GetTopicAttributeRequest;
import io.talosgateway.thrift.GetTopicOffsetRequest;
import io.talosgateway.thrift.ListPermissionRequest;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.OffsetInfo;
import io.talosgateway.thrift.Permission;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.RevokePermissionRequest;
import io.talosgateway.thrift.SetPermissionRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.Version;
import io.talosgateway.thrift.call.BaseMethods;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.thrift.rpc.Grantee;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageDecoder;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The Talos interface of a whole gateway, call by call. What the official SDK makes of it is tested in {@code deploy}. */
final class TalosInterfaceIT {

    private static final AtomicInteger topics = new AtomicInteger();
    private static final long CREATED_AT_MS = 1_600_000_000_000L;

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static TalosTestClient client;

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(directory, Map.of("http.max-body-size", "256KiB"));
        client = new TalosTestClient(gateway);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    // --- helpers ---

    private static <A, R> R topic(ThriftMethod<A, R> method, A argument) throws Exception {
        return client.call(ThriftService.TOPIC, method, argument);
    }

    private static <A, R> R message(ThriftMethod<A, R> method, A argument) throws Exception {
        return client.call(ThriftService.MESSAGE, method, argument);
    }

    private static TopicInfo newTopic(int partitions) throws Exception {
        return topic(
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(
                                "topic-" + topics.incrementAndGet(),
                                new TopicAttribute().setPartitionNumber(partitions)))
                .getTopicInfo();
    }

    private static TopicAndPartition partition(TopicInfo topic, int partition) {
        return new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), partition);
    }

    private static Message textMessage(String text) {
        return new Message(null, null, ByteSlice.utf8(text), CREATED_AT_MS, null, Message.BINARY, null, null);
    }

    private static io.talosgateway.thrift.MessageBlock block(
            MessageVersion version, Compression compression, String... texts) {
        MessageBlock block = MessageEncoder.encode(
                List.of(texts).stream().map(TalosInterfaceIT::textMessage).toList(), version, compression);
        return new io.talosgateway.thrift.MessageBlock(
                0,
                block.messageNumber(),
                MessageCompressionType.findByValue(compression.code()),
                block.data().toByteBuffer());
    }

    private static PutMessageRequest put(TopicInfo topic, int partition, String... texts) {
        return put(topic, partition, block(MessageVersion.V2, Compression.SNAPPY, texts));
    }

    private static PutMessageRequest put(TopicInfo topic, int partition, io.talosgateway.thrift.MessageBlock block) {
        return new PutMessageRequest(
                partition(topic, partition), List.of(block), block.getMessageNumber(), "SimpleProducer1#1");
    }

    private static GetMessageRequest get(TopicInfo topic, int partition, long offset) {
        return new GetMessageRequest(partition(topic, partition), offset, "get#1");
    }

    private static GetMessageResponse getAll(TopicInfo topic, int partition) throws Exception {
        return message(MessageMethods.GET_MESSAGE, get(topic, partition, 0));
    }

    private static List<String> texts(GetMessageResponse response) throws Exception {
        List<String> texts = new ArrayList<>();
        for (io.talosgateway.thrift.MessageBlock block : response.getMessageBlocks()) {
            MessageBlock inside = new MessageBlock(
                    block.getMessageNumber(),
                    block.getCompressionType().getValue(),
                    new ByteSlice(block.getMessageBlock()),
                    0,
                    ByteSlice.EMPTY);
            MessageDecoder.decode(new StoredBlock(0, 0, inside), 1 << 20)
                    .forEach(message -> texts.add(message.payload().utf8()));
        }
        return texts;
    }

    private static GalaxyTalosException assertFails(ErrorCode code, ThrowingCallable call) {
        GalaxyTalosException[] caught = new GalaxyTalosException[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(GalaxyTalosException.class, failure -> {
            assertThat(failure.getErrorCode()).as(failure.getDetails()).isEqualTo(code);
            assertThat(failure.getErrMsg()).isNotBlank();
            assertThat(failure.getDetails()).as("the SDK's shell prints it").isNotBlank();
            caught[0] = failure;
        });
        return caught[0];
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    // --- topics ---

    @Test
    void topicLifeCycle() throws Exception {
        String name = "life-cycle";
        CreateTopicResponse created = topic(
                TopicMethods.CREATE_TOPIC,
                new CreateTopicRequest(
                                "CL100/" + name,
                                new TopicAttribute()
                                        .setPartitionNumber(3)
                                        .setMessageRetentionSecs(7200)
                                        .setAttributes(Map.of("a", "1")))
                        .setAclMap(Map.of(
                                new Grantee().setIdentifier("CI200"), Permission.TOPIC_READ_AND_MESSAGE_FULL_CONTROL)));
        TopicInfo info = created.getTopicInfo();
        assertThat(info.getTopicName()).isEqualTo(name);
        assertThat(info.getOwnerId()).isEqualTo("CL100");
        assertThat(info.getTopicTalosResourceName().getTopicTalosResourceName())
                .matches("CL100#life-cycle#[0-9a-f]{32}");

        assertFails(
                ErrorCode.TOPIC_EXIST,
                () -> topic(
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(name, new TopicAttribute().setPartitionNumber(1))));

        DescribeTopicResponse described = topic(TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest(name));
        assertThat(described.getTopicInfo()).isEqualTo(info);
        assertThat(described.getTopicAttribute().getPartitionNumber()).isEqualTo(3);
        assertThat(described.getTopicAttribute().getMessageRetentionSecs()).isEqualTo(7200);
        assertThat(described.getTopicAttribute().getAttributes()).isEqualTo(Map.of("a", "1"));
        assertThat(described.getAclMap()).isEqualTo(Map.of("CI200", 7));
        assertThat(described.getTopicState().getMessageNumber()).isZero();
        assertThat(described.getTopicQuota().isSetSpaceQuota()).isTrue();
        assertThat(topic(TopicMethods.GET_DESCRIBE_INFO, new GetDescribeInfoRequest(name))
                        .getPartitionNumber())
                .isEqualTo(3);
        assertThat(topic(TopicMethods.GET_TOPIC_ATTRIBUTE, new GetTopicAttributeRequest(name))
                        .getTopicAttribute())
                .isEqualTo(described.getTopicAttribute());

        topic(
                TopicMethods.CHANGE_TOPIC_ATTRIBUTE,
                new ChangeTopicAttributeRequest(
                        info.getTopicTalosResourceName(),
                        new TopicAttribute().setPartitionNumber(5).setAttributes(Map.of("b", "2"))));
        TopicAttribute changed = topic(TopicMethods.GET_TOPIC_ATTRIBUTE, new GetTopicAttributeRequest(name))
                .getTopicAttribute();
        assertThat(changed.getPartitionNumber()).isEqualTo(5);
        assertThat(changed.getMessageRetentionSecs()).isEqualTo(7200);
        assertThat(changed.getAttributes()).isEqualTo(Map.of("a", "1", "b", "2"));
        message(MessageMethods.PUT_MESSAGE, put(info, 4, "in a partition that was added"));

        topic(
                TopicMethods.DELETE_TOPIC_ATTRIBUTE,
                new DeleteTopicAttributeRequest(info.getTopicTalosResourceName(), "a"));
        assertThat(topic(TopicMethods.GET_TOPIC_ATTRIBUTE, new GetTopicAttributeRequest(name))
                        .getTopicAttribute()
                        .getAttributes())
                .isEqualTo(Map.of("b", "2"));
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> topic(
                        TopicMethods.CHANGE_TOPIC_ATTRIBUTE,
                        new ChangeTopicAttributeRequest(
                                info.getTopicTalosResourceName(), new TopicAttribute().setPartitionNumber(4))));

        assertThat(topic(TopicMethods.LIST_TOPICS, null).getTopicInfos()).contains(info);
        assertThat(topic(TopicMethods.LIST_TOPICS_INFO, null).getTopicList()).anySatisfy(topic -> {
            assertThat(topic.getTopicInfo()).isEqualTo(info);
            assertThat(topic.getTopicState().getMessageNumber()).isEqualTo(1);
        });

        topic(TopicMethods.DELETE_TOPIC, new DeleteTopicRequest(info.getTopicTalosResourceName()));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST, () -> topic(TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest(name)));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> topic(TopicMethods.DELETE_TOPIC, new DeleteTopicRequest(info.getTopicTalosResourceName())));

        TopicInfo again = topic(
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(name, new TopicAttribute().setPartitionNumber(1)))
                .getTopicInfo();
        assertThat(again.getTopicTalosResourceName()).isNotEqualTo(info.getTopicTalosResourceName());
        assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> message(MessageMethods.PUT_MESSAGE, put(info, 0, "to the old")));
        assertThat(getAll(again, 0).getMessageBlocks()).isEmpty();
    }

    @Test
    void topicsThatBreakTheRulesAreRefused() {
        for (String name : List.of("", "_a", "-a", "a_", "a b", "a#b", "x".repeat(81), "XX100/ok", "CL100/a/b")) {
            assertFails(
                    ErrorCode.INVALID_NAME_ERROR,
                    () -> topic(
                            TopicMethods.CREATE_TOPIC,
                            new CreateTopicRequest(name, new TopicAttribute().setPartitionNumber(1))));
        }
        for (TopicAttribute attribute : List.of(
                new TopicAttribute().setPartitionNumber(0),
                new TopicAttribute().setPartitionNumber(257),
                new TopicAttribute().setPartitionNumber(-1),
                new TopicAttribute().setPartitionNumber(1).setMessageRetentionSecs(0),
                new TopicAttribute().setPartitionNumber(1).setAttributes(Map.of("talos.durability", "paper")))) {
            assertFails(
                    ErrorCode.INVALID_TOPIC_PARAMS,
                    () -> topic(TopicMethods.CREATE_TOPIC, new CreateTopicRequest("never-made", attribute)));
        }
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> topic(TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest("never-made")));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> topic(TopicMethods.GET_DESCRIBE_INFO, new GetDescribeInfoRequest("no such name!")));
    }

    @Test
    void listShowsWhatBelongsToTheCaller() throws Exception {
        TopicInfo ours = newTopic(1);
        TalosTestClient other = client.withKey(gateway.addKey("somebody-else", false));
        TopicInfo theirs = other.call(
                        ThriftService.TOPIC,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest("theirs", new TopicAttribute().setPartitionNumber(1)))
                .getTopicInfo();

        assertThat(theirs.getOwnerId()).isEqualTo("somebody-else");
        assertThat(other.call(ThriftService.TOPIC, TopicMethods.LIST_TOPICS, null)
                        .getTopicInfos())
                .containsExactly(theirs);
        assertThat(topic(TopicMethods.LIST_TOPICS, null).getTopicInfos()).contains(ours, theirs);
    }

    private static CreateTopicRequest request(String name, String grantee, Permission permission) {
        return new CreateTopicRequest(name, new TopicAttribute().setPartitionNumber(1))
                .setAclMap(Map.of(new Grantee().setIdentifier(grantee), permission));
    }

    @Test
    void onlyPutGetAndDescribeCanBeGranted() throws Exception {
        for (Permission permission :
                List.of(Permission.NONE, Permission.CHANGE_TOPIC, Permission.FULL_CONTROL, Permission.ADMIN)) {
            assertFails(
                    ErrorCode.INVALID_TOPIC_PARAMS,
                    () -> topic(TopicMethods.CREATE_TOPIC, request("never-made", "CI200", permission)));
        }
        TopicTalosResourceName name = newTopic(1).getTopicTalosResourceName();
        Grantee grantee = new Grantee().setIdentifier("CI200");
        for (Permission permission : List.of(Permission.NONE, Permission.CHANGE_PERMISSION, Permission.ADMIN)) {
            assertFails(
                    ErrorCode.INVALID_TOPIC_PARAMS,
                    () -> topic(TopicMethods.SET_PERMISSION, new SetPermissionRequest(name, grantee, permission)));
        }
    }

    @Test
    void permissionsAreSetListedAndRevoked() throws Exception {
        TopicInfo created = topic(TopicMethods.CREATE_TOPIC, request("granted", "CI200", Permission.PUT_MESSAGE))
                .getTopicInfo();
        TopicTalosResourceName name = created.getTopicTalosResourceName();
        Grantee grantee = new Grantee().setIdentifier("CI200");
        Grantee owner = new Grantee().setIdentifier(created.getOwnerId());
        assertThat(permission(name, grantee)).isEqualTo(1);

        topic(
                TopicMethods.SET_PERMISSION,
                new SetPermissionRequest(name, grantee, Permission.GET_MESSAGE_AND_DESCRIBE_TOPIC));
        assertThat(permission(name, grantee)).isEqualTo(6);
        assertThat(permission(name, owner)).isEqualTo(31);
        assertThat(permission(name, new Grantee().setIdentifier("nobody"))).isZero();
        assertThat(topic(TopicMethods.LIST_PERMISSION, new ListPermissionRequest(name))
                        .getPermissions())
                .isEqualTo(Map.of("CI200", 6));
        assertThat(topic(TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest("granted"))
                        .getAclMap())
                .isEqualTo(Map.of("CI200", 6));

        topic(TopicMethods.REVOKE_PERMISSION, new RevokePermissionRequest(name, grantee));
        assertThat(topic(TopicMethods.LIST_PERMISSION, new ListPermissionRequest(name))
                        .getPermissions())
                .isEmpty();
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> topic(TopicMethods.REVOKE_PERMISSION, new RevokePermissionRequest(name, owner)));
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> topic(TopicMethods.REVOKE_PERMISSION, new RevokePermissionRequest(name, new Grantee())));
    }

    private static int permission(TopicTalosResourceName name, Grantee grantee) throws Exception {
        return topic(TopicMethods.GET_PERMISSION, new GetPermissionRequest(name, grantee))
                .getPermission();
    }

    @Test
    void topicsOfAnOrganizationAreCreatedByItsTeamsOnly() throws Exception {
        TalosTestClient team = client.withKey(gateway.addKey("CI300", "CL300", false));
        TalosTestClient stranger = client.withKey(gateway.addKey("CI400", "CL400", false));
        CreateTopicRequest named = new CreateTopicRequest("CL300/of-cl300", new TopicAttribute().setPartitionNumber(1));
        GalaxyTalosException denied = assertFails(
                ErrorCode.PERMISSION_DENIED_ERROR,
                () -> stranger.call(ThriftService.TOPIC, TopicMethods.CREATE_TOPIC, named));
        assertThat(denied.getDetails()).contains("'CI400'", "'CL300'");
        assertThat(team.call(ThriftService.TOPIC, TopicMethods.CREATE_TOPIC, named)
                        .getTopicInfo()
                        .getOwnerId())
                .isEqualTo("CL300");
    }

    // --- puts and gets ---

    @ParameterizedTest
    @EnumSource
    void putAndGetInEveryProtocol(ThriftFormat format) throws Exception {
        TopicInfo topic = newTopic(1);
        TalosTestClient speaking = client.with(format);

        var reply = speaking.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "a", "b"));
        assertThat(reply.getSequenceId()).isEqualTo("SimpleProducer1#1");
        assertThat(reply.isIsTransfer()).isFalse();
        GetMessageResponse got = speaking.call(ThriftService.MESSAGE, MessageMethods.GET_MESSAGE, get(topic, 0, 0));

        assertThat(texts(got)).containsExactly("a", "b");
        assertThat(got.getMessageNumber()).isEqualTo(2);
        assertThat(got.getSequenceId()).isEqualTo("get#1");
        io.talosgateway.thrift.MessageBlock block = got.getMessageBlocks().get(0);
        assertThat(block.getStartMessageOffset()).isZero();
        assertThat(block.getAppendTimestamp()).isPositive();
        assertThat(block.getMessageBlock())
                .isEqualTo(put(topic, 0, "a", "b").getMessageBlocks().get(0).getMessageBlock());
    }

    @Test
    void getBeginsWithTheBlockThatHoldsTheOffset() throws Exception {
        TopicInfo topic = newTopic(1);
        for (int index = 0; index < 4; index++) {
            message(MessageMethods.PUT_MESSAGE, put(topic, 0, "a" + index, "b" + index, "c" + index));
        }

        GetMessageResponse middle = message(MessageMethods.GET_MESSAGE, get(topic, 0, 4));
        assertThat(middle.getMessageBlocks())
                .extracting(io.talosgateway.thrift.MessageBlock::getStartMessageOffset)
                .containsExactly(3L, 6L, 9L);
        assertThat(middle.getUnHandledMessageNumber()).isZero();

        GetMessageResponse few =
                message(MessageMethods.GET_MESSAGE, get(topic, 0, 4).setMaxGetMessageNumber(1));
        assertThat(few.getMessageBlocks()).hasSize(1);
        assertThat(few.getUnHandledMessageNumber()).isEqualTo(6);
        assertThat(few.getMessageNumber()).isEqualTo(3);

        GetMessageResponse small = message(
                MessageMethods.GET_MESSAGE,
                get(topic, 0, 4).setMaxGetMessageBytes(1).setShowUnHandledMessageNumber(false));
        assertThat(small.getMessageBlocks()).as("one block, however large").hasSize(1);
        assertThat(small.isSetUnHandledMessageNumber()).isFalse();
    }

    @Test
    void specialOffsets() throws Exception {
        TopicInfo topic = newTopic(1);
        assertThat(message(MessageMethods.GET_MESSAGE, get(topic, 0, -1)).getMessageBlocks())
                .isEmpty();
        assertThat(message(MessageMethods.GET_MESSAGE, get(topic, 0, -2)).getMessageBlocks())
                .isEmpty();
        assertThat(message(MessageMethods.GET_MESSAGE, get(topic, 0, 0)).getMessageBlocks())
                .isEmpty();
        assertThat(message(MessageMethods.GET_MESSAGE, get(topic, 0, 1)).getMessageBlocks())
                .as("the SDK's demo begins at 1")
                .isEmpty();
        message(MessageMethods.PUT_MESSAGE, put(topic, 0, "a"));
        message(MessageMethods.PUT_MESSAGE, put(topic, 0, "b"));
        message(MessageMethods.PUT_MESSAGE, put(topic, 0, "c"));

        assertThat(texts(message(MessageMethods.GET_MESSAGE, get(topic, 0, -1))))
                .containsExactly("a", "b", "c");
        assertThat(texts(message(MessageMethods.GET_MESSAGE, get(topic, 0, -2))))
                .containsExactly("c");
        assertThat(message(MessageMethods.GET_MESSAGE, get(topic, 0, 3)).getMessageBlocks())
                .isEmpty();
        for (long offset : List.of(4L, 5L, 1L << 40, Long.MAX_VALUE)) {
            assertOutOfRange(topic, offset);
        }
        for (long offset : List.of(-3L, Long.MIN_VALUE)) {
            assertFails(
                    ErrorCode.UNEXPECTED_MESSAGE_OFFSET,
                    () -> message(MessageMethods.GET_MESSAGE, get(topic, 0, offset)));
        }
    }

    /** Java reads the exception's type, Go looks for a text in an answer that is not 200. */
    private static void assertOutOfRange(TopicInfo topic, long offset) throws Exception {
        HttpResponse<byte[]> response = client.post(
                ThriftService.MESSAGE, "getMessage", client.encode(MessageMethods.GET_MESSAGE, get(topic, 0, offset)));

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(text(response)).contains("Message out range");
        assertFails(ErrorCode.MESSAGE_OFFSET_OUT_OF_RANGE, () -> client.decode(MessageMethods.GET_MESSAGE, response));
    }

    @Test
    void offsetsOfPartitions() throws Exception {
        TopicInfo topic = newTopic(2);
        message(MessageMethods.PUT_MESSAGE, put(topic, 1, "a", "b"));

        assertThat(message(
                                MessageMethods.GET_TOPIC_OFFSET,
                                new GetTopicOffsetRequest(topic.getTopicTalosResourceName()))
                        .getOffsetInfoList())
                .containsExactly(
                        new OffsetInfo(0).setStartOffset(0).setEndOffset(-1),
                        new OffsetInfo(1).setStartOffset(0).setEndOffset(1));
        assertThat(message(MessageMethods.GET_PARTITION_OFFSET, new GetPartitionOffsetRequest(partition(topic, 1)))
                        .getOffsetInfo()
                        .getEndOffset())
                .isEqualTo(1);
        List<OffsetInfo> infos = message(
                        MessageMethods.GET_PARTITIONS_OFFSET,
                        new GetPartitionsOffsetRequest(List.of(partition(topic, 1), partition(topic, 2))))
                .getOffsetInfoList();
        assertThat(infos.get(0).getEndOffset()).isEqualTo(1);
        assertThat(infos.get(1).getErrorCode()).isEqualTo(ErrorCode.PARTITION_NOT_EXIST);
        assertThat(infos.get(1).getErrorMsg()).contains("partitions 0 to 1, not 2");
    }

    /** Java looks for the error of this method in the result, Go for an exception. */
    @Test
    void failedPartitionOffsetCarriesResultAndException() throws Exception {
        TopicInfo topic = newTopic(1);

        HttpResponse<byte[]> response = client.post(
                ThriftService.MESSAGE,
                "getPartitionOffset",
                client.encode(MessageMethods.GET_PARTITION_OFFSET, new GetPartitionOffsetRequest(partition(topic, 9))));

        TProtocol in = client.format().reading(new ByteSlice(response.body()));
        in.readMessageBegin();
        in.readStructBegin();
        TField first = in.readFieldBegin();
        GetPartitionOffsetResponse result = new GetPartitionOffsetResponse();
        result.read(in);
        in.readFieldEnd();
        TField second = in.readFieldBegin();
        GalaxyTalosException exception = new GalaxyTalosException();
        exception.read(in);
        assertThat(first.id).isZero();
        assertThat(result.getOffsetInfo().getErrorCode()).isEqualTo(ErrorCode.PARTITION_NOT_EXIST);
        assertThat(result.getOffsetInfo().getErrorMsg()).isNotBlank();
        assertThat(second.id).isEqualTo((short) 1);
        assertThat(exception.getErrorCode()).isEqualTo(ErrorCode.PARTITION_NOT_EXIST);
        assertThat(response.statusCode()).isEqualTo(200);
    }

    @Test
    void scheduleNamesThisHostForEveryPartition() throws Exception {
        TopicInfo topic = newTopic(2);

        assertThat(message(
                                MessageMethods.GET_SCHEDULE_INFO,
                                new GetScheduleInfoRequest(topic.getTopicTalosResourceName()))
                        .getScheduleInfo())
                .isEqualTo(Map.of(
                        partition(topic, 0), "127.0.0.1:" + gateway.port(),
                        partition(topic, 1), "127.0.0.1:" + gateway.port()));
    }

    @Test
    void checkpointsOfTimes() throws Exception {
        TopicInfo topic = newTopic(2);
        message(MessageMethods.PUT_MESSAGE, put(topic, 0, "a", "b"));
        long appendedAtMs = getAll(topic, 0).getMessageBlocks().get(0).getAppendTimestamp();

        assertThat(partitionCheckpoint(topic, 0)).isZero();
        assertThat(partitionCheckpoint(topic, appendedAtMs)).isZero();
        assertThat(partitionCheckpoint(topic, appendedAtMs + 1)).isEqualTo(2);
        assertThat(partitionCheckpoint(topic, Long.MAX_VALUE)).isEqualTo(2);
        assertThat(message(
                                MessageMethods.GET_TOPIC_CHECKPOINT,
                                new GetCheckpointRequest(
                                        topic.getTopicTalosResourceName(),
                                        new HashMap<>(Map.of(0, appendedAtMs + 1, 1, 0L))))
                        .getPartitionsCheckPoint())
                .isEqualTo(Map.of(0, 2L, 1, 0L));
        assertFails(
                ErrorCode.PARTITION_NOT_EXIST,
                () -> message(
                        MessageMethods.GET_TOPIC_CHECKPOINT,
                        new GetCheckpointRequest(topic.getTopicTalosResourceName(), new HashMap<>(Map.of(2, 0L)))));
    }

    private static long partitionCheckpoint(TopicInfo topic, long timeMs) throws Exception {
        return message(
                        MessageMethods.GET_PARTITION_CHECKPOINT,
                        new GetPartitionCheckpointRequest(partition(topic, 0), timeMs))
                .getPartitionCheckPoint();
    }

    @Test
    void oldestMessagesCanBeDeletedAndNoOthers() throws Exception {
        TopicInfo topic = newTopic(1);
        for (String text : List.of("a", "b", "c", "d")) {
            message(MessageMethods.PUT_MESSAGE, put(topic, 0, text));
        }
        TopicAndPartition partition = partition(topic, 0);
        assertFails(
                ErrorCode.UNEXPECTED_MESSAGE_OFFSET,
                () -> message(MessageMethods.DELETE_MESSAGE_INDEX, new DeleteMessageIndexRequest(partition, 1, 2)));
        assertFails(
                ErrorCode.UNEXPECTED_MESSAGE_OFFSET,
                () -> message(MessageMethods.DELETE_MESSAGE_INDEX, new DeleteMessageIndexRequest(partition, 0, 4)));

        message(MessageMethods.DELETE_MESSAGE_INDEX, new DeleteMessageIndexRequest(partition, 0, 1));

        assertOutOfRange(topic, 1);
        assertThat(texts(message(MessageMethods.GET_MESSAGE, get(topic, 0, -1))))
                .containsExactly("c", "d");
        message(MessageMethods.DELETE_MESSAGE_INDEX, new DeleteMessageIndexRequest(partition, 0, 3));
        assertThat(message(
                                MessageMethods.GET_TOPIC_OFFSET,
                                new GetTopicOffsetRequest(topic.getTopicTalosResourceName()))
                        .getOffsetInfoList())
                .containsExactly(new OffsetInfo(0).setStartOffset(4).setEndOffset(3));
        message(MessageMethods.PUT_MESSAGE, put(topic, 0, "e"));
        assertThat(texts(message(MessageMethods.GET_MESSAGE, get(topic, 0, 4)))).containsExactly("e");
    }

    @Test
    void wrongPlacesAreNamed() throws Exception {
        TopicInfo topic = newTopic(1);
        for (int partition : List.of(-1, 1, Integer.MAX_VALUE)) {
            assertFails(
                    ErrorCode.PARTITION_NOT_EXIST,
                    () -> message(MessageMethods.PUT_MESSAGE, put(topic, partition, "x")));
            assertFails(
                    ErrorCode.PARTITION_NOT_EXIST, () -> message(MessageMethods.GET_MESSAGE, get(topic, partition, 0)));
        }
        TopicInfo misnamed = new TopicInfo("other", topic.getTopicTalosResourceName(), "tester");
        assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> message(MessageMethods.PUT_MESSAGE, put(misnamed, 0, "x")));
        for (String resourceName : List.of("", "#", "tester#x", "tester#x#00112233445566778899aabbccddeeff")) {
            TopicInfo unknown = new TopicInfo(topic.getTopicName(), new TopicTalosResourceName(resourceName), "tester");
            assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> message(MessageMethods.GET_MESSAGE, get(unknown, 0, 0)));
        }
    }

    @Test
    void putThatContradictsItselfStoresNothing() throws Exception {
        TopicInfo topic = newTopic(1);

        assertFails(
                ErrorCode.MESSAGE_INCOMPLETE,
                () -> message(MessageMethods.PUT_MESSAGE, put(topic, 0, "a").setMessageNumber(2)));
        assertFails(
                ErrorCode.MESSAGE_INCOMPLETE,
                () -> message(MessageMethods.PUT_MESSAGE, put(topic, 0, "a").setMessageBlocks(List.of())));

        assertThat(getAll(topic, 0).getMessageBlocks()).isEmpty();
    }

    // --- repeats ---

    @Test
    void sequenceIdOfTheJavaSdkMarksARepeat() throws Exception {
        TopicInfo topic = newTopic(1);
        TalosTestClient java = client.withUserAgent(TalosTestClient.JAVA);
        PutMessageRequest once = put(topic, 0, "once");
        java.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, once);
        java.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, once);
        // The same number for other messages is a new put: dropping one is worse than storing one twice.
        java.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "other"));

        assertThat(texts(getAll(topic, 0))).containsExactly("once", "other");
    }

    @Test
    void sequenceIdsOfTwoPrincipalsAreDifferent() throws Exception {
        TopicInfo topic = newTopic(1);
        TalosTestClient java = client.withUserAgent(TalosTestClient.JAVA);
        TalosTestClient other = java.withKey(gateway.addKey("puts-the-same", false));
        gateway.grant(topic.getTopicName(), "puts-the-same", "put");
        java.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "same"));
        other.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "same"));
        other.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "same"));

        assertThat(texts(getAll(topic, 0))).hasSize(2);
    }

    @Test
    void putsOfTheGoSdkAreNeverRepeats() throws Exception {
        TopicInfo topic = newTopic(1);
        for (String userAgent : List.of(TalosTestClient.GO, "unknown")) {
            TalosTestClient go = client.withUserAgent(userAgent);
            go.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "same"));
            go.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "same"));
        }

        assertThat(texts(getAll(topic, 0))).hasSize(4);
    }

    @Test
    void idempotencyKeyOfAHeaderCounts() throws Exception {
        TopicInfo topic = newTopic(1);
        TalosTestClient keyed = client.withUserAgent(TalosTestClient.GO).withHeader("Idempotency-Key", "my-key");
        keyed.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "once"));
        keyed.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "once"));

        assertFails(
                ErrorCode.UNEXPECTED_ERROR,
                () -> keyed.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put(topic, 0, "other")));
        assertThat(texts(getAll(topic, 0))).containsExactly("once");
    }

    // --- clients of several ages ---

    @Test
    void oldJavaClientsGetVersion2AndNewerOnesWhatWasPut() throws Exception {
        TopicInfo topic = newTopic(1);
        message(MessageMethods.PUT_MESSAGE, put(topic, 0, "old"));
        message(
                MessageMethods.PUT_MESSAGE,
                put(topic, 0, block(MessageVersion.V3, Compression.GZIP, "new-1", "new-2")));
        TalosTestClient java = client.withUserAgent(TalosTestClient.JAVA);

        GetMessageResponse old = java.call(ThriftService.MESSAGE, MessageMethods.GET_MESSAGE, get(topic, 0, 0));
        assertThat(texts(old)).containsExactly("old", "new-1", "new-2");
        assertThat(old.getMessageBlocks().get(1).getStartMessageOffset()).isEqualTo(1);
        assertThat(isReadByVersion2(old.getMessageBlocks().get(1))).isTrue();
        assertThat(old.getMessageBlocks().get(0).getMessageBlock())
                .as("what it can read is not touched")
                .isEqualTo(put(topic, 0, "old").getMessageBlocks().get(0).getMessageBlock());

        GetMessageRequest newer = get(topic, 0, 0).setTimeoutTimestamp(client.nowMs() + 10_000);
        GetMessageResponse asPut = java.call(ThriftService.MESSAGE, MessageMethods.GET_MESSAGE, newer);
        assertThat(isReadByVersion2(asPut.getMessageBlocks().get(1))).isFalse();
    }

    private static boolean isReadByVersion2(io.talosgateway.thrift.MessageBlock block) throws Exception {
        return !MessageDecoder.needsNewerThanV2(
                new MessageBlock(
                        block.getMessageNumber(),
                        block.getCompressionType().getValue(),
                        new ByteSlice(block.getMessageBlock()),
                        0,
                        ByteSlice.EMPTY),
                1 << 20,
                bytes -> true);
    }

    @Test
    void blocksThatNoJavaClientReadsAreMadeAgainForThem() throws Exception {
        TopicInfo topic = newTopic(1);
        byte[] kafka = java.util.HexFormat.of()
                .parseHex(
                        "4b0000000000005100000000000000000000004500000000020000000000000000000100000174876e800000000174876e80"
                                + "05ffffffffffffffffffffffffffff0000000214000000046b310476310010000a020104763200");
        message(
                MessageMethods.PUT_MESSAGE,
                put(
                        topic,
                        0,
                        new io.talosgateway.thrift.MessageBlock(
                                0, 2, MessageCompressionType.NONE, ByteBuffer.wrap(kafka))));
        TalosTestClient java = client.withUserAgent(TalosTestClient.JAVA);

        for (GetMessageRequest request :
                List.of(get(topic, 0, 0), get(topic, 0, 0).setTimeoutTimestamp(client.nowMs() + 10_000))) {
            GetMessageResponse made = java.call(ThriftService.MESSAGE, MessageMethods.GET_MESSAGE, request);
            assertThat(texts(made)).containsExactly("v1", "v2");
            assertThat(made.getMessageBlocks().get(0).getCompressionType()).isEqualTo(MessageCompressionType.SNAPPY);
        }
        GetMessageResponse go = client.withUserAgent(TalosTestClient.GO)
                .call(ThriftService.MESSAGE, MessageMethods.GET_MESSAGE, get(topic, 0, 0));
        assertThat(go.getMessageBlocks().get(0).getMessageBlock()).isEqualTo(kafka);
    }

    @Test
    void blockThatCannotBeMadeReadableIsAClearError() throws Exception {
        TopicInfo topic = newTopic(1);
        message(
                MessageMethods.PUT_MESSAGE,
                put(
                        topic,
                        0,
                        new io.talosgateway.thrift.MessageBlock(
                                0, 2, MessageCompressionType.findByValue(3), ByteBuffer.wrap(new byte[] {1, 2, 3}))));

        GalaxyTalosException failure = assertFails(
                ErrorCode.BAD_REQUEST,
                () -> client.withUserAgent(TalosTestClient.JAVA)
                        .call(ThriftService.MESSAGE, MessageMethods.GET_MESSAGE, get(topic, 0, 0)));
        assertThat(failure.getDetails()).contains("go on behind offset 1");
    }

    // --- deadlines ---

    @Test
    void putWhoseTimeIsOverStoresNothing() throws Exception {
        TopicInfo topic = newTopic(1);
        PutMessageRequest late = put(topic, 0, "late").setTimeoutTimestamp(client.nowMs() - 1);

        assertFails(ErrorCode.REQUEST_PROCESS_TIMEOUT, () -> message(MessageMethods.PUT_MESSAGE, late));
        assertThat(getAll(topic, 0).getMessageBlocks()).isEmpty();
    }

    @Test
    void timeOfAHeaderCounts() throws Exception {
        TopicInfo topic = newTopic(1);
        PutMessageRequest put = put(topic, 0, "late");

        assertFails(
                ErrorCode.REQUEST_PROCESS_TIMEOUT,
                () -> client.withHeader("Talos-Timeout-Ms", "0")
                        .call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put));
        byte[] call = client.encode(MessageMethods.PUT_MESSAGE, put);
        HttpResponse<byte[]> malformed =
                client.withHeader("Talos-Timeout-Ms", "soon").post(ThriftService.MESSAGE, "putMessage", call);
        assertThat(malformed.statusCode()).isEqualTo(400);
        assertThat(new String(malformed.body(), StandardCharsets.UTF_8)).contains("Talos-Timeout-Ms");
        assertThat(getAll(topic, 0).getMessageBlocks()).isEmpty();
    }

    @Test
    void whoAsksForStagesIsToldThem() throws Exception {
        TopicInfo topic = newTopic(1);
        TalosTestClient asking = client.withHeader("Talos-Stages", "on");

        assertThat(asking.post(
                                ThriftService.MESSAGE,
                                "putMessage",
                                client.encode(MessageMethods.PUT_MESSAGE, put(topic, 0, "x")))
                        .headers()
                        .firstValue("Talos-Stages")
                        .orElseThrow())
                .matches("received=-?\\d+,queued=-?\\d+,started=-?\\d+,writing=-?\\d+,written=-?\\d+,synced=-?\\d+,"
                        + "answered=-?\\d+");
    }

    @Test
    void clientWhoseClockIsMinutesOffIsServed() throws Exception {
        TopicInfo topic = newTopic(1);
        for (long minutes : List.of(-10L, 10L)) {
            TalosTestClient off = client.withClockAheadMs(minutes * 60_000);
            PutMessageRequest put = put(topic, 0, "at " + minutes).setTimeoutTimestamp(off.nowMs() + 10_000);
            off.call(ThriftService.MESSAGE, MessageMethods.PUT_MESSAGE, put);
        }

        assertThat(texts(getAll(topic, 0))).containsExactly("at -10", "at 10");
    }

    // --- envelopes and credentials ---

    @Test
    void everyServiceTellsItsVersionToEverybody() throws Exception {
        TalosTestClient guest = client.withKey(null);
        for (ThriftService service : ThriftService.values()) {
            Version version = guest.call(service, BaseMethods.GET_SERVICE_VERSION, null);
            assertThat(version.getMajor()).isEqualTo(2);
            guest.call(service, BaseMethods.VALID_CLIENT_VERSION, new Version(2, 0, 0, ""));
        }
        assertFails(
                ErrorCode.PERMISSION_DENIED_ERROR,
                () -> guest.call(ThriftService.TOPIC, TopicMethods.LIST_TOPICS, null));
        assertFails(
                ErrorCode.PERMISSION_DENIED_ERROR,
                () -> guest.withHeader("Authorization", "Guest any")
                        .call(ThriftService.TOPIC, TopicMethods.LIST_TOPICS, null));
    }

    @Test
    void unknownMethodIsAThriftException() throws Exception {
        HttpResponse<byte[]> response = client.post(
                ThriftService.TOPIC, "noSuch", java.util.HexFormat.of().parseHex("822101066e6f5375636800"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(java.util.HexFormat.of().formatHex(response.body()))
                .isEqualTo("826101066e6f53756368181d496e76616c6964206d6574686f64206e616d653a20276e6f5375636827150200");
        assertThatThrownBy(() -> client.call(ThriftService.TOPIC, MessageMethods.GET_MESSAGE, get(newTopic(1), 0, 0)))
                .isInstanceOf(TApplicationException.class)
                .hasMessageContaining("Invalid method name: 'getMessage'");
    }

    @Test
    void requestsThatAreNoCallsGetPlainErrors() throws Exception {
        byte[] call = client.encode(TopicMethods.LIST_TOPICS, null);
        assertPlain(401, "signature", client.withHeader("Authorization", "Galaxy-V3 nobody:x"), call);
        assertPlain(401, "MD5", client.withHeader("X-Xiaomi-Content-MD5", "00"), call);
        HttpResponse<byte[]> skewed = assertPlain(412, "Set the clock", client.withClockAheadMs(-16 * 60_000), call);
        long serverSeconds =
                Long.parseLong(skewed.headers().firstValue("X-Xiaomi-Timestamp").orElseThrow());
        assertThat(serverSeconds).isBetween(1_261_440_000L, 1_892_160_000L);
        assertThat(Math.abs(serverSeconds - System.currentTimeMillis() / 1000)).isLessThan(60);
        assertPlain(415, "Content-Type", client.withHeader("Content-Type", "text/plain"), call);
        assertPlain(400, "not a Thrift call", client, new byte[0]);
        assertPlain(400, "not a Thrift call", client, "{\"json\":1}".getBytes(StandardCharsets.UTF_8));
        TMemoryBuffer reply = new TMemoryBuffer(100);
        ThriftEnvelope.writeResult(client.format().writing(reply), "listTopics", 1, null);
        assertPlain(400, "not a call", client, java.util.Arrays.copyOf(reply.getArray(), reply.length()));
        HttpResponse<String> get =
                gateway.send(gateway.request("/v1/api/topic").GET().build());
        assertThat(get.statusCode()).isEqualTo(405);
        assertThat(get.headers().firstValue("Allow")).contains("POST, OPTIONS");
    }

    private static HttpResponse<byte[]> assertPlain(int status, String text, TalosTestClient client, byte[] body)
            throws Exception {
        HttpResponse<byte[]> response = client.post(ThriftService.TOPIC, "listTopics", body);
        assertThat(response.statusCode()).as(text(response)).isEqualTo(status);
        assertThat(text(response)).contains(text);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
        return response;
    }

    @Test
    void damagedCallsAreRefusedAndLeaveTheGatewayWell() throws Exception {
        TopicInfo topic = newTopic(1);
        Random random = new Random(20261120);
        for (ThriftFormat format : ThriftFormat.values()) {
            TalosTestClient speaking = client.with(format);
            byte[] call = speaking.encode(
                    MessageMethods.GET_MESSAGE,
                    get(topic, 0, 0).setMessageTags(new java.util.HashSet<>(List.of("tag"))));
            for (int round = 0; round < 300; round++) {
                byte[] damaged = switch (round % 3) {
                    case 0 -> java.util.Arrays.copyOf(call, random.nextInt(call.length));
                    case 1 -> withDamage(call, random);
                    default -> randomBytes(random, 1 + random.nextInt(200));
                };
                HttpResponse<byte[]> response = speaking.post(ThriftService.MESSAGE, "getMessage", damaged);
                assertThat(response.statusCode())
                        .as(() -> format + " " + java.util.HexFormat.of().formatHex(damaged) + ": " + text(response))
                        .isIn(200, 400, 500);
                if (response.statusCode() == 500) {
                    assertThat(text(response)).contains("Message out range");
                }
            }
        }
        message(MessageMethods.PUT_MESSAGE, put(topic, 0, "well"));
        assertThat(texts(getAll(topic, 0))).containsExactly("well");
    }

    private static byte[] withDamage(byte[] call, Random random) {
        byte[] damaged = call.clone();
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        return damaged;
    }

    private static byte[] randomBytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
