package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.wire.message.MessageBlock;

/**
 * Refuses puts and gets of clients that exceed the quota of their topic or of its owner, and hands the others on. Stands where clients come in, so that
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
        CompletableFuture<?> admitted =
                admitPut(request.partition(), request.batch().bytes());
        return admitted == NOTHING ? partitions.put(request) : admitted.thenCompose(done -> partitions.put(request));
    }

    /** A block counts as a put when it is prepared, so that a commit is not refused. */
    @Override
    public CompletableFuture<TransactionAnswer> askTransaction(
            TopicPartition coordinator, TransactionRequest request, Deadline deadline) {
        MessageBlock block = request.block();
        CompletableFuture<?> admitted = block == null ? NOTHING : admitPut(request.partition(), block.bytes());
        return admitted == NOTHING
                ? partitions.askTransaction(coordinator, request, deadline)
                : admitted.thenCompose(done -> partitions.askTransaction(coordinator, request, deadline));
    }

    /**
     * Takes what a put uses of the quotas.
     *
     * @return {@link #NOTHING} if it is admitted at once, as nearly all are; otherwise fails with what refuses the put, or completes later
     */
    private CompletableFuture<?> admitPut(TopicPartition partition, int bytes) {
        TopicUse use = quotas.use(partition.topic());
        if (use == null) {
            return NOTHING;
        }
        CompletableFuture<?> asked = askForSpace(use.own());
        CompletableFuture<?> ownersAsked = askForSpace(use.owners());
        return asked.isDone() && ownersAsked.isDone()
                ? take(use, bytes)
                : CompletableFuture.allOf(asked, ownersAsked).thenCompose(done -> take(use, bytes));
    }

    private static CompletableFuture<?> take(TopicUse use, int bytes) {
        try {
            use.put(bytes);
            return NOTHING;
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Asks partitions what they take up, if it is time. What one that is not served takes up is not known; then what was known before
     * counts.
     *
     * @return completed when something is known, or as much as can be
     */
    private CompletableFuture<?> askForSpace(QuotaUse use) {
        SpaceUse space = use.space();
        if (space == null) {
            return NOTHING;
        }
        boolean known = space.isKnown();
        if (!space.beginAsking()) {
            return NOTHING;
        }
        long admittedBefore = space.admittedBytes();
        List<TopicPartition> wanted = use.partitions();
        CompletableFuture<?> asked = partitions
                .describe(wanted, Deadline.after(clock, ASK_WITHIN))
                .handle((answer, failure) -> {
                    Long stored = failure == null ? answer.storedBytes(wanted.size()) : null;
                    if (stored == null) {
                        space.notTold();
                    } else {
                        space.told(stored, admittedBefore);
                    }
                    return null;
                });
        return known ? NOTHING : asked;
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        TopicUse use = quotas.use(request.partition().topic());
        if (use == null) {
            return partitions.fetch(request);
        }
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
    public CompletableFuture<Void> changeFencingToken(FencingTokenChange change, Deadline deadline) {
        return partitions.changeFencingToken(change, deadline);
    }

    @Override
    public CompletableFuture<GroupAnswer> askGroup(
            TopicPartition coordinator, GroupRequest request, Deadline deadline) {
        return partitions.askGroup(coordinator, request, deadline);
    }
}
