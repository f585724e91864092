package io.talosgateway.rest.partition;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What some partitions are like.
 *
 * @param statuses of those that are served, in no order
 * @param othersMove whether some of the others are just moving: they will be served shortly
 */
public record PartitionStatuses(List<PartitionStatus> statuses, boolean othersMove) {

    /** What they take up together; null if fewer than so many are served. */
    public @Nullable Long storedBytes(int partitions) {
        return statuses.size() < partitions
                ? null
                : (Long) statuses.stream()
                        .mapToLong(PartitionStatus::storedBytes)
                        .sum();
    }

    /** What each of those that are served is like. */
    public Map<TopicPartition, PartitionStatus> byPartition() {
        return statuses.stream().collect(Collectors.toMap(PartitionStatus::partition, Function.identity()));
    }
}
