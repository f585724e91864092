package io.talosgateway.rest.http.rest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.common.hash.Hashing;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.Partitioner;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.wire.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * Chooses partitions for a put to a topic. Messages with a key go where the Talos SDKs would put them. Those without go to
 * one partition together: to the next in turn; or, if the put has an idempotency key, to one that the key stands for, so
 * that a repeat comes to where the first attempt went. Safe for use by any thread.
 */
final class PartitionChooser {

    private static final int MAX_TOPICS = 10_000;

    /** Of each topic, so that puts to several topics in turn do not skip partitions. */
    private final LoadingCache<TopicId, AtomicInteger> turns =
            Caffeine.newBuilder().maximumSize(MAX_TOPICS).build(topic -> new AtomicInteger());

    /** Partition to places of messages in the list, in order. */
    Map<Integer, List<Integer>> choose(
            TopicMetadata topic, List<Message> messages, @Nullable IdempotencyKey idempotencyKey) {
        int withoutKey = idempotencyKey == null
                ? Math.floorMod(turns.get(topic.id()).getAndIncrement(), topic.partitions())
                : Hashing.consistentHash(
                        Hashing.farmHashFingerprint64().hashString(idempotencyKey.value(), StandardCharsets.UTF_8),
                        topic.partitions());
        Map<Integer, List<Integer>> chosen = new TreeMap<>();
        for (int place = 0; place < messages.size(); place++) {
            String key = messages.get(place).key();
            int partition = key == null ? withoutKey : Partitioner.partitionFor(key, topic.partitions());
            chosen.computeIfAbsent(partition, number -> new ArrayList<>()).add(place);
        }
        return chosen;
    }
}
