package io.talosgateway.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.ScriptedServer.Received;
import io.talosgateway.thrift.BaseQuota;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.CreateTopicResponse;
import io.talosgateway.thrift.DeleteTopicRequest;
import io.talosgateway.thrift.DescribeTopicResponse;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GetDescribeInfoResponse;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetMessageResponse;
import io.talosgateway.thrift.GetScheduleInfoResponse;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.PutMessageResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.TopicState;
import io.talosgateway.thrift.TopicStatus;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.auth.SignableRequest;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.talosgateway.client.ScriptedServer.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What the client sends and makes of answers, with a server that answers as told. */
final class ThriftClientTest {

    private static final String COMPACT = "application/x-thrift-compact";
    private static final TopicTalosResourceName RESOURCE_NAME =
            new TopicTalosResourceName("CL100#testTopic#0011223344");
    /** Replies of the SDKs' own making. */
    private static final String TOPIC_NOT_EXIST = "8241010f6765744465736372696265496e666f1c150a180f746f706963206e6f7420"
            + "6578697374180974657374546f7069630000";

    private static final String OUT_OF_RANGE = "8241010a6765744d6573736167651c151c18114d657373616765206f75742072616e"
            + "676518176f66667365742035206e6f7420696e205b31302c32305d0000";

    private static final String TWO_MESSAGES =
            "8241010a6765744d6573736167650c00191c165215041502185282534e415050590000000001000000010000003e4060"
                    + "5600030000000011380568656c6c6f168080f4f6905d2502000d197c1f1804706b2d3118057365712d311806776f726c"
                    + "642116e887f4f6905d25040015a40116928cf4f6905d16f483f4f6905d001504160a1817313630303030303030303030"
                    + "3030613162326333642337120000";
    private static final String NO_MESSAGES =
            "8241010a6765744d6573736167650c00190c150016001817313630303030303030303030303061316232633364233700" + "00";

    private ScriptedServer server;
    private ThriftClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        client = server.client().buildThrift();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static <R> byte[] reply(ThriftProtocol protocol, ThriftMethod<?, R> method, R result) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        method.writeResult(protocol.format().writing(buffer), 1, result);
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    private <R> void replies(ThriftMethod<?, R> method, R result) throws Exception {
        server.answers(200, COMPACT, reply(ThriftProtocol.COMPACT, method, result));
    }

    private static <A> A argument(Received request, ThriftProtocol protocol, ThriftMethod<A, ?> method)
            throws Exception {
        TProtocol in = protocol.format().reading(new ByteSlice(request.body()));
        assertThat(in.readMessageBegin().name).isEqualTo(method.name());
        return method.readArguments(in);
    }

    private static <A> A argument(Received request, ThriftMethod<A, ?> method) throws Exception {
        return argument(request, ThriftProtocol.COMPACT, method);
    }

    private PartitionClient partition(ThriftClient of, ThriftProtocol protocol) throws Exception {
        server.answers(
                200,
                protocol.format().contentType(),
                reply(protocol, TopicMethods.GET_DESCRIBE_INFO, new GetDescribeInfoResponse(RESOURCE_NAME, 8)));
        List<PartitionClient> partitions = of.partitionClients("testTopic").get();
        assertThat(partitions).hasSize(8);
        return partitions.get(3);
    }

    private PartitionClient partition() throws Exception {
        return partition(client, ThriftProtocol.COMPACT);
    }

    /** Requests after the one that {@link #partition()} makes. */
    private List<Received> requests() {
        List<Received> all = server.received();
        return all.subList(1, all.size());
    }

    private void acknowledgesPut() throws Exception {
        replies(MessageMethods.PUT_MESSAGE, new PutMessageResponse("x"));
    }

    private static void assertSigned(Received request) {
        SignableRequest signable = new SignableRequest(
                request.method(),
                request.target().getPath(),
                request.target().getQuery(),
                new ByteSlice(request.body()));
        request.headers().forEach((name, values) -> values.forEach(value -> signable.with(name, value)));
        assertThat(request.header("Authorization"))
                .isEqualTo("Galaxy-V3 AKEXAMPLEKEYID:" + GalaxySignature.sign("exampleSecretKey0123456789", signable));
        assertThat(GalaxySignature.isDigestOf(request.header("X-Xiaomi-Content-MD5"), signable.body()))
                .isTrue();
    }

    // --- what is sent ---

