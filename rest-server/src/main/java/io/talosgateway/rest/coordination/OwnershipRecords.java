package io.talosgateway.rest.coordination;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;

/**
 * The ownership records of the cluster's partitions, changed by compare-and-set. Every method blocks, and throws a
 * {@code GatewayException} with {@code COORDINATION_UNAVAILABLE} if it cannot say that it succeeded. Safe for use by any
 * thread.
 */
public interface OwnershipRecords {

    /** A record and the version to change it by. */
    record Versioned(OwnershipRecord ownership, int version) {}

    /**
     * A change of one record.
     *
     * @param expectedVersion the version that it must have, or {@link #ABSENT}
     */
    record Change(TopicPartition partition, int expectedVersion, OwnershipRecord ownership) {}

    /** The version of a record that does not exist. */
    int ABSENT = -1;

    /** The records of partitions; one that never had an owner has none. Fails if a record cannot be understood. */
    Map<TopicPartition, Versioned> read(Collection<TopicPartition> partitions);

    /**
     * The records of partitions, without those that cannot be understood.
     *
     * @param unreadable told of each partition whose record is damaged, or was written by a newer release, and what is wrong
     */
    Map<TopicPartition, Versioned> read(
            Collection<TopicPartition> partitions, BiConsumer<TopicPartition, String> unreadable);

    /**
     * Makes all changes.
     *
     * @return the new version of each record, in order
     * @throws StaleOwnershipException if a record has another version: somebody else was faster; others may be changed
     */
    List<Integer> write(List<Change> changes) throws StaleOwnershipException;

    /** Deletes the records of a topic that is deleted. */
    void delete(TopicId topic);

    /**
     * How often records were changed or deleted: the leader's count, which rises with each transaction, and falls only if ZooKeeper is
     * set back to an earlier state. It has 32 bits, without sign, and begins again at 0. What is read after it is at least as new.
     */
    int changes();

    /** The topics that have records, deleted ones included. */
    List<TopicId> topics();
}
