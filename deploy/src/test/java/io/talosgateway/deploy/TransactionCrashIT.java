package io.talosgateway.deploy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.thrift.CommitRequest;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetUnkownStateTransactionRequest;
import io.talosgateway.thrift.GetUnkownStateTransactionResponse;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PrepareRequest;
import io.talosgateway.thrift.RollbackRequest;
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
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Transactions of one gateway that is killed while they are prepared, committed and rolled back, time and again. */
final class TransactionCrashIT extends StorageContract {

    private static final int KILLS = 3;
    private static final int THREADS = 8;
    private static final int ANSWERS_BEFORE_A_KILL = 600;
    /** Of so many transactions, one is left open. */
    private static final int LEFT_OPEN = 10;

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private final Collection<Transaction> transactions = new ConcurrentLinkedQueue<>();
    private TopicAndPartition partition;

    /** A transaction, as its client was told. */
    private static final class Transaction {
        private final long id;
        private final String data;
        private volatile boolean commitAsked;
        private volatile boolean committed;
        private volatile boolean rollbackAsked;
        private volatile boolean rolledBack;

        Transaction(long id, String data) {
            this.id = id;
            this.data = data;
        }
    }

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }

    private <A, R> R call(ThriftService service, ThriftMethod<A, R> method, A argument) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        method.writeCall(ThriftFormat.COMPACT.writing(buffer), 1, argument);
        String key = gateway().key().id() + ":" + gateway().key().secret();
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway().endpoint() + service.path()))
                .header("Content-Type", ThriftFormat.COMPACT.contentType())
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)))
                .POST(HttpRequest.BodyPublishers.ofByteArray(Arrays.copyOf(buffer.getArray(), buffer.length())))
                .build();
        HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        return method.readReply(ThriftFormat.COMPACT.reading(new ByteSlice(response.body())));
    }

    private <A, R> R message(ThriftMethod<A, R> method, A argument) throws Exception {
        return call(ThriftService.MESSAGE, method, argument);
    }

    private static MessageBlock block(String text) {
        io.talosgateway.wire.message.MessageBlock encoded = MessageEncoder.encode(
                List.of(new Message(null, null, ByteSlice.utf8(text), 1L, null, Message.BINARY, null, null)),
                MessageVersion.V2,
                Compression.NONE);
        return new MessageBlock(
                0,
                1,
                MessageCompressionType.NONE,
                ByteBuffer.wrap(encoded.data().toByteArray()));
    }

    private static String data(MessageBlock block) {
        return new String(block.getMessageBlock(), StandardCharsets.ISO_8859_1);
    }

    private void useUntilKilled() {
        try {
            while (true) {
                int number = numbers.incrementAndGet();
                MessageBlock block = block("message " + number);
                long id = message(MessageMethods.PREPARE, new PrepareRequest(partition, block, 1, "p#1"))
                        .getTransactionId();
                Transaction transaction = new Transaction(id, data(block));
                transactions.add(transaction);
                if (number % LEFT_OPEN == 0) {
                    continue;
                }
                if (number % 4 == 0) {
                    transaction.rollbackAsked = true;
                    message(MessageMethods.ROLLBACK, new RollbackRequest(partition, id, "p#1"));
                    transaction.rolledBack = true;
                } else {
                    transaction.commitAsked = true;
                    commit(transaction);
                }
                answers.incrementAndGet();
            }
        } catch (IOException e) {
            // The gateway is gone.
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void commit(Transaction transaction) throws Exception {
        message(MessageMethods.COMMIT, new CommitRequest(partition, transaction.id, "p#1"));
        transaction.committed = true;
    }

    private void useAndKill() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> using = new ArrayList<>();
            int enough = answers.get() + ANSWERS_BEFORE_A_KILL;
            for (int thread = 0; thread < THREADS; thread++) {
                using.add(threads.submit(this::useUntilKilled));
            }
            while (answers.get() < enough) {
                assertThat(using).as("they go on").noneMatch(Future::isDone);
                TimeUnit.MILLISECONDS.sleep(5);
            }
            gateway().kill();
            for (Future<?> one : using) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        gateway().start();
    }

    private Map<String, Integer> stored() throws Exception {
        Map<String, Integer> stored = new TreeMap<>();
        long offset = 0;
        while (true) {
            List<MessageBlock> blocks = message(
                            MessageMethods.GET_MESSAGE, new GetMessageRequest(partition, offset, "get#1"))
                    .getMessageBlocks();
            if (blocks.isEmpty()) {
                return stored;
            }
            for (MessageBlock block : blocks) {
                stored.merge(data(block), 1, Integer::sum);
                offset = block.getStartMessageOffset() + block.getMessageNumber();
            }
        }
    }

    @Test
    void transactionsSurviveKills() throws Exception {
        TopicInfo topic = call(
                        ThriftService.TOPIC,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest("t", new TopicAttribute().setPartitionNumber(1)))
                .getTopicInfo();
        partition = new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), 0);
        int interrupted = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            useAndKill();
            GetUnkownStateTransactionResponse undecided = message(
                    MessageMethods.GET_UNKOWN_STATE_TRANSACTION, new GetUnkownStateTransactionRequest(partition));
            assertThat(undecided.isIsReadAllUnknowInfo()).isTrue();
            for (Transaction transaction : transactions) {
                if (!transaction.commitAsked && !transaction.rollbackAsked) {
                    assertThat(undecided.getUnknowStateTransactions()).containsKey(transaction.id);
                    assertThat(data(undecided.getUnknowStateTransactions().get(transaction.id)))
                            .isEqualTo(transaction.data);
                }
                if (transaction.committed || transaction.rolledBack) {
                    assertThat(undecided.getUnknowStateTransactions()).doesNotContainKey(transaction.id);
                }
                if (transaction.commitAsked && !transaction.committed) {
                    interrupted++;
                    commit(transaction);
                }
            }
        }

        Map<String, Integer> stored = stored();
        for (Transaction transaction : transactions) {
            assertThat(stored.getOrDefault(transaction.data, 0))
                    .as("times that transaction %d is stored", transaction.id)
                    .isEqualTo(transaction.committed ? 1 : 0);
        }
        assertThat(stored).hasSize((int) transactions.stream()
                .filter(transaction -> transaction.committed)
                .count());
        System.out.printf(
                "Transactions: %d survived %d kills, %d commits were interrupted%n",
                transactions.size(), KILLS, interrupted);
        assertThat(interrupted).isPositive();
    }
}
