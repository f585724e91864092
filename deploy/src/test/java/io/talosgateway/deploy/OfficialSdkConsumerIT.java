package io.talosgateway.deploy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.xiaomi.infra.galaxy.rpc.thrift.Grantee;
import com.xiaomi.infra.galaxy.talos.admin.TalosAdmin;
import com.xiaomi.infra.galaxy.talos.consumer.MessageCheckpointer;
import com.xiaomi.infra.galaxy.talos.consumer.MessageProcessor;
import com.xiaomi.infra.galaxy.talos.consumer.TalosConsumer;
import com.xiaomi.infra.galaxy.talos.thrift.CreateTopicRequest;
import com.xiaomi.infra.galaxy.talos.thrift.DeleteTopicRequest;
import com.xiaomi.infra.galaxy.talos.thrift.Message;
import com.xiaomi.infra.galaxy.talos.thrift.MessageAndOffset;
import com.xiaomi.infra.galaxy.talos.thrift.MessageCompressionType;
import com.xiaomi.infra.galaxy.talos.thrift.Permission;
import com.xiaomi.infra.galaxy.talos.thrift.SetPermissionRequest;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAndPartition;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAttribute;
import com.xiaomi.infra.galaxy.talos.thrift.TopicInfo;
import com.xiaomi.infra.galaxy.talos.thrift.TopicTalosResourceName;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The official SDK's consumer of a group, against a gateway process. {@code ConsumerGroupIT} has several, that are killed. */
final class OfficialSdkConsumerIT extends StorageContract {

    private static final long WAIT_SECONDS = 180;

