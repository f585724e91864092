package io.talosgateway.rest.http.rest;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.Partitioner;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PartitionChooserTest {

    private final PartitionChooser chooser = new PartitionChooser();
    private final TopicMetadata first = topic(1, 2);
    private final TopicMetadata second = topic(2, 2);

    private static TopicMetadata topic(long id, int partitions) {
        return new TopicMetadata(
                new TopicName("topic-" + id),
                new TopicId(0, id),
                "owner",
                partitions,
                Duration.ofDays(1),
                Map.of(),
                Map.of(),
                Quota.UNLIMITED,
                0);
    }

    private static Message message(String key) {
        return new Message(key, null, ByteSlice.utf8("payload"), null, null, null, null, null);
    }

    private int partitionWithoutKey(TopicMetadata topic, IdempotencyKey idempotencyKey) {
        Map<Integer, List<Integer>> chosen = chooser.choose(topic, List.of(message(null)), idempotencyKey);
        assertThat(chosen).hasSize(1);
        return chosen.keySet().iterator().next();
    }

    @Test
    void putsWithoutKeysTakeTurnsInEachTopicWhateverIsPutToOthers() {
        List<Integer> partitions = IntStream.range(0, 4)
                .boxed()
                .flatMap(round -> Stream.of(partitionWithoutKey(first, null), partitionWithoutKey(second, null)))
                .toList();

        assertThat(partitions).containsExactly(0, 0, 1, 1, 0, 0, 1, 1);
    }

    @Test
    void messagesWithKeysGoWhereTheSdksPutThemAndTheOthersTogether() {
        TopicMetadata wide = topic(3, 100);
        List<Message> messages = List.of(message("customer-4711"), message(null), message("a"), message(null));

        Map<Integer, List<Integer>> chosen = chooser.choose(wide, messages, null);

        assertThat(chosen.get(Partitioner.partitionFor("customer-4711", 100))).contains(0);
        assertThat(chosen.get(Partitioner.partitionFor("a", 100))).contains(2);
        assertThat(chosen.values()).anySatisfy(places -> assertThat(places).contains(1, 3));
    }

    @Test
    void repeatWithTheSameIdempotencyKeyComesToTheSamePartition() {
        TopicMetadata wide = topic(3, 100);
        IdempotencyKey key = new IdempotencyKey("put-1", true);
        int partition = partitionWithoutKey(wide, key);
        partitionWithoutKey(wide, null);

        assertThat(partitionWithoutKey(wide, key)).isEqualTo(partition);
        assertThat(IntStream.range(0, 200)
                        .map(number -> partitionWithoutKey(wide, new IdempotencyKey("put-" + number, true)))
                        .distinct())
                .hasSizeGreaterThan(50);
    }
}
