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
import java.util.function.Function;
import java.util.function.Supplier;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.FetchFrom;
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
import org.jspecify.annotations.Nullable;

/**
 * Asks whoever serves a partition: this host, or the one that owns it. A partition that nobody serves, as far as is known
 * here, is refused at once with {@code PARTITION_NOT_SERVING}; one that is just moving is waited for.
 */
public final class RoutedPartitionService implements PartitionService {

    /** How long another host goes on waiting at most for a client that has gone: nothing tells it. */
    private static final Duration FORWARDED_WAIT = Duration.ofSeconds(5);

    private final HostedPartitions hosting;
    private final PartitionService local;
    private final MovePatience patience;
    private final @Nullable Forwarder forwarder;

    /**
     * @param local serves what this host owns
     * @param forwarder null if there are no other hosts
     */
    public RoutedPartitionService(
            HostedPartitions hosting, PartitionService local, MovePatience patience, @Nullable Forwarder forwarder) {
        this.hosting = hosting;
        this.local = local;
        this.patience = patience;
        this.forwarder = forwarder;
    }

    @Override
    public CompletableFuture<PutResult> put(PutRequest request) {
        return route(request.partition(), request.deadline(), server -> server.put(request));
    }

    /** Asks another host again and again for a part of the wait, as long as the client is there. */
    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        return request.maxWait().isZero()
                ? fetchOnce(() -> request, request)
                : poll(request, Deadline.after(patience.clock(), request.maxWait()));
    }

    private CompletableFuture<FetchResult> fetchOnce(Supplier<FetchRequest> again, FetchRequest request) {
        return route(
                request.partition(),
                request.deadline(),
                server -> server.fetch(server == local ? again.get() : shortly(again.get())));
    }

    private CompletableFuture<FetchResult> poll(FetchRequest request, Deadline until) {
        Deadline ofThisPart = Deadline.after(patience.clock(), FORWARDED_WAIT);
        return fetchOnce(() -> forWhatIsLeft(request, until), request).thenCompose(got -> {
            long nowNanos = patience.clock().nanoTime();
            boolean goesOn = got.forwarded()
                    && got.blocks().isEmpty()
                    // It has waited: an owner without room for gets that wait answers at once.
                    && ofThisPart.hasPassed(nowNanos)
                    && !until.hasPassed(nowNanos)
                    && !isGone(request);
            return goesOn
                    ? poll(request.from(new FetchFrom.Offset(got.fromOffset())), until)
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
    private FetchRequest forWhatIsLeft(FetchRequest request, Deadline until) {
        long leftNanos = Math.max(0, until.remainingNanos(patience.clock().nanoTime()));
        // Rounded up, so that the first attempt waits as long as was asked for.
        return request.withMaxWait(Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(leftNanos + 999_999)));
    }

    @Override
    public CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline) {
        return route(partition, deadline, server -> server.offsetAt(partition, timeMs, deadline));
    }

    @Override
    public CompletableFuture<Void> trim(
            TopicPartition partition, long firstOffset, long lastOffset, Deadline deadline) {
        return route(partition, deadline, server -> server.trim(partition, firstOffset, lastOffset, deadline));
    }

    @Override
    public CompletableFuture<Void> changeFencingToken(FencingTokenChange change, Deadline deadline) {
        return route(change.partition(), deadline, server -> server.changeFencingToken(change, deadline));
    }

    /**
     * Where clients reach the host that serves the partition: {@code host:port}, or {@code https://host:port} if it speaks TLS
     * only; empty while nobody serves it.
     */
    public Optional<String> ownerOf(TopicPartition partition) {
        return hosting.owner(partition).map(HostInfo::endpoint);
    }

    @Override
    public CompletableFuture<PartitionStatus> describe(TopicPartition partition, Deadline deadline) {
        return route(partition, deadline, server -> server.describe(partition, deadline));
    }

    /** Those whose owner does not answer are left out as well; those that are just moving are waited for. Never fails. */
    @Override
    public CompletableFuture<PartitionStatuses> describe(Collection<TopicPartition> asked, Deadline deadline) {
        Map<TopicPartition, PartitionStatus> found = new ConcurrentHashMap<>();
        return patience.ask(deadline, () -> findMissing(asked, found, deadline))
                .handle((done, failure) -> new PartitionStatuses(List.copyOf(found.values()), failure != null));
    }

    /** Fails with {@code PARTITION_MOVING} if some of those that are still missing are just moving. */
    private CompletableFuture<Void> findMissing(
            Collection<TopicPartition> asked, Map<TopicPartition, PartitionStatus> found, Deadline deadline) {
        Map<PartitionService, List<TopicPartition>> servers = new HashMap<>();
        for (TopicPartition partition : asked) {
            if (!found.containsKey(partition)) {
                try {
                    servers.computeIfAbsent(server(partition), its -> new ArrayList<>())
                            .add(partition);
                } catch (GatewayException e) {
                    // Its owner has just gone, or this host is about to: left out.
                }
            }
        }
        List<CompletableFuture<PartitionStatuses>> answers = new ArrayList<>();
        servers.forEach((server, its) -> answers.add(
                server.describe(its, deadline).exceptionally(failure -> new PartitionStatuses(List.of(), false))));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    boolean move = false;
                    for (CompletableFuture<PartitionStatuses> answer : answers) {
                        PartitionStatuses statuses = answer.join();
                        statuses.statuses().forEach(status -> found.put(status.partition(), status));
                        move |= statuses.othersMove();
                    }
                    if (move) {
                        throw new GatewayException(ErrorCode.PARTITION_MOVING, "Partitions are just moving.");
                    }
                });
    }

    @Override
    public CompletableFuture<GroupAnswer> askGroup(
            TopicPartition coordinator, GroupRequest request, Deadline deadline) {
        return route(coordinator, deadline, server -> server.askGroup(coordinator, request, deadline));
    }

    @Override
    public CompletableFuture<TransactionAnswer> askTransaction(
            TopicPartition coordinator, TransactionRequest request, Deadline deadline) {
        return route(coordinator, deadline, server -> server.askTransaction(coordinator, request, deadline));
    }

    /** A host as the forwarder knows it. */
    public static Peer peer(HostInfo owner) {
        return new Peer(owner.name(), owner.incarnation(), owner.peerAddress());
    }

    private <T> CompletableFuture<T> route(
            TopicPartition partition, Deadline deadline, Function<PartitionService, CompletableFuture<T>> request) {
        return patience.ask(deadline, () -> request.apply(server(partition)));
    }

    /** Who serves the partition; this host, which says why not, if nobody does. */
    private PartitionService server(TopicPartition partition) {
        Forwarder hosts = forwarder;
        HostInfo other = hosts == null ? null : hosting.otherOwner(partition);
        return hosts == null || other == null ? local : hosts.owner(peer(other));
    }
}
