package io.talosgateway.rest.consumergroup;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.NanoClock;

/** The consumer groups whose partitions this host owns. Safe for use by any thread; does not block. */
public final class GroupCoordinator {

    private final GroupParts parts;
    private final TimedAnswers answers;
    private final Map<TopicPartition, GroupPartition> partitions = new ConcurrentHashMap<>();

    /**
     * @param durability what changes must have survived when they are answered
     * @param pool reads and rewrites the logs of partitions, which blocks
     */
    public GroupCoordinator(
            GroupConfig config,
            Durability durability,
            HostedPartitions hosting,
            TopicRegistry topics,
            KeyedExecutor<TopicPartition> pool,
            TimedAnswers answers,
            NanoClock clock) {
        this.parts =
                new GroupParts(config, durability, pool, hosting::trim, suspects -> deleted(topics, suspects), clock);
        this.answers = answers;
    }

    private static Set<TopicId> deleted(TopicRegistry topics, Set<TopicId> suspects) {
        Set<TopicId> missing = new HashSet<>(suspects);
        missing.removeIf(topic -> topics.find(topic) != null);
        if (!missing.isEmpty()) {
            missing.removeAll(topics.idsNow());
        }
        return missing;
    }

    /** Consumer groups whose partitions this host owns. */
    public int groups() {
        return partitions.values().stream()
                .filter(partition -> !partition.isGone())
                .mapToInt(GroupPartition::groupCount)
                .sum();
    }

    /**
     * Asks a group.
     *
     * @param coordinator holds the group
     * @return as {@link io.talosgateway.rest.partition.PartitionService#askGroup}
     */
    public CompletableFuture<GroupAnswer> ask(HostedPartition coordinator, GroupRequest request, Deadline deadline) {
        CompletableFuture<GroupAnswer> answer;
        try {
            answer = partition(coordinator).ask(request);
        } catch (GatewayException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answers.within(
                deadline,
                answer.exceptionallyCompose(failure -> CompletableFuture.failedFuture(reason(failure))),
                "The time for the request ran out before the storage confirmed what the consumer group has changed. "
                        + "Asking again is safe.");
    }

    private static GatewayException reason(Throwable failure) {
        return GatewayException.in(failure)
                .orElseGet(() ->
                        new GatewayException(ErrorCode.INTERNAL, "The consumer group could not be asked.", failure));
    }

    private GroupPartition partition(HostedPartition hosted) {
        GroupPartition known = partitions.get(hosted.partition());
        if (known != null && known.isFor(hosted) && !known.isBroken()) {
            return known;
        }
        partitions.values().removeIf(GroupPartition::isGone);
        return partitions.compute(hosted.partition(), (partition, old) -> {
            if (old != null && old.isFor(hosted) && !old.isBroken()) {
                return old;
            }
            return new GroupPartition(
                    hosted, parts, old == null ? CompletableFuture.completedFuture(null) : old.whenDecided());
        });
    }
}
