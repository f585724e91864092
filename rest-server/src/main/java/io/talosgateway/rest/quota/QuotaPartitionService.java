package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;

/**
 * Refuses puts and gets of clients that exceed the quota of their topic, and hands the others on. Stands where clients come in, so that
 * what another host forwards is not counted twice.
 */
public final class QuotaPartitionService implements PartitionService {

    private static final Duration ASK_WITHIN = Duration.ofSeconds(5);

    private static final CompletableFuture<?> NOTHING = CompletableFuture.completedFuture(null);

    private final PartitionService partitions;
    private final Quotas quotas;
    private final NanoClock clock;

    public QuotaPartitionService(PartitionService partitions, Quotas quotas, NanoClock clock) {
        this.partitions = partitions;
        this.quotas = quotas;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<PutResult> put(PutRequest request) {
        TopicMetadata topic = quotas.limited(request.partition().topic());
        if (topic == null) {
            return partitions.put(request);
        }
        TopicUse use = quotas.use(topic);
        SpaceUse space = use.space();
        if (space != null) {
            boolean known = space.isKnown();
            CompletableFuture<?> asked = space.beginAsking() ? askForSpace(topic, space) : NOTHING;
            if (!known) {
                return asked.thenCompose(done -> put(request, use));
            }
        }
        return put(request, use);
    }

    private CompletableFuture<PutResult> put(PutRequest request, TopicUse use) {
        try {
            use.put(request.batch().bytes());
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
        return partitions.put(request);
    }

    /** Completes in any case. What a partition that is not served takes up is not known; then what was known before counts. */
    private CompletableFuture<?> askForSpace(TopicMetadata topic, SpaceUse space) {
        long admittedBefore = space.admittedBytes();
        return partitions
                .describe(topic.allPartitions().toList(), Deadline.after(clock, ASK_WITHIN))
                .handle((answer, failure) -> {
                    Long stored = failure == null ? answer.storedBytes(topic.partitions()) : null;
                    if (stored == null) {
                        space.notTold();
                    } else {
                        space.told(stored, admittedBefore);
                    }
                    return null;
                });
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        TopicMetadata topic = quotas.limited(request.partition().topic());
        if (topic == null) {
            return partitions.fetch(request);
        }
        TopicUse use = quotas.use(topic);
        try {
            use.get();
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<FetchResult> answer = partitions.fetch(request);
        answer.thenAccept(result -> use.got(result.bytes()));
        return answer;
    }

    @Override
    public CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline) {
        return partitions.offsetAt(partition, timeMs, deadline);
    }

    @Override
    public CompletableFuture<Void> trim(
            TopicPartition partition, long firstOffset, long lastOffset, Deadline deadline) {
        return partitions.trim(partition, firstOffset, lastOffset, deadline);
    }

    @Override
    public CompletableFuture<PartitionStatus> describe(TopicPartition partition, Deadline deadline) {
        return partitions.describe(partition, deadline);
    }

    @Override
    public CompletableFuture<PartitionStatuses> describe(Collection<TopicPartition> wanted, Deadline deadline) {
        return partitions.describe(wanted, deadline);
    }

    @Override
    public CompletableFuture<GroupAnswer> askGroup(
            TopicPartition coordinator, GroupRequest request, Deadline deadline) {
        return partitions.askGroup(coordinator, request, deadline);
    }
}
