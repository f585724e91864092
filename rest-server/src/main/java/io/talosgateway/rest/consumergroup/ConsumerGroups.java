package io.talosgateway.rest.consumergroup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.statelog.StateTopic;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.scheduler.Deadline;

/**
 * Asks consumer groups, wherever in the cluster they are held. The topic that holds them is created when the first one is
 * asked. Who may ask is decided before. Safe for use by any thread; does not block.
 */
public final class ConsumerGroups {

    private static final int MAX_WORKER_LENGTH = 256;
    private static final int MOST_NAMED = 3;

    private final StateTopic topic;
    private final PartitionService partitions;

    public ConsumerGroups(TopicAdminService topics, PartitionService partitions) {
        this.topic = new StateTopic(TopicName.CONSUMER_GROUPS, topics);
        this.partitions = partitions;
    }

    /**
     * The name of a group, which follows the rule for names of topics.
     *
     * @throws GatewayException {@code INVALID_NAME}
     */
    public static String checkedGroup(String name) {
        if (!TopicName.isValid(name)) {
            throw new GatewayException(
                    ErrorCode.INVALID_NAME,
                    "The name of the consumer group is not valid: use 1 to 80 letters, digits, '_' and '-', not starting "
                            + "with '_' or '-' and not ending with '_'.");
        }
        return name;
    }

    /**
     * The id of a worker.
     *
     * @throws GatewayException {@code INVALID_NAME}
     */
    public static String checkedWorker(String id) {
        if (id.isEmpty() || id.length() > MAX_WORKER_LENGTH) {
            throw new GatewayException(
                    ErrorCode.INVALID_NAME,
                    "The id of a worker has 1 to %d characters; this one has %d."
                            .formatted(MAX_WORKER_LENGTH, id.length()));
        }
        return id;
    }

    /** Asks the group that the request names. */
    public CompletableFuture<GroupAnswer> ask(GroupRequest request, Deadline deadline) {
        return topic.find(deadline)
                .thenCompose(found -> partitions.askGroup(coordinator(found, request.group()), request, deadline));
    }

    /** Asks all groups; fails if the owner of some cannot be asked. */
    public CompletableFuture<List<GroupEntry>> list(GroupRequest request, Deadline deadline) {
        return topic.find(deadline).thenCompose(found -> {
            List<CompletableFuture<GroupAnswer>> answers = found.allPartitions()
                    .map(partition -> partitions.askGroup(partition, request, deadline))
                    .toList();
            return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                    .thenApply(done -> {
                        List<GroupEntry> entries = new ArrayList<>();
                        answers.forEach(answer -> entries.addAll(answer.join().entries()));
                        return entries;
                    });
        });
    }

    /**
     * Commits an offset.
     *
     * @param partition whose offset {@code commit} says
     * @return whether the worker holds the partition; fails with {@code INVALID_OFFSET} if no message has the offset. If nobody can
     *     tell where the partition ends, the offset is believed: what was processed can be committed while the partition is away.
     */
    public CompletableFuture<GroupAnswer> commit(TopicPartition partition, GroupRequest commit, Deadline deadline) {
        if (commit.offset() < 0) {
            throw new GatewayException(
                    ErrorCode.INVALID_OFFSET,
                    "The offset " + commit.offset() + " cannot be committed: no message has it.");
        }
        return partitions
                .describe(partition, deadline)
                .handle((status, failure) -> {
                    if (failure == null && commit.offset() >= status.logEndOffset()) {
                        throw new GatewayException(
                                ErrorCode.INVALID_OFFSET,
                                "The offset %d cannot be committed: the last message of partition %d has offset %d."
                                        .formatted(commit.offset(), partition.partition(), status.logEndOffset() - 1));
                    }
                    return null;
                })
                .thenCompose(done -> ask(commit, deadline));
    }

    /** Forgets what a group is on a topic; fails with {@code CONSUMER_GROUP_WORKING} while it has live workers. */
    public CompletableFuture<GroupAnswer> delete(String group, TopicId topic, Deadline deadline) {
        return ask(GroupRequest.delete(group, topic), deadline)
                .thenApply(answer -> requireNobodyWorks(group, answer, "delete"));
    }

    /** Sets what is committed of a partition; fails with {@code CONSUMER_GROUP_WORKING} while the topic has live workers. */
    public CompletableFuture<GroupAnswer> reset(
            String group, TopicPartition partition, long offset, Deadline deadline) {
        return ask(GroupRequest.reset(group, partition.topic(), partition.partition(), offset), deadline)
                .thenApply(answer -> requireNobodyWorks(group, answer, "reset"));
    }

    private static GroupAnswer requireNobodyWorks(String group, GroupAnswer answer, String what) {
        if (answer.accepted()) {
            return answer;
        }
        List<String> workers = answer.entries().stream()
                .map(GroupEntry::worker)
                .distinct()
                .limit(MOST_NAMED)
                .toList();
        throw new GatewayException(
                ErrorCode.CONSUMER_GROUP_WORKING,
                "The consumer group '%s' has live workers, such as %s; stop them, and %s the group when their leases have ended."
                        .formatted(group, String.join(", ", workers), what));
    }

    /**
     * How many messages of a partition are not processed.
     *
     * @param offset of the last one that is, or {@link GroupEntry#NOTHING_COMMITTED}
     */
    public static long lag(long offset, PartitionStatus status) {
        return status.logEndOffset() - nextOffset(offset, status);
    }

    /** The offset of the first message that is kept and not processed. */
    public static long nextOffset(long offset, PartitionStatus status) {
        return Math.max(offset + 1, status.logStartOffset());
    }

    private static TopicPartition coordinator(TopicMetadata topic, String group) {
        return StateTopic.partition(topic, group.hashCode());
    }
}
