package io.talosgateway.rest.http.talos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.BaseQuota;
import io.talosgateway.thrift.CommitRequest;
import io.talosgateway.thrift.CommitResponse;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.DeleteTopicRequest;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetUnkownStateTransactionRequest;
import io.talosgateway.thrift.GetUnkownStateTransactionResponse;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PrepareRequest;
import io.talosgateway.thrift.PrepareResponse;
import io.talosgateway.thrift.RollbackRequest;
import io.talosgateway.thrift.RollbackResponse;
import io.talosgateway.thrift.SetTopicQuotaRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The transactions of a whole gateway, call by call. */
final class TransactionsIT {

    private static final int PARTITIONS = 2;
    private static final AtomicInteger topics = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static TalosTestClient client;

    private TopicInfo topic;

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(directory);
        client = new TalosTestClient(gateway).withUserAgent(TalosTestClient.GO);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @BeforeEach
    void createTopic() throws Exception {
        topic = newTopic(client);
    }

    private static TopicInfo newTopic(TalosTestClient client) throws Exception {
        return client.call(
                        ThriftService.TOPIC,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(
                                "transactions-" + topics.incrementAndGet(),
                                new TopicAttribute().setPartitionNumber(PARTITIONS)))
                .getTopicInfo();
    }

    private static <A, R> R message(ThriftMethod<A, R> method, A argument) throws Exception {
        return client.call(ThriftService.MESSAGE, method, argument);
    }

