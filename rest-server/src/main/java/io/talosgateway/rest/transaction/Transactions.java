package io.talosgateway.rest.transaction;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.statelog.StateTopic;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.scheduler.Deadline;

/**
 * Asks transactions, wherever in the cluster they are held: those of a partition at one place. The topic that holds them is created
 * when the first one is asked. Who may ask is decided before. Safe for use by any thread; does not block.
 */
public final class Transactions {

    private final StateTopic topic;
    private final PartitionService partitions;

    public Transactions(TopicAdminService topics, PartitionService partitions) {
        this.topic = new StateTopic(TopicName.TRANSACTIONS, topics);
        this.partitions = partitions;
    }

    /**
     * Asks the transactions of the partition that the request names.
     *
     * @return as {@link PartitionService#askTransaction}
     */
    public CompletableFuture<TransactionAnswer> ask(TransactionRequest request, Deadline deadline) {
        TopicPartition asked = request.partition();
        // Not hashCode(), which another release may compute in another way.
        int hash = Long.hashCode(asked.topic().leastSignificant()) + 31 * asked.partition();
        return topic.find(deadline)
                .thenCompose(found -> partitions.askTransaction(StateTopic.partition(found, hash), request, deadline));
    }
}
