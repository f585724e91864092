package io.talosgateway.deploy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The official SDK's consumer of a group, against a gateway process. {@code ConsumerGroupIT} has several, that are killed. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class OfficialSdkConsumerIT extends StorageContract {

    private static final long WAIT_SECONDS = 60;

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
