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

    /** Of the topic for consumer groups; can never be changed. */
    private static final int PARTITIONS = 16;

    private static final int MAX_WORKER_LENGTH = 256;

    private final TopicAdminService topics;
    private final PartitionService partitions;

    public ConsumerGroups(TopicAdminService topics, PartitionService partitions) {
        this.topics = topics;
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
        return topic(deadline)
                .thenCompose(topic -> partitions.askGroup(coordinator(topic, request.group()), request, deadline));
    }

    /** Asks all groups; fails if the owner of some cannot be asked. */
    public CompletableFuture<List<GroupEntry>> list(GroupRequest request, Deadline deadline) {
        return topic(deadline).thenCompose(topic -> {
            List<CompletableFuture<GroupAnswer>> answers = topic.allPartitions()
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

    private CompletableFuture<TopicMetadata> topic(Deadline deadline) {
        return topics.findOrCreate(TopicName.CONSUMER_GROUPS, PARTITIONS, deadline);
    }

    private static TopicPartition coordinator(TopicMetadata topic, String group) {
        int hash = group.hashCode();
        // Names that differ in the last characters only have hashes that differ in the last bits only.
        return topic.partition(Math.floorMod(hash ^ (hash >>> 16) * 31, topic.partitions()));
    }
}