    private final Map<Integer, BlockingQueue<String>> processed = new ConcurrentHashMap<>();
    private final BlockingQueue<TopicTalosResourceName> gone = new LinkedBlockingQueue<>();

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }

    private TalosAdmin admin() {
        return OfficialSdk.of(gateway()).admin();
    }

    private TopicInfo newTopic(String name, int partitions) throws Exception {
        return admin().createTopic(new CreateTopicRequest(name, new TopicAttribute().setPartitionNumber(partitions)))
                .getTopicInfo();
    }

    private static TopicAndPartition partition(TopicInfo topic, int partition) {
        return new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), partition);
    }

    private void put(TopicInfo topic, int partition, String text) throws Exception {
        OfficialSdk.of(gateway())
                .producer(partition(topic, partition), MessageCompressionType.SNAPPY)
                .putMessageList(List.of(new Message().setMessage(text.getBytes(StandardCharsets.UTF_8))));
    }

    private BlockingQueue<String> of(int partition) {
        return processed.computeIfAbsent(partition, absent -> new LinkedBlockingQueue<>());
    }

    private String next(int partition) throws InterruptedException {
        String text = of(partition).poll(WAIT_SECONDS, TimeUnit.SECONDS);
        assertThat(text).as("a message of partition " + partition).isNotNull();
        return text;
    }

    private TalosConsumer consumer(TopicInfo topic) throws Exception {
        return OfficialSdk.of(gateway())
                .talosConsumer(
                        "group", topic.getTopicTalosResourceName(), Noting::new, (name, failure) -> gone.add(name));
    }

    private final class Noting implements MessageProcessor {

        private int partition;

        @Override
        public void init(TopicAndPartition which, long startOffset) {
            partition = which.getPartitionId();
        }

        @Override
        public void process(List<MessageAndOffset> messages, MessageCheckpointer checkpointer) {
            for (MessageAndOffset message : messages) {
                of(partition).add(new String(message.getMessage().getMessage(), StandardCharsets.UTF_8));
            }
        }

        @Override
        public void shutdown(MessageCheckpointer checkpointer) {
            // The SDK commits.
        }
    }

    @Test
    void nextConsumerGoesOnWhereTheLastOneStopped() throws Exception {
        TopicInfo topic = newTopic("resumed", 2);
        List<String> first = new ArrayList<>();
        for (int number = 0; number < 5; number++) {
            put(topic, 0, "first " + number);
        }
        TalosConsumer consumer = consumer(topic);
        for (int number = 0; number < 5; number++) {
            first.add(next(0));
        }
        consumer.shutDown();
        assertThat(first).containsExactly("first 0", "first 1", "first 2", "first 3", "first 4");

        put(topic, 0, "second");
        consumer = consumer(topic);
        assertThat(next(0)).isEqualTo("second");
        consumer.shutDown();
    }

    @Test
    void partitionsThatAreAddedAreConsumed() throws Exception {
        TopicInfo topic = newTopic("growing", 1);
        put(topic, 0, "old");
        TalosConsumer consumer = consumer(topic);
        assertThat(next(0)).isEqualTo("old");
        admin().addTopicPartitionNumber(topic.getTopicTalosResourceName(), 2);
        put(topic, 1, "new");
        assertThat(next(1)).isEqualTo("new");
        put(topic, 0, "old again");
        assertThat(next(0)).isEqualTo("old again");
        consumer.shutDown();
    }

    /** Puts to all partitions that there are, one after another, until it is stopped or fails. */
    private final class Load implements AutoCloseable {

        private static final int THREADS = 4;

        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        private final List<Future<Exception>> ends = new ArrayList<>();
        private final TopicInfo topic;
        private volatile int partitions;
        private volatile boolean stopped;
        /** What was acknowledged, by partition. */
        private final Map<Integer, Queue<String>> acknowledged = new ConcurrentHashMap<>();

        private final Semaphore stored = new Semaphore(0);

        Load(TopicInfo topic, int partitions) {
            this.topic = topic;
            this.partitions = partitions;
            for (int thread = 0; thread < THREADS; thread++) {
                int number = thread;
                ends.add(threads.submit(() -> run(number)));
            }
        }

        /** @return why it ended; null if it was stopped */
        private @Nullable Exception run(int thread) {
            for (int number = 0; !stopped; number++) {
                int partition = (thread + number) % partitions;
                String text = thread + "-" + number;
                try {
                    put(topic, partition, text);
                } catch (Exception e) {
                    return e;
                }
                acknowledged
                        .computeIfAbsent(partition, absent -> new ConcurrentLinkedQueue<>())
                        .add(text);
                stored.release();
            }
            return null;
        }

        void awaitMore(int puts) throws InterruptedException {
            stored.drainPermits();
            assertThat(stored.tryAcquire(puts, WAIT_SECONDS, TimeUnit.SECONDS))
                    .as("more puts")
                    .isTrue();
        }

        List<Exception> failures() throws Exception {
            List<Exception> failures = new ArrayList<>();
            for (Future<Exception> end : ends) {
                Exception failure = end.get(WAIT_SECONDS, TimeUnit.SECONDS);
                if (failure != null) {
                    failures.add(failure);
                }
            }
            return failures;
        }

        @Override
        public void close() {
            stopped = true;
            threads.shutdown();
        }
    }

    @Test
    void everythingIsProcessedWhilePartitionsAreAddedUnderLoad() throws Exception {
        TopicInfo topic = newTopic("growing-under-load", 1);
        TalosConsumer consumer = consumer(topic);
        Load load = new Load(topic, 1);
        try (load) {
            load.awaitMore(100);
            for (int partitions : List.of(3, 8)) {
                admin().addTopicPartitionNumber(topic.getTopicTalosResourceName(), partitions);
                load.partitions = partitions;
                load.awaitMore(100);
            }
        }
        assertThat(load.failures()).isEmpty();
        assertThat(load.acknowledged).containsOnlyKeys(0, 1, 2, 3, 4, 5, 6, 7);
        for (Map.Entry<Integer, Queue<String>> partition : load.acknowledged.entrySet()) {
            Set<String> missing = new HashSet<>(partition.getValue());
            while (!missing.isEmpty()) {
                missing.remove(next(partition.getKey()));
            }
        }
        consumer.shutDown();
    }

    @Test
    void topicThatIsCreatedAgainUnderLoadHasNothingOfTheFormerOne() throws Exception {
        TopicInfo topic = newTopic("created-again-under-load", 2);
        Load load = new Load(topic, 2);
        TopicInfo again;
        try (load) {
            load.awaitMore(100);
            admin().deleteTopic(new DeleteTopicRequest(topic.getTopicTalosResourceName()));
            again = newTopic("created-again-under-load", 2);
            put(again, 0, "after 0");
            put(again, 1, "after 1");
            assertThat(load.failures())
                    .hasSize(Load.THREADS)
                    .allSatisfy(failure -> assertThat(failure).hasStackTraceContaining("TOPIC_NOT_EXIST"));
        }
        TalosConsumer consumer = consumer(again);
        assertThat(next(0)).isEqualTo("after 0");
        assertThat(next(1)).isEqualTo("after 1");
        put(again, 0, "last");
        assertThat(next(0)).isEqualTo("last");
        consumer.shutDown();
    }

    @Test
    void consumerOfATopicThatIsCreatedAgainIsToldAndTheNextOneBeginsAnew() throws Exception {
        TopicInfo topic = newTopic("created-again", 1);
        put(topic, 0, "before");
        TalosConsumer consumer = consumer(topic);
        assertThat(next(0)).isEqualTo("before");
        admin().deleteTopic(new DeleteTopicRequest(topic.getTopicTalosResourceName()));
        TopicInfo again = newTopic("created-again", 1);
        put(again, 0, "after");
        assertThat(gone.poll(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(topic.getTopicTalosResourceName());
        consumer.shutDown();

        TalosConsumer next = consumer(again);
        assertThat(next(0)).isEqualTo("after");
        next.shutDown();
    }

    /** The SDK 2.0.2 would say "unknown result", if it were told otherwise. */
    @Test
    void consumerThatIsRefusedSaysWhy() throws Exception {
        TopicInfo topic = newTopic("refused", 1);
        AccessKey key =
                KeyFile.create(gateway().directory().resolve("keys.json"), "describer", false, InstantSource.system());
        admin().setPermission(new SetPermissionRequest(
                topic.getTopicTalosResourceName(),
                new Grantee().setIdentifier("describer"),
                Permission.DESCRIBE_TOPIC));
        OfficialSdk describer = new OfficialSdk(gateway().endpoint(), key);
        assertThatThrownBy(() -> describer.talosConsumer(
                        "group", topic.getTopicTalosResourceName(), Noting::new, (name, failure) -> gone.add(name)))
                .hasStackTraceContaining(
                        "This needs the permission 'get' on the topic 'refused', which 'describer' does not have");
    }
}
