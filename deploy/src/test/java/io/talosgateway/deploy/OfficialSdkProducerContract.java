package io.talosgateway.deploy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.xiaomi.infra.galaxy.talos.producer.ProducerNotActiveException;
import com.xiaomi.infra.galaxy.talos.producer.TalosProducer;
import com.xiaomi.infra.galaxy.talos.producer.UserMessageCallback;
import com.xiaomi.infra.galaxy.talos.producer.UserMessageResult;
import com.xiaomi.infra.galaxy.talos.thrift.CreateTopicRequest;
import com.xiaomi.infra.galaxy.talos.thrift.Message;
import com.xiaomi.infra.galaxy.talos.thrift.MessageAndOffset;
import com.xiaomi.infra.galaxy.talos.thrift.MessageCompressionType;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAndPartition;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAttribute;
import com.xiaomi.infra.galaxy.talos.thrift.TopicInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The official SDK's producer that puts in the background, against a gateway process. */
abstract class OfficialSdkProducerContract extends StorageContract {

    private static final int PARTITIONS = 4;
    private static final int MESSAGES = 3_000;
    private static final int BATCH = 50;

    private final Random random = new Random(20261121);
    private final SdkMessages messages = new SdkMessages(20261121);
    private int topics;

    private TopicInfo newTopic() throws Exception {
        TopicAttribute attribute = new TopicAttribute().setPartitionNumber(PARTITIONS);
        return OfficialSdk.of(gateway())
                .admin()
                .createTopic(new CreateTopicRequest("produced-" + topics++, attribute))
                .getTopicInfo();
    }

    /** Two of three have a key. */
    private List<Message> newMessages() {
        List<Message> made = new ArrayList<>();
        for (int number = 0; number < MESSAGES; number++) {
            Message message = messages.random(1 + random.nextInt(2_000));
            made.add(number % 3 == 0 ? message : message.setPartitionKey(key(random.nextInt(100))));
        }
        return made;
    }

    /** Begins with what differs: the SDK takes the partition from the upper bits of a hash that shifts them there. */
    private static String key(int number) {
        return Long.toString(Math.abs((number + 1) * 0x9E3779B97F4A7C15L), Character.MAX_RADIX);
    }

    private static void addAll(TalosProducer producer, List<Message> added) throws Exception {
        for (int from = 0; from < added.size(); from += BATCH) {
            producer.addUserMessage(added.subList(from, Math.min(from + BATCH, added.size())));
        }
    }

    private Map<Integer, List<MessageAndOffset>> readAll(TopicInfo topic) throws Exception {
        Map<Integer, List<MessageAndOffset>> all = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            TopicAndPartition which =
                    new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), partition);
            all.put(partition, SdkMessages.readAll(OfficialSdk.of(gateway()).consumer(which), 0));
        }
        return all;
    }

    /** Notes where messages went; puts failed ones again if it was given a producer. */
    private static final class Results implements UserMessageCallback {

        private final Map<String, Integer> partitions = new ConcurrentHashMap<>();
        private final CountDownLatch stored;
        private final AtomicInteger failedPuts = new AtomicInteger();
        private final AtomicReference<TalosProducer> producer = new AtomicReference<>();

        Results(int expected) {
            this.stored = new CountDownLatch(expected);
        }

        @Override
        public void onSuccess(UserMessageResult result) {
            for (Message message : result.getMessageList()) {
                partitions.put(message.getSequenceNumber(), result.getPartitionId());
                stored.countDown();
            }
        }

        @Override
        public void onError(UserMessageResult result) {
            failedPuts.incrementAndGet();
            try {
                producer.get().addUserMessage(result.getMessageList());
            } catch (ProducerNotActiveException e) {
                throw new AssertionError(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void batchesKeepTheOrderOfTheirPartition(MessageCompressionType compression) throws Exception {
        TopicInfo topic = newTopic();
        Results results = new Results(MESSAGES);
        List<Message> added = newMessages();

        TalosProducer producer =
                OfficialSdk.of(gateway()).talosProducer(topic.getTopicTalosResourceName(), compression, results);
        addAll(producer, added);
        assertThat(results.stored.await(120, TimeUnit.SECONDS)).as("all stored").isTrue();
        producer.shutdown();

        assertThat(results.failedPuts).hasValue(0);
        Map<Integer, List<MessageAndOffset>> read = readAll(topic);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            int which = partition;
            List<Message> expected = added.stream()
                    .filter(message -> results.partitions.get(message.getSequenceNumber()) == which)
                    .toList();
            assertThat(expected).as("messages of partition " + partition).hasSizeGreaterThan(BATCH);
            SdkMessages.assertSame(read.get(partition), 0, expected);
        }
    }

    @Test
    void producerGoesOnAfterAKillOfTheGateway() throws Exception {
        TopicInfo topic = newTopic();
        Results results = new Results(2 * MESSAGES);
        List<Message> before = newMessages();
        List<Message> after = newMessages();

        TalosProducer producer = OfficialSdk.of(gateway())
                .talosProducer(topic.getTopicTalosResourceName(), MessageCompressionType.SNAPPY, results);
        results.producer.set(producer);
        addAll(producer, before);
        gateway().kill();
        addAll(producer, after);
        gateway().start();
        assertThat(results.stored.await(120, TimeUnit.SECONDS)).as("all stored").isTrue();
        producer.shutdown();

        assertThat(results.failedPuts.get())
                .as("puts that failed while the gateway was away")
                .isPositive();
        Map<Integer, List<MessageAndOffset>> read = readAll(topic);
        Map<String, byte[]> stored = new HashMap<>();
        read.values()
                .forEach(all -> all.forEach(message -> stored.put(
                        message.getMessage().getSequenceNumber(),
                        message.getMessage().getMessage())));
        assertThat(stored).hasSize(2 * MESSAGES);
        for (Message message : before) {
            assertThat(stored.get(message.getSequenceNumber())).isEqualTo(message.getMessage());
        }
        for (Message message : after) {
            assertThat(stored.get(message.getSequenceNumber())).isEqualTo(message.getMessage());
        }
    }
}
