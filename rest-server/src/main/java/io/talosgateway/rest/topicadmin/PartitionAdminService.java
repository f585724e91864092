package io.talosgateway.rest.topicadmin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.topic.TopicPartition;

/** Looks at partitions, and deletes their oldest messages. Safe for use by any thread; does not block. */
public final class PartitionAdminService {

    private final HostedPartitions hosting;

    public PartitionAdminService(HostedPartitions hosting) {
        this.hosting = hosting;
    }

    /** What partitions are like; those that this host does not serve, or of which it cannot tell where they end, are left out. */
    public PartitionStatuses find(Collection<TopicPartition> partitions) {
        List<PartitionStatus> statuses = new ArrayList<>();
        boolean othersMove = false;
        for (TopicPartition partition : partitions) {
            try {
                statuses.add(get(partition));
            } catch (GatewayException e) {
                othersMove |= e.code() == ErrorCode.PARTITION_MOVING;
            }
        }
        return new PartitionStatuses(statuses, othersMove);
    }

    /**
     * What the partition is like.
     *
     * @throws GatewayException {@code PARTITION_NOT_SERVING}, {@code PARTITION_MOVING} or {@code STARTING} while this host does
     *     not serve it or cannot tell where it ends
     */
    public PartitionStatus get(TopicPartition partition) {
        HostedPartition hosted = hosting.get(partition);
        hosted.requireEnd();
        return status(hosted);
    }

    private PartitionStatus status(HostedPartition hosted) {
        long start = hosted.log().logStartOffset();
        long end = hosted.log().durableOffset();
        return new PartitionStatus(
                hosted.partition(),
                hosting.endpoint(),
                start,
                end,
                start == end ? 0 : hosted.log().storedBytes(),
                hosted.log().totalBytes());
    }

    /**
     * Deletes the messages from {@code firstOffset} to {@code lastOffset}, both included. Offsets have no gaps, so that
     * only the oldest messages can go.
     *
     * @return completed when the messages cannot be read any more, also not after a restart
     * @throws GatewayException {@code INVALID_OFFSET} if older messages would stay, or there is no such offset
     */
    public CompletableFuture<Void> deleteOldest(TopicPartition partition, long firstOffset, long lastOffset) {
        HostedPartition hosted = hosting.get(partition);
        hosted.requireEnd();
        long start = hosted.log().logStartOffset();
        long end = hosted.log().durableOffset();
        if (firstOffset > start || lastOffset >= end) {
            throw new GatewayException(
                    ErrorCode.INVALID_OFFSET,
                    "Only the oldest messages can be deleted: from offset %d or less, to offset %d or less."
                            .formatted(start, end - 1));
        }
        return hosting.trim(hosted, lastOffset + 1);
    }
}
