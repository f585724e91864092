package io.talosgateway.rest.routing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.fetch.FetchFrom;
import io.talosgateway.rest.fetch.FetchRequest;
import io.talosgateway.rest.fetch.FetchResult;
import io.talosgateway.rest.fetch.FetchService;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.hosting.Route;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.produce.PutRequest;
import io.talosgateway.rest.produce.PutResult;
import io.talosgateway.rest.stages.Stage;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.PartitionAdminService;
import io.talosgateway.rest.topicadmin.PartitionStatus;
import io.talosgateway.rest.topicadmin.PartitionStatuses;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Serves requests for partitions: here, or by the host that owns them. A partition that nobody serves, as far as is known
 * here, is refused at once with {@code PARTITION_NOT_SERVING}; one that is just moving is waited for. Safe for use by any
 * thread; does not block.
 */
public final class PartitionRequests {

    /** How long another host goes on waiting at most for a client that has gone: nothing tells it. */
    private static final Duration FORWARDED_WAIT = Duration.ofSeconds(5);

    private final HostedPartitions hosting;
    private final ProduceService produce;
    private final FetchService fetch;
    private final PartitionAdminService partitions;
    private final MovePatience patience;
    private final @Nullable Forwarder forwarder;

    /** @param forwarder null if there are no other hosts */
    public PartitionRequests(
            HostedPartitions hosting,
            ProduceService produce,
            FetchService fetch,
            PartitionAdminService partitions,
            MovePatience patience,
            @Nullable Forwarder forwarder) {
        this.hosting = hosting;
        this.produce = produce;
        this.fetch = fetch;
        this.partitions = partitions;
        this.patience = patience;
        this.forwarder = forwarder;
    }

    /** Stores messages; see {@link ProduceService#put}. */
    public CompletableFuture<Routed<PutResult>> put(PutRequest request) {
        return route(request.partition(), request.deadline(), () -> produce.put(request), (hosts, owner) -> {
            Stages.stamp(request.stages(), Stage.FORWARDED);
            return Stages.stampWhenDone(request.stages(), Stage.RETURNED, hosts.put(owner, request));
        });
    }

    /** Gets messages; see {@link FetchService#fetch}. */
    public CompletableFuture<Routed<FetchResult>> fetch(FetchRequest request) {
        return request.maxWait().isZero()
                ? fetchOnce(() -> request, request)
                : poll(request, Deadline.after(patience.clock(), request.maxWait()));
    }

    private CompletableFuture<Routed<FetchResult>> fetchOnce(Supplier<FetchRequest> again, FetchRequest request) {
        return route(request.partition(), request.deadline(), () -> fetch.fetch(again.get()), (hosts, owner) -> {
            Stages.stamp(request.stages(), Stage.FORWARDED);
            return Stages.stampWhenDone(request.stages(), Stage.RETURNED, hosts.fetch(owner, shortly(again.get())));
        });
    }

    /** A long poll: other hosts are asked again and again for a part of the wait, as long as the client is there. */
    private CompletableFuture<Routed<FetchResult>> poll(FetchRequest request, Deadline until) {
        Deadline ofThisPart = Deadline.after(patience.clock(), FORWARDED_WAIT);
        return fetchOnce(again(request, until), request).thenCompose(got -> {
            long nowNanos = patience.clock().nanoTime();
            boolean goesOn = got.forwarded()
                    && got.result().blocks().isEmpty()
                    // It has waited: an owner without room for gets that wait answers at once.
                    && ofThisPart.hasPassed(nowNanos)
                    && !until.hasPassed(nowNanos)
                    && !isGone(request);
            return goesOn
                    ? poll(request.from(new FetchFrom.Offset(got.result().fromOffset())), until)
                    : CompletableFuture.completedFuture(got);
        });
    }

    private static boolean isGone(FetchRequest request) {
        CompletableFuture<Void> gone = request.clientGone();
        return gone != null && gone.isDone();
    }

    private static FetchRequest shortly(FetchRequest request) {
        return request.maxWait().compareTo(FORWARDED_WAIT) > 0 ? request.withMaxWait(FORWARDED_WAIT) : request;
    }

    /** A long poll whose partition moves has waited for part of its time when it is tried again. */
    private Supplier<FetchRequest> again(FetchRequest request, Deadline until) {
        NanoClock clock = patience.clock();
        // Rounded up, so that the first attempt waits as long as was asked for.
        return () -> request.withMaxWait(Duration.ofMillis(
                TimeUnit.NANOSECONDS.toMillis(Math.max(0, until.remainingNanos(clock.nanoTime())) + 999_999)));
    }

    /** Longest wait for messages; a get that wants to wait longer waits so long. */
    public Duration maxWait() {
        return fetch.maxWait();
    }

