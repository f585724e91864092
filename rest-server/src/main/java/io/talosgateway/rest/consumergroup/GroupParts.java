package io.talosgateway.rest.consumergroup;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.NanoClock;

/**
 * What the partitions of a coordinator share.
 *
 * @param pool reads and rewrites the logs of partitions, which blocks
 * @param trim deletes the messages of a partition below an offset
 * @param deleted those of some topics that are deleted for sure; blocks
 */
record GroupParts(
        GroupConfig config,
        Durability durability,
        KeyedExecutor<TopicPartition> pool,
        BiFunction<HostedPartition, Long, CompletableFuture<Void>> trim,
        UnaryOperator<Set<TopicId>> deleted,
        NanoClock clock) {}
