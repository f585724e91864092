package io.talosgateway.benchmarks.ideal;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.bootstrap.Storages;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.log.Journal;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.journal.recovery.PartitionHistory;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;

/**
 * The gateway's journal, as the gateway configures it, and nothing before it: each body is a block of one message for the
 * next of so many partitions. Completed by as many threads as the gateway answers with.
 */
final class LaneStore {

    private static final int UNCOMPRESSED = 0;
    private static final String HOST = "ideal";

    private final JournalStorage storage;
    private final ExecutorService answers;
    private final Journal journal;
    private final Durability durability;
    private final List<PartitionLog> logs;
    private final AtomicInteger next = new AtomicInteger();

    LaneStore(GatewayConfig config, int partitions) throws IOException {
        storage = Storages.open(config.storage());
        answers = Executors.newFixedThreadPool(config.answerThreads());
        durability = config.hosting().journal().durability();
        journal = new Journal(
                new JournalId(HOST, Journal.lastIncarnation(storage, HOST) + 1),
                config.hosting().journal(),
                storage,
                answers,
                new OwnJournalThreads(),
                InstantSource.system(),
                System::nanoTime,
                new JournalMetrics(new CollectorRegistry(), System::nanoTime));
        journal.begin();
        TopicId topic = TopicId.random(new SecureRandom());
        logs = IntStream.range(0, partitions)
                .mapToObj(number -> journal.open(
                        new TopicPartition(topic, number),
                        OwnerEpoch.NONE.next(),
                        config.topics().defaultRetention(),
                        PartitionHistory.NONE))
                .toList();
    }

    /** Completed when the body is durable. */
    CompletionStage<?> store(byte[] body) {
        PartitionLog log = logs.get((next.getAndIncrement() & Integer.MAX_VALUE) % logs.size());
        MessageBlock block =
                new MessageBlock(1, UNCOMPRESSED, new ByteSlice(body), MessageBlock.NO_TIMESTAMP, ByteSlice.EMPTY);
        try {
            return log.append(new MessageBatch(List.of(block)), null, durability, Deadline.NONE)
                    .outcome();
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Commits what waits, and leaves the storage. */
    void close() throws IOException, InterruptedException {
        journal.close();
        answers.shutdown();
        storage.close();
    }
}
