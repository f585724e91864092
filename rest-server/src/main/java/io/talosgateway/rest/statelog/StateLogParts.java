package io.talosgateway.rest.statelog;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.NanoClock;

/**
 * What the logs of a host share.
 *
 * @param durability what changes must have survived when they are answered
 * @param pool reads and rewrites logs, which blocks
 * @param trim deletes the messages of a partition below an offset
 * @param deleted those of some topics that are deleted for sure; blocks
 */
public record StateLogParts(
        Durability durability,
        KeyedExecutor<TopicPartition> pool,
        BiFunction<HostedPartition, Long, CompletableFuture<Void>> trim,
        UnaryOperator<Set<TopicId>> deleted,
        NanoClock clock) {

    public static StateLogParts of(
            Durability durability,
            HostedPartitions hosting,
            TopicRegistry topics,
            KeyedExecutor<TopicPartition> pool,
            NanoClock clock) {
        return new StateLogParts(durability, pool, hosting::trim, suspects -> deleted(topics, suspects), clock);
    }

    private static Set<TopicId> deleted(TopicRegistry topics, Set<TopicId> suspects) {
        Set<TopicId> missing = new HashSet<>(suspects);
        missing.removeIf(topic -> topics.find(topic) != null);
        if (!missing.isEmpty()) {
            missing.removeAll(topics.idsNow());
        }
        return missing;
    }
}