    /** Offset of the first message appended at or after a time, epoch milliseconds; see {@link FetchService#offsetAt}. */
    public CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline) {
        return route(
                        partition,
                        deadline,
                        () -> fetch.offsetAt(partition, timeMs, deadline),
                        (hosts, owner) -> hosts.offsetAt(owner, partition, timeMs, deadline))
                .thenApply(Routed::result);
    }

    /** Deletes the oldest messages; see {@link PartitionAdminService#deleteOldest}. */
    public CompletableFuture<Void> deleteOldest(
            TopicPartition partition, long firstOffset, long lastOffset, Deadline deadline) {
        return this.<@Nullable Void>route(
                        partition,
                        deadline,
                        () -> partitions.deleteOldest(partition, firstOffset, lastOffset),
                        (hosts, owner) -> hosts.deleteOldest(owner, partition, firstOffset, lastOffset, deadline))
                .thenApply(done -> null);
    }

    /**
     * Where clients reach the host that serves the partition: {@code host:port}, or {@code https://host:port} if it speaks TLS
     * only; empty while nobody serves it.
     */
    public Optional<String> ownerOf(TopicPartition partition) {
        return hosting.owner(partition).map(HostInfo::endpoint);
    }

    /**
     * What a partition is like; fails with {@code PARTITION_NOT_SERVING}, {@code PARTITION_MOVING} or {@code STARTING} while
     * nobody serves it.
     */
    public CompletableFuture<PartitionStatus> describe(TopicPartition partition, Deadline deadline) {
        return route(
                        partition,
                        deadline,
                        () -> CompletableFuture.completedFuture(partitions.get(partition)),
                        (hosts, owner) -> hosts.describe(owner, List.of(partition), deadline)
                                .thenApply(found -> only(found, partition)))
                .thenApply(Routed::result);
    }

    private static PartitionStatus only(PartitionStatuses found, TopicPartition partition) {
        if (found.othersMove()) {
            throw moving();
        }
        if (found.statuses().isEmpty()) {
            throw new GatewayException(
                    ErrorCode.PARTITION_NOT_SERVING,
                    "No host serves partition " + partition.partition()
                            + " of the topic right now; try again shortly.");
        }
        return found.statuses().get(0);
    }

    private static GatewayException moving() {
        return new GatewayException(
                ErrorCode.PARTITION_MOVING, "The partition is just moving to another host; try again shortly.");
    }

    /**
     * What partitions are like. Those that are just moving are waited for; those that nobody serves, or whose owner does not
     * answer, are left out. Never fails.
     */
    public CompletableFuture<Map<TopicPartition, PartitionStatus>> describe(
            Collection<TopicPartition> asked, Deadline deadline) {
        Map<TopicPartition, PartitionStatus> found = new ConcurrentHashMap<>();
        return patience.ask(deadline, () -> findMissing(asked, found, deadline))
                .handle((done, failure) -> Map.copyOf(found));
    }

    /** Fails with {@code PARTITION_MOVING} if some of those that are still missing are just moving. */
    private CompletableFuture<Void> findMissing(
            Collection<TopicPartition> asked, Map<TopicPartition, PartitionStatus> found, Deadline deadline) {
        List<CompletableFuture<PartitionStatuses>> answers = new ArrayList<>();
        List<TopicPartition> here = new ArrayList<>();
        Map<Peer, List<TopicPartition>> elsewhere = new HashMap<>();
        for (TopicPartition partition : asked) {
            if (!found.containsKey(partition)) {
                ownerElsewhere(partition)
                        .map(owner -> elsewhere.computeIfAbsent(owner, theirs -> new ArrayList<>()))
                        .orElse(here)
                        .add(partition);
            }
        }
        answers.add(CompletableFuture.completedFuture(partitions.find(here)));
        Forwarder hosts = forwarder;
        if (hosts != null) {
            elsewhere.forEach((owner, theirs) -> answers.add(hosts.describe(owner, theirs, deadline)
                    .exceptionally(failure -> new PartitionStatuses(List.of(), false))));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    boolean move = false;
                    for (CompletableFuture<PartitionStatuses> answer : answers) {
                        PartitionStatuses statuses = answer.join();
                        statuses.statuses().forEach(status -> found.put(status.partition(), status));
                        move |= statuses.othersMove();
                    }
                    if (move) {
                        throw moving();
                    }
                });
    }

    /** The other host that serves the partition; empty if this one does, or nobody. */
    private Optional<Peer> ownerElsewhere(TopicPartition partition) {
        try {
            return hosting.route(partition) instanceof Route.There there
                    ? Optional.of(peer(there.owner()))
                    : Optional.empty();
        } catch (GatewayException e) {
            return Optional.empty();
        }
    }

    /** A host as the forwarder knows it. */
    public static Peer peer(HostInfo owner) {
        return new Peer(owner.name(), owner.incarnation(), owner.peerAddress());
    }

    /** Asks the owner. */
    @FunctionalInterface
    private interface Forward<T> {
        CompletableFuture<T> to(Forwarder hosts, Peer owner);
    }

    private <T> CompletableFuture<Routed<T>> route(
            TopicPartition partition, Deadline deadline, Supplier<CompletableFuture<T>> here, Forward<T> there) {
        return patience.ask(deadline, () -> {
            Forwarder hosts = forwarder;
            if (hosts != null && hosting.route(partition) instanceof Route.There other) {
                return there.to(hosts, peer(other.owner())).thenApply(result -> new Routed<>(result, true));
            }
            return here.get().thenApply(result -> new Routed<>(result, false));
        });
    }
}
