package io.talosgateway.deploy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

import com.xiaomi.infra.galaxy.talos.producer.SimpleProducer;
import com.xiaomi.infra.galaxy.talos.thrift.CheckPoint;
import com.xiaomi.infra.galaxy.talos.thrift.ConsumeUnit;
import com.xiaomi.infra.galaxy.talos.thrift.ConsumerService;
import com.xiaomi.infra.galaxy.talos.thrift.CreateTopicRequest;
import com.xiaomi.infra.galaxy.talos.thrift.LockPartitionRequest;
import com.xiaomi.infra.galaxy.talos.thrift.Message;
import com.xiaomi.infra.galaxy.talos.thrift.MessageCompressionType;
import com.xiaomi.infra.galaxy.talos.thrift.QueryOffsetRequest;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAndPartition;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAttribute;
import com.xiaomi.infra.galaxy.talos.thrift.TopicInfo;
import com.xiaomi.infra.galaxy.talos.thrift.UpdateOffsetRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many consumer groups of one gateway that is killed while they commit. */
final class ConsumerGroupCrashIT extends StorageContract {

    /** More: {@code -Dgroups=10000}. */
    private static final int GROUPS = Integer.getInteger("groups", 1_000);

    private static final int THREADS = 8;
    private static final int MESSAGES = 2_000;
    /** Commits of all groups together, before the kill. */
    private static final int COMMITS = 2 * GROUPS + GROUPS / 2;

    private static final long NOTHING = -1;

    /** The last commit of each group that was answered, and the last one that was sent. */
    private final AtomicLongArray acknowledged = new AtomicLongArray(GROUPS);

    private final AtomicLongArray sent = new AtomicLongArray(GROUPS);
    private final AtomicInteger commits = new AtomicInteger();

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }

    /** A slow machine may take longer than the default, 30 s, from the commits to the last look. */
    @Override
    Map<String, String> settings() {
        return Map.of("consumer-group.lease", "10m");
    }

    private TopicAndPartition newPartition() throws Exception {
        TopicInfo topic = OfficialSdk.of(gateway())
                .admin()
                .createTopic(new CreateTopicRequest("t", new TopicAttribute().setPartitionNumber(1)))
                .getTopicInfo();
        TopicAndPartition partition = new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), 0);
        SimpleProducer producer = OfficialSdk.of(gateway()).producer(partition, MessageCompressionType.SNAPPY);
        producer.putMessageList(
                Collections.nCopies(MESSAGES, new Message().setMessage("m".getBytes(StandardCharsets.UTF_8))));
        return partition;
    }

    private static String group(int number) {
        return "group-" + number;
    }

    private static boolean commit(ConsumerService.Iface client, TopicAndPartition partition, int group, long offset)
            throws Exception {
        return client.updateOffset(new UpdateOffsetRequest(new CheckPoint(group(group), partition, offset, "worker")))
                .isSuccess();
    }

    /** Commits rising offsets for some of the groups, until the gateway is gone. */
    private void commitUntilKilled(TopicAndPartition partition, int first) {
        ConsumerService.Iface client = OfficialSdk.of(gateway()).factory().newConsumerClient();
        try {
            for (int group = first; group < GROUPS; group += THREADS) {
                client.lockPartition(new LockPartitionRequest(
                        new ConsumeUnit(group(group), partition.getTopicTalosResourceName(), List.of(0), "worker")));
            }
            for (long offset = 0; offset < MESSAGES; offset++) {
                for (int group = first; group < GROUPS; group += THREADS) {
                    sent.set(group, offset);
                    if (!commit(client, partition, group, offset)) {
                        throw new AssertionError("a commit of " + group(group) + " was refused");
                    }
                    acknowledged.set(group, offset);
                    commits.incrementAndGet();
                }
            }
        } catch (Exception e) {
            // The gateway is gone.
        }
    }

    @Test
    void commitsSurviveAKill() throws Exception {
        for (int group = 0; group < GROUPS; group++) {
            acknowledged.set(group, NOTHING);
            sent.set(group, NOTHING);
        }
        TopicAndPartition partition = newPartition();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> committing = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                committing.add(threads.submit(() -> commitUntilKilled(partition, first)));
            }
            while (commits.get() < COMMITS) {
                assertThat(committing).as("they go on").noneMatch(Future::isDone);
                TimeUnit.MILLISECONDS.sleep(10);
            }
            gateway().kill();
            for (Future<?> one : committing) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        gateway().start();

        ConsumerService.Iface client = OfficialSdk.of(gateway()).factory().newConsumerClient();
        for (int group = 0; group < GROUPS; group++) {
            long offset = client.queryOffset(new QueryOffsetRequest(group(group), partition))
                    .getMsgOffset();
            assertThat(offset).as(group(group)).isBetween(acknowledged.get(group), sent.get(group));
        }
        assertThat(commit(client, partition, 0, MESSAGES - 1))
                .as("its worker still holds the partition")
                .isTrue();
        System.out.printf("Consumer groups: %d commits of %d groups survived a kill%n", commits.get(), GROUPS);
    }
}