    private static TopicAndPartition partition(TopicInfo topic, int partition) {
        return new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), partition);
    }

    private static MessageBlock block(String... texts) {
        List<Message> messages = new ArrayList<>();
        for (String text : texts) {
            messages.add(new Message(null, null, ByteSlice.utf8(text), 1L, null, Message.BINARY, null, null));
        }
        io.talosgateway.wire.message.MessageBlock encoded =
                MessageEncoder.encode(messages, MessageVersion.V2, Compression.NONE);
        return new MessageBlock(
                0,
                encoded.messageNumber(),
                MessageCompressionType.findByValue(encoded.compression()),
                ByteBuffer.wrap(encoded.data().toByteArray()));
    }

    private static PrepareRequest prepareRequest(TopicInfo topic, int partition, MessageBlock block) {
        return new PrepareRequest(partition(topic, partition), block, block.getMessageNumber(), "SimpleProducer#1");
    }

    private long prepare(int partition, MessageBlock block) throws Exception {
        PrepareResponse response = message(MessageMethods.PREPARE, prepareRequest(topic, partition, block));
        assertThat(response.getTopicAndPartition()).isEqualTo(partition(topic, partition));
        return response.getTransactionId();
    }

    private void commit(int partition, long id) throws Exception {
        CommitResponse response =
                message(MessageMethods.COMMIT, new CommitRequest(partition(topic, partition), id, "p#1"));
        assertThat(response).isEqualTo(new CommitResponse(partition(topic, partition), id));
    }

    private void rollback(int partition, long id) throws Exception {
        RollbackResponse response =
                message(MessageMethods.ROLLBACK, new RollbackRequest(partition(topic, partition), id, "p#1"));
        assertThat(response).isEqualTo(new RollbackResponse(partition(topic, partition), id));
    }

    private GetUnkownStateTransactionResponse undecided(int partition) throws Exception {
        return message(
                MessageMethods.GET_UNKOWN_STATE_TRANSACTION,
                new GetUnkownStateTransactionRequest(partition(topic, partition)));
    }

    private List<MessageBlock> stored(int partition) throws Exception {
        return message(MessageMethods.GET_MESSAGE, new GetMessageRequest(partition(topic, partition), -1, "get#1"))
                .getMessageBlocks();
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatExceptionOfType(GalaxyTalosException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.getErrorCode()).as(e.getDetails()).isEqualTo(code));
    }

    @Test
    void blockIsInvisibleUntilItIsCommittedAndThenThereOnce() throws Exception {
        MessageBlock prepared = block("a", "b");
        prepared.setTag("tag").setTransactionId(99);
        long id = prepare(0, prepared);
        assertThat(stored(0)).isEmpty();

        commit(0, id);
        commit(0, id);

        assertThat(stored(0)).singleElement().satisfies(block -> {
            assertThat(block.getMessageBlock()).isEqualTo(prepared.getMessageBlock());
            assertThat(block.getStartMessageOffset()).isZero();
            assertThat(block.getMessageNumber()).isEqualTo(2);
            assertThat(block.getAppendTimestamp()).isPositive();
            assertThat(block.getTag()).isEqualTo("tag");
            assertThat(block.getTransactionId()).isEqualTo(id);
        });
        assertThat(undecided(0).getUnknowStateTransactions()).isEmpty();
        assertFails(ErrorCode.TRANSACTION_FINISHED, () -> rollback(0, id));
    }

    @Test
    void blockThatIsRolledBackIsNeverSeen() throws Exception {
        long id = prepare(0, block("a"));
        rollback(0, id);
        rollback(0, id);
        assertFails(ErrorCode.TRANSACTION_FINISHED, () -> commit(0, id));
        assertThat(undecided(0).getUnknowStateTransactions()).isEmpty();
        assertThat(stored(0)).isEmpty();
    }

    /** The Go SDK numbers everything 1. */
    @Test
    void prepareWithTheSameSequenceIdIsAnotherTransaction() throws Exception {
        long first = prepare(0, block("a"));
        long second = prepare(0, block("a"));
        assertThat(second).isNotEqualTo(first);
        commit(0, first);
        commit(0, second);
        assertThat(stored(0)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(ThriftFormat.class)
    void undecidedAreToldInEveryProtocol(ThriftFormat format) throws Exception {
        MessageBlock one = block("one");
        one.setTag("tag");
        long first = prepare(1, one);
        long second = prepare(1, block("two"));
        long other = prepare(0, block("other"));
        rollback(1, prepare(1, block("gone")));

        GetUnkownStateTransactionResponse told = client.with(format)
                .call(
                        ThriftService.MESSAGE,
                        MessageMethods.GET_UNKOWN_STATE_TRANSACTION,
                        new GetUnkownStateTransactionRequest(partition(topic, 1)));
        assertThat(told.isIsReadAllUnknowInfo()).isTrue();
        assertThat(told.getUnknowStateTransactions()).containsOnlyKeys(first, second);
        MessageBlock block = told.getUnknowStateTransactions().get(first);
        assertThat(block.getMessageBlock()).isEqualTo(one.getMessageBlock());
        // Fields that the gateway does not interpret are bytes to it, which JSON has in base 64.
        assertThat(block.getTag()).isEqualTo(format == ThriftFormat.JSON ? "dGFn" : "tag");
        assertThat(undecided(0).getUnknowStateTransactions()).containsOnlyKeys(other);
    }

    /** There is no place in the request for where to go on: whoever has decided about those that are told is told the next ones. */
    @Test
    void undecidedAreToldInPages() throws Exception {
        byte[] large = new byte[1500 << 10];
        Map<Long, Integer> ids = new TreeMap<>();
        for (int number = 0; number < 4; number++) {
            ids.put(prepare(0, new MessageBlock(0, 1, MessageCompressionType.NONE, ByteBuffer.wrap(large))), number);
        }
        GetUnkownStateTransactionResponse first = undecided(0);
        assertThat(first.isIsReadAllUnknowInfo()).isFalse();
        List<Long> all = List.copyOf(ids.keySet());
        assertThat(first.getUnknowStateTransactions())
                .containsOnlyKeys(all.subList(0, 2).toArray(Long[]::new));
        for (long id : first.getUnknowStateTransactions().keySet()) {
            rollback(0, id);
        }
        GetUnkownStateTransactionResponse second = undecided(0);
        assertThat(second.isIsReadAllUnknowInfo()).isTrue();
        assertThat(second.getUnknowStateTransactions())
                .containsOnlyKeys(all.subList(2, 4).toArray(Long[]::new));
    }

    @Test
    void blockIsCheckedWhenItIsPrepared() throws Exception {
        MessageBlock block = block("a");
        PrepareRequest wrongNumber = prepareRequest(topic, 0, block);
        wrongNumber.setMessageNumber(2);
        assertFails(ErrorCode.MESSAGE_INCOMPLETE, () -> message(MessageMethods.PREPARE, wrongNumber));
        MessageBlock wrongSize = block("a");
        wrongSize.setMessageBlockSize(3);
        assertFails(ErrorCode.MESSAGE_INCOMPLETE, () -> prepare(0, wrongSize));
        MessageBlock empty = new MessageBlock(0, 0, MessageCompressionType.NONE, ByteBuffer.allocate(0));
        assertFails(ErrorCode.MESSAGE_INCOMPLETE, () -> prepare(0, empty));
        assertThat(undecided(0).getUnknowStateTransactions()).isEmpty();
    }

    @Test
    void whatDoesNotExistIsRefused() throws Exception {
        long id = prepare(0, block("a"));
        assertFails(ErrorCode.PARTITION_NOT_EXIST, () -> prepare(PARTITIONS, block("a")));
        assertFails(ErrorCode.PARTITION_NOT_EXIST, () -> commit(PARTITIONS, id));
        assertFails(ErrorCode.PARTITION_NOT_EXIST, () -> undecided(-1));
        for (long unknown : new long[] {id + 1_000, 0, -1, Long.MAX_VALUE}) {
            assertFails(ErrorCode.TRANSACTION_NOT_EXIST, () -> commit(0, unknown));
            assertFails(ErrorCode.TRANSACTION_NOT_EXIST, () -> rollback(0, unknown));
        }
        assertFails(ErrorCode.TRANSACTION_NOT_EXIST, () -> commit(1, id));
        TopicInfo mine = topic;
        topic = newTopic(client);
        assertFails(ErrorCode.TRANSACTION_NOT_EXIST, () -> commit(0, id));
        topic = mine;
        commit(0, id);
    }

    @Test
    void transactionOfAForeignTopicIsNobodyElses() throws Exception {
        long id = prepare(0, block("a"));
        AccessKey stranger = gateway.addKey("stranger-" + topic.getTopicName(), false);
        TalosTestClient foreign = client.withKey(stranger);
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> foreign.call(
                        ThriftService.MESSAGE,
                        MessageMethods.COMMIT,
                        new CommitRequest(partition(topic, 0), id, "p#1")));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> foreign.call(
                        ThriftService.MESSAGE,
                        MessageMethods.GET_UNKOWN_STATE_TRANSACTION,
                        new GetUnkownStateTransactionRequest(partition(topic, 0))));
    }

    @Test
    void topicOfTransactionsIsOutOfReach() throws Exception {
        prepare(0, block("a"));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> client.call(
                        ThriftService.TOPIC, TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest("__transactions")));
    }

    @Test
    void transactionsOfATopicThatIsCreatedAgainAreNotThoseOfTheOld() throws Exception {
        long id = prepare(0, block("a"));
        client.call(
                ThriftService.TOPIC,
                TopicMethods.DELETE_TOPIC,
                new DeleteTopicRequest(topic.getTopicTalosResourceName()));
        assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> commit(0, id));
        topic = client.call(
                        ThriftService.TOPIC,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(topic.getTopicName(), new TopicAttribute().setPartitionNumber(1)))
                .getTopicInfo();
        assertFails(ErrorCode.TRANSACTION_NOT_EXIST, () -> commit(0, id));
        assertThat(undecided(0).getUnknowStateTransactions()).isEmpty();
    }

    @Test
    void quotaCountsABlockWhenItIsPreparedAndOnlyThen() throws Exception {
        client.call(
                ThriftService.TOPIC,
                TopicMethods.SET_TOPIC_QUOTA,
                new SetTopicQuotaRequest(
                        topic.getTopicTalosResourceName(), new BaseQuota(1 << 20).setPutMessageQpsQuota(2)));
        List<Long> ids = new ArrayList<>();
        Await.until(() -> {
            try {
                ids.add(prepare(0, block("a")));
                return false;
            } catch (GalaxyTalosException e) {
                assertThat(e.getErrorCode()).isEqualTo(ErrorCode.THROTTLE_REJECT_ERROR);
                return true;
            }
        });
        for (long id : ids) {
            commit(0, id);
        }
        assertThat(stored(0)).hasSize(ids.size());
    }

    @Test
    void preparedBlocksOutliveARestartAndTimeOut(@TempDir Path own) throws Exception {
        try (TestGateway restarted = TestGateway.start(
                own, Map.of("transaction.timeout", "20s", "transaction.max-prepared-size", "64KiB"))) {
            TalosTestClient caller = new TalosTestClient(restarted);
            TopicInfo its = newTopic(caller);
            TopicAndPartition where = partition(its, 0);
            GetUnkownStateTransactionRequest query = new GetUnkownStateTransactionRequest(where);
            long committed = prepared(caller, its, 100);
            caller.call(ThriftService.MESSAGE, MessageMethods.COMMIT, new CommitRequest(where, committed, "p#1"));
            long kept = prepared(caller, its, 60_000);
            assertFails(ErrorCode.EXCESSIVE_PENDING_MESSAGE, () -> prepared(caller, its, 6_000));
            assertFails(ErrorCode.MESSAGE_INCOMPLETE, () -> prepared(caller, its, 66_000));

            restarted.restart();
            TalosTestClient again = new TalosTestClient(restarted);
            assertThat(again.call(ThriftService.MESSAGE, MessageMethods.GET_UNKOWN_STATE_TRANSACTION, query)
                            .getUnknowStateTransactions())
                    .containsOnlyKeys(kept);
            Await.asLongAs(() -> !again.call(ThriftService.MESSAGE, MessageMethods.GET_UNKOWN_STATE_TRANSACTION, query)
                    .getUnknowStateTransactions()
                    .isEmpty());
            assertFails(
                    ErrorCode.TRANSACTION_FINISHED,
                    () -> again.call(
                            ThriftService.MESSAGE, MessageMethods.COMMIT, new CommitRequest(where, kept, "p#1")));
            again.call(ThriftService.MESSAGE, MessageMethods.COMMIT, new CommitRequest(where, committed, "p#1"));
            assertThat(again.call(
                                    ThriftService.MESSAGE,
                                    MessageMethods.GET_MESSAGE,
                                    new GetMessageRequest(where, -1, "get#1"))
                            .getMessageBlocks())
                    .hasSize(1);
            assertThat(prepared(again, its, 60_000)).isGreaterThan(kept);
        }
    }

    private static long prepared(TalosTestClient client, TopicInfo topic, int bytes) throws Exception {
        MessageBlock block = new MessageBlock(0, 1, MessageCompressionType.NONE, ByteBuffer.wrap(new byte[bytes]));
        return client.call(ThriftService.MESSAGE, MessageMethods.PREPARE, prepareRequest(topic, 0, block))
                .getTransactionId();
    }
}