    @Test
    void preparedPutIsSentAgainSignedAndWithAKeyOfItsOwn() throws Exception {
        PreparedPut put = partition().prepare(List.of(NewMessage.of("a"), NewMessage.of("b")));
        acknowledgesPut();
        acknowledgesPut();

        put.send().get();
        put.send().get();

        List<Received> sent = requests();
        assertThat(sent).hasSize(2).allSatisfy(request -> {
            assertThat(request.method()).isEqualTo("POST");
            assertThat(request.target()).hasToString("/v1/api/message?type=putMessage");
            assertThat(request.header("Content-Type")).isEqualTo(COMPACT);
            assertThat(Integer.parseInt(request.header("Talos-Timeout-Ms"))).isBetween(1, 30_000);
            assertSigned(request);
        });
        assertThat(sent.get(0).body()).isEqualTo(sent.get(1).body()).hasSize(put.bodyBytes());
        assertThat(sent.stream()
                        .map(request -> request.header("Idempotency-Key"))
                        .distinct())
                .hasSize(2)
                .allMatch(key -> key.matches("\"[0-9a-f-]{36}\""));
        assertThat(put.messages()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void putHoldsOneBlockInEveryProtocol(ThriftProtocol protocol) throws Exception {
        ThriftClient other = server.client().buildThrift(protocol, BlockCompression.GZIP);
        PartitionClient partition = partition(other, protocol);
        server.answers(
                200,
                protocol.format().contentType(),
                reply(protocol, MessageMethods.PUT_MESSAGE, new PutMessageResponse("x")));

        partition.put(List.of(NewMessage.of("paid").withKey("k"))).get();

        PutMessageRequest request = argument(requests().get(0), protocol, MessageMethods.PUT_MESSAGE);
        assertThat(request.getTopicAndPartition()).isEqualTo(new TopicAndPartition("testTopic", RESOURCE_NAME, 3));
        assertThat(request.getMessageNumber()).isEqualTo(1);
        assertThat(ThriftBlocks.decode(request.getMessageBlocks(), 0))
                .singleElement()
                .satisfies(message -> {
                    assertThat(message.text()).isEqualTo("paid");
                    assertThat(message.key()).isEqualTo("k");
                });
    }

    @Test
    void clientWithoutAKeySignsNothing() throws Exception {
        server.answers(200, COMPACT, bytes(TOPIC_NOT_EXIST));
        ThriftClient guest = GatewayClient.builder(server.endpoint()).buildThrift();

        failureOf(guest.topic("t"));

        assertThat(server.onlyRequest().headers()).doesNotContainKey("Authorization");
    }

    @Test
    void getAsksForWhatItIsToldAndReadsFromThere() throws Exception {
        PartitionClient partition = partition();
        server.answers(200, COMPACT, bytes(TWO_MESSAGES));

        Fetched fetched =
                partition.get(42, new GetOptions(7, 1_000, Duration.ZERO)).get();

        GetMessageRequest request = argument(requests().get(0), MessageMethods.GET_MESSAGE);
        assertThat(request.getMessageOffset()).isEqualTo(42);
        assertThat(request.getMaxGetMessageNumber()).isEqualTo(7);
        assertThat(request.getMaxGetMessageBytes()).isEqualTo(1_000);
        // The block begins at 41.
        assertThat(fetched.count()).isEqualTo(1);
        assertThat(fetched.nextOffset()).isEqualTo(43);
        assertThat(fetched.bytes()).isEqualTo(82);
        assertThat(fetched.messages()).singleElement().satisfies(message -> {
            assertThat(message.text()).isEqualTo("world!");
            assertThat(message.offset()).isEqualTo(42);
            assertThat(message.key()).isEqualTo("pk-1");
            assertThat(message.appendedAtMs()).isEqualTo(1_600_000_000_777L);
        });
    }

    @Test
    void getOfNothingGoesOnWhereItBegan() throws Exception {
        PartitionClient partition = partition();
        server.answers(200, COMPACT, bytes(NO_MESSAGES)).answers(200, COMPACT, bytes(TWO_MESSAGES));

        Fetched nothing = partition.get(43, GetOptions.DEFAULT).get();
        Fetched all =
                partition.get(PartitionClient.EARLIEST, GetOptions.DEFAULT).get();

        assertThat(nothing.count()).isZero();
        assertThat(nothing.nextOffset()).isEqualTo(43);
        assertThat(nothing.messages()).isEmpty();
        assertThat(all.count()).isEqualTo(2);
        assertThat(all.messages()).extracting(Message::offset).containsExactly(41L, 42L);
    }

    @Test
    void topicIsCreatedDescribedAndDeleted() throws Exception {
        TopicInfo info = new TopicInfo("testTopic", RESOURCE_NAME, "alice");
        DescribeTopicResponse description = new DescribeTopicResponse(
                info,
                new TopicAttribute()
                        .setPartitionNumber(8)
                        .setMessageRetentionSecs(7_200)
                        .setAttributes(Map.of("team", "billing")),
                new TopicState(5, TopicStatus.ACTIVE, 0, 0, List.of()),
                new BaseQuota(1),
                Map.of());
        replies(TopicMethods.CREATE_TOPIC, new CreateTopicResponse(info));
        replies(TopicMethods.DESCRIBE_TOPIC, description);
        replies(TopicMethods.DESCRIBE_TOPIC, description);
        replies(TopicMethods.DELETE_TOPIC, null);

        Topic created = client.createTopic(new NewTopic("testTopic", 8, Duration.ofHours(2), Map.of("team", "billing")))
                .get();
        Topic deleted = client.deleteTopic("testTopic").get();

        assertThat(created)
                .isEqualTo(new Topic(
                        "testTopic", "CL100#testTopic#0011223344", "alice", 8, 7_200_000, Map.of("team", "billing"), 5))
                .isEqualTo(deleted);
        List<Received> sent = server.received();
        CreateTopicRequest create = argument(sent.get(0), TopicMethods.CREATE_TOPIC);
        assertThat(create.getTopicName()).isEqualTo("testTopic");
        assertThat(create.getTopicAttribute()).isEqualTo(description.getTopicAttribute());
        DeleteTopicRequest delete = argument(sent.get(3), TopicMethods.DELETE_TOPIC);
        assertThat(delete.getTopicTalosResourceName()).isEqualTo(RESOURCE_NAME);
    }

    @Test
    void ownersAreThoseOfTheSchedule() throws Exception {
        replies(TopicMethods.GET_DESCRIBE_INFO, new GetDescribeInfoResponse(RESOURCE_NAME, 8));
        replies(
                MessageMethods.GET_SCHEDULE_INFO,
                new GetScheduleInfoResponse(
                        Map.of(new TopicAndPartition("testTopic", RESOURCE_NAME, 3), "127.0.0.1:8080")));

        assertThat(client.owners("testTopic").get()).containsExactly(Map.entry(3, "127.0.0.1:8080"));
    }

    // --- what goes wrong ---

    @Test
    void exceptionHasTheCodeOfTheJsonInterface() {
        server.answers(200, COMPACT, bytes(TOPIC_NOT_EXIST));

        GatewayClientException failure = failureOf(client.partitionClients("testTopic"));

        assertThat(failure).hasMessage("testTopic");
        assertThat(failure.code()).isEqualTo("topic-not-found");
        assertThat(failure.retry()).isEqualTo(Retry.NEVER);
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void exceptionIsReadFromAnAnswerWithAnErrorStatusToo() throws Exception {
        PartitionClient partition = partition();
        server.answers(500, COMPACT, bytes(OUT_OF_RANGE));

        GatewayClientException failure = failureOf(partition.get(5, GetOptions.DEFAULT));

        assertThat(failure).hasMessage("offset 5 not in [10,20]");
        assertThat(failure.code()).isEqualTo("offset-out-of-range");
    }

    private void refusesPut(ErrorCode code) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        ThriftEnvelope.writeException(
                ThriftProtocol.COMPACT.format().writing(buffer),
                "putMessage",
                1,
                new GalaxyTalosException().setErrorCode(code).setErrMsg("Title").setDetails("Because."));
        server.answers(200, COMPACT, Arrays.copyOf(buffer.getArray(), buffer.length()));
    }

    @Test
    void putThatMayBeRepeatedIsSentAgainWithTheSameKey() throws Exception {
        PartitionClient partition = partition();
        refusesPut(ErrorCode.PARTITION_NOT_SERVING);
        refusesPut(ErrorCode.REQUEST_PROCESS_TIMEOUT);
        acknowledgesPut();

        partition.put(List.of(NewMessage.of("a"))).get();

        List<Received> sent = requests();
        assertThat(sent).hasSize(3).allSatisfy(ThriftClientTest::assertSigned);
        assertThat(sent.stream()
                        .map(request -> request.header("Idempotency-Key"))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void timeoutOfAPutMayMeanThatItIsStored() throws Exception {
        PartitionClient partition = partition();
        for (int attempt = 0; attempt < 3; attempt++) {
            refusesPut(ErrorCode.REQUEST_PROCESS_TIMEOUT);
        }

        GatewayClientException failure = failureOf(partition.put(List.of(NewMessage.of("a"))));

        assertThat(failure.code()).isEqualTo("outcome-unknown");
        assertThat(failure.retry()).isEqualTo(Retry.SAME_KEY);
    }

    @Test
    void refusalBeforeAnyMethodIsPlainHttp() {
        server.answers(401, "text/plain; charset=utf-8", "The key is unknown or the signature is wrong.\n")
                .answers(413, "text/html", "<html>too large</html>");

        GatewayClientException unknownKey = failureOf(client.topic("t"));
        GatewayClientException tooLarge = failureOf(client.topic("t"));

        assertThat(unknownKey).hasMessage("The key is unknown or the signature is wrong.");
        assertThat(unknownKey.code()).isEqualTo("unauthenticated");
        assertThat(unknownKey.retry()).isEqualTo(Retry.NEVER);
        assertThat(tooLarge).hasMessage("HTTP status 413");
        assertThat(tooLarge.code()).isEqualTo("request-too-large");
    }

    @Test
    void methodThatTheGatewayLacksIsSaid() {
        server.answers(
                200,
                COMPACT,
                bytes("826101066e6f53756368181d496e76616c6964206d6574686f64206e616d653a20276e6f5375636827150200"));

        GatewayClientException failure = failureOf(client.topic("t"));

        assertThat(failure).hasMessage("Invalid method name: 'noSuch'");
        assertThat(failure.code()).isEqualTo("not-implemented");
    }

    @Test
    void answerOfSomethingElseThanAGatewayIsAClearFailure() {
        server.answers(200, "text/html", "<html>It works!</html>");

        GatewayClientException failure = failureOf(client.topic("t"));

        assertThat(failure).hasMessage("The answer is not one of a Talos Gateway: it is text/html");
        assertThat(failure.retry()).isEqualTo(Retry.NEVER);
    }

    @Test
    void everyTruncationOfAnAnswerIsAFailureAndSafeToRepeat() throws Exception {
        ThriftClient once = server.client().retries(RetryPolicy.NONE).buildThrift();
        PartitionClient partition = partition(once, ThriftProtocol.COMPACT);
        byte[] whole = bytes(TWO_MESSAGES);

        for (int length = 0; length < whole.length; length++) {
            server.answers(200, COMPACT, Arrays.copyOf(whole, length));
            GatewayClientException failure = failureOf(partition.get(41, GetOptions.DEFAULT));
            assertThat(failure).as("%s bytes", length).hasMessageStartingWith("The answer");
            assertThat(failure.retry()).as("%s bytes", length).isEqualTo(Retry.AFTER_BACKOFF);
        }
    }

    @Test
    void putWhoseAnswerBreaksOffIsSentAgain() throws Exception {
        PartitionClient partition = partition();
        byte[] reply = reply(ThriftProtocol.COMPACT, MessageMethods.PUT_MESSAGE, new PutMessageResponse("x"));
        server.breaksOff(COMPACT, reply).answers(200, COMPACT, Arrays.copyOf(reply, 9));
        acknowledgesPut();

        partition.put(List.of(NewMessage.of("a"))).get();

        assertThat(requests().stream()
                        .map(request -> request.header("Idempotency-Key"))
                        .distinct())
                .hasSize(1);
        assertThat(requests()).hasSize(3);
    }

    @Test
    void serverIsToldTheTimeThatACallHas() throws Exception {
        PartitionClient partition = partition().withTimeout(Duration.ofSeconds(20));
        acknowledgesPut();

        partition.put(List.of(NewMessage.of("a"))).get();

        assertThat(Integer.parseInt(requests().get(0).header("Talos-Timeout-Ms")))
                .isBetween(1, 20_000);
    }

    @Test
    void callThatGetsNoAnswerEndsWithItsTime() throws Exception {
        PartitionClient partition = partition().withTimeout(Duration.ofMillis(200));
        server.keepsSilent();
        long startedAtNanos = System.nanoTime();

        GatewayClientException failure = failureOf(partition.put(List.of(NewMessage.of("a"))));

        assertThat(failure).hasMessageEndingWith("did not answer in time");
        assertThat(failure.retry()).isEqualTo(Retry.SAME_KEY);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAtNanos))
                .isBetween(200L, 29_000L);
    }

    @Test
    void answerThatEndsBeforeItsBeginningIsRefused() throws Exception {
        PartitionClient partition = partition();
        GetMessageResponse response = new GetMessageResponse(
                List.of(new MessageBlock(41, 2, MessageCompressionType.NONE, ByteBuffer.wrap(new byte[] {1}))), 2, "x");
        replies(MessageMethods.GET_MESSAGE, response);

        assertThat(failureOf(partition.get(50, GetOptions.DEFAULT)))
                .hasMessage("The answer ends at offset 43, before offset 50");
    }

    @Test
    void whatCannotBeSentIsRefusedAtOnce() throws Exception {
        PartitionClient partition = partition();

        assertThatIllegalArgumentException().isThrownBy(() -> partition.prepare(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> partition.get(-2, GetOptions.DEFAULT));
    }
}
