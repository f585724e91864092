package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.talosgateway.rest.coordination.HostExistsException;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.placement.CurrentPlacement;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that this host serves, and who serves the others.
 *
 * <p>Lookups are for any thread and do not block. Changes are made one after another, by {@link HostingThreads}.
 */
public final class HostedPartitions {

    /** Partitions that are taken over together; several batches are on their way at the same time. */
    public static final int TAKE_OVER_BATCH = 500;

    private static final Logger log = LoggerFactory.getLogger(HostedPartitions.class);
    private static final long SPACE_CHECK_MS = 5_000;
    private static final long UPKEEP_MS = 30_000;
    private static final long PROGRESS_MS = 2_000;
    private static final long POLL_MS = 20;
    private static final long FENCING_RETRY_MS = 1_000;
    /** A host starts although partitions that it should serve cannot be had, after this time. */
    private static final Duration FIRST_TAKE_OVER = Duration.ofSeconds(60);

    private final HostingConfig config;
    private final Supplier<HostAddress> address;
    private final ClusterPorts cluster;
    private final CurrentPlacement placement;
    private final NanoClock clock;
    private final HostingThreads threads;
    private final Reconciler reconciler;
    private final Upkeep upkeep;
    private final Incarnations incarnations;
    private final OwnerWait ownerWait;
    private final Departure departure;
    private final ChangeMarks marks;

    /** @param address asked for when an incarnation begins */
    public HostedPartitions(
            HostingConfig config, Supplier<HostAddress> address, ClusterPorts agreed, HostingParts parts) {
        this.config = config;
        this.address = address;
        this.marks = new ChangeMarks(parts.storage(), agreed.ownership(), config.hostName());
        this.cluster = new ClusterPorts(
                agreed.hosts(),
                agreed.topics(),
                new MarkedOwnership(agreed.ownership(), marks),
                agreed.placement(),
                agreed.claims());
        this.placement = new CurrentPlacement(agreed.placement());
        this.clock = parts.clock();
        this.threads = parts.threads();
        this.reconciler = new Reconciler(config.hostName(), cluster, placement, threads, clock, parts.metrics());
        RetentionClock retentionClock = new RetentionClock(parts.wallClock(), clock);
        this.upkeep = new Upkeep(cluster, retentionClock, marks);
        this.incarnations = new Incarnations(
                config,
                address,
                cluster,
                parts,
                reconciler,
                new ReadAhead(config.hostName(), cluster, placement, clock),
                this::isPlacedHere,
                upkeep,
                retentionClock,
                marks);
        marks.onRestored(
                () -> threads.change(() -> incarnations.beginAnew("ZooKeeper was set back to an earlier state")));
        this.ownerWait = new OwnerWait(this, config, cluster, placement, threads, clock);
        this.departure = new Departure(this, cluster, clock);
    }

    // --- Lookups ---

    public HostingState state() {
        return incarnations.state();
    }

    /** Name of this host. */
    public String hostName() {
        return config.hostName();
    }

    /** {@code host:port} at which clients reach this host. */
    public String endpoint() {
        return address.get().endpoint();
    }

    /** The number of this host's incarnation, 0 before the first. */
    public long incarnationNumber() {
        Incarnation current = incarnations.current();
        return current == null ? 0 : current.journal().id().incarnation();
    }

    /** The number under which other hosts find this one, 0 before the first; higher than that of its incarnation while it begins anew. */
    public long registeredIncarnation() {
        return incarnations.registered();
    }

    /** Partitions served. */
    public int size() {
        Incarnation current = incarnations.current();
        return current == null ? 0 : current.size();
    }

    /** How many partitions each host is to serve, by its name, as far as is known here. Looks at all partitions. */
    public Map<String, Integer> partitionsByHost() {
        return placement.map().loads(cluster.topics().all());
    }

    /** Partitions that this host should serve, and cannot, because messages are missing that were stored. */
    public int refused() {
        return reconciler.refused();
    }

    /** Bytes of messages that the storage keeps for the partitions served, as {@link HostedPartition#log} tells. */
    public long storedBytes() {
        Incarnation current = incarnations.current();
        return current == null
                ? 0
                : current.all().values().stream()
                        .mapToLong(hosted -> hosted.log().storedBytes())
                        .sum();
    }

    /** Puts with idempotency keys that are remembered. */
    public int recentPuts() {
        Incarnation current = incarnations.current();
        return current == null ? 0 : current.recentPuts();
    }

    /**
     * Makes sure that ZooKeeper was not set back to an earlier state. Blocks.
     *
     * @throws GatewayException {@code COORDINATION_RESTORED} if it was
     */
    public void requireNewestState() {
        marks.confirm();
    }

    /** Why this host serves nothing until an operator does something; null if nothing is wrong. */
    public @Nullable String whyRefusing() {
        return incarnations.whyRefusing();
    }

    /** Why this host cannot tell where its partitions end, as a clause; null if it can, or serves none. */
    public @Nullable String whyWithoutLease() {
        Incarnation current = incarnations.current();
        return current == null
                        || state() != HostingState.SERVING
                        || current.lease().isHeld()
                ? null
                : current.lease().whyNotHeld();
    }

    /** The partition, or null if this host does not serve it. */
    public @Nullable HostedPartition find(TopicPartition partition) {
        Incarnation current = incarnations.current();
        return current == null || state() != HostingState.SERVING ? null : current.find(partition);
    }

    /**
     * The partition.
     *
     * @throws GatewayException {@code PARTITION_NOT_SERVING}, {@code PARTITION_MOVING} or {@code STARTING} if this host does not
     *     serve it now
     */
    public HostedPartition get(TopicPartition partition) {
        HostedPartition hosted = find(partition);
        if (hosted == null) {
            throw notServing(partition);
        }
        return hosted;
    }

    /** The other host that serves a partition, as far as is known; null if this one does, or nobody. */
    public @Nullable HostInfo otherOwner(TopicPartition partition) {
        if (find(partition) != null) {
            return null;
        }
        return owner(partition)
                .filter(owner -> !owner.name().equals(config.hostName()))
                .orElse(null);
    }

    /** The host that serves the partition, or is about to; empty while nobody does. */
    public Optional<HostInfo> owner(TopicPartition partition) {
        TopicMetadata topic = cluster.topics().find(partition.topic());
        // A topic that has grown may not be known here as it is now.
        if (topic == null || !topic.hasPartition(partition.partition())) {
            return Optional.empty();
        }
        String name = placement.map().ownerOf(topic, partition.partition());
        return name == null
                ? Optional.empty()
                : Optional.ofNullable(cluster.hosts().alive().get(name));
    }

    private boolean isPlacedHere(TopicPartition partition) {
        TopicMetadata topic = cluster.topics().find(partition.topic());
        return topic != null
                && topic.hasPartition(partition.partition())
                && config.hostName().equals(placement.map().ownerOf(topic, partition.partition()));
    }

    private GatewayException notServing(TopicPartition partition) {
        String whyRefusing = incarnations.whyRefusing();
        if (whyRefusing != null) {
            return new GatewayException(ErrorCode.COORDINATION_RESTORED, whyRefusing);
        }
        if (state() == HostingState.STARTING || state() == HostingState.RECOVERING) {
            return new GatewayException(
                    ErrorCode.STARTING,
                    "This host is still starting (" + incarnations.progress() + "); try again shortly.");
        }
        String refusal = reconciler.refusal(partition);
        if (refusal != null) {
            return new GatewayException(ErrorCode.STORAGE_CORRUPT, refusal);
        }
        boolean coming = owner(partition)
                .filter(owner -> owner.name().equals(config.hostName()))
                .isPresent();
        if (coming && state() == HostingState.SERVING) {
            return new GatewayException(
                    ErrorCode.PARTITION_MOVING,
                    "Partition " + partition.partition()
                            + " of the topic is just moving to this host; try again shortly.");
        }
        return new GatewayException(
                ErrorCode.PARTITION_NOT_SERVING,
                "No host serves partition " + partition.partition() + " of the topic right now; try again shortly.");
    }

    // --- Life ---

    /**
     * Begins to serve. Blocks until everything that this host should serve is served, or is late.
     *
     * @throws IOException with a sentence for the operator if it cannot be done
     */
    public void start() throws IOException {
        try {
            begin().get();
        } catch (ExecutionException e) {
            incarnations.giveUp();
            Throwable cause = e.getCause();
            throw cause instanceof IOException io ? io : new IOException(sentence(cause), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while starting", e);
        }
        awaitSettled();
        repeat("checking the storage's space", SPACE_CHECK_MS, this::checkSpace);
        repeat("upkeep", UPKEEP_MS, this::doUpkeep);
        log.info(
                "Host {} serves {} partitions of {} topics as incarnation {}",
                config.hostName(),
                size(),
                cluster.topics().all().size(),
                incarnationNumber());
    }

    /** Completes when requests can be routed; partitions are taken over from then on. */
    CompletableFuture<Void> begin() {
        cluster.hosts()
                .onNewSession(() -> threads.change(() -> incarnations.beginAnew("its ZooKeeper session has ended")));
        cluster.hosts().onChange(reconciler::wakeUp);
        cluster.topics().onChange(reconciler::wakeUp);
        cluster.placement().onChange(reconciler::wakeUp);
        return onThread(() -> {
            incarnations.begin();
            return null;
        });
    }

    private static String sentence(@Nullable Throwable failure) {
        return failure instanceof HostExistsException || failure instanceof GatewayException
                ? String.valueOf(failure.getMessage())
                : "Starting failed: " + failure;
    }

    private void awaitSettled() throws IOException {
        long beganNanos = clock.nanoTime();
        long reportedNanos = beganNanos;
        try {
            while (!reconciler.isSettled()) {
                long nowNanos = clock.nanoTime();
                if (nowNanos - beganNanos > FIRST_TAKE_OVER.toNanos()) {
                    log.warn("Not everything that this host should serve could be taken over yet; going on");
                    return;
                }
                if (nowNanos - reportedNanos > TimeUnit.MILLISECONDS.toNanos(PROGRESS_MS)) {
                    reportedNanos = nowNanos;
                    log.info("Starting: waiting for partitions ({})", reconciler.progress());
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while starting", e);
        }
    }

    /**
     * Tells the cluster that this host goes, and waits until it may: when its partitions have gone to others, or, if it
     * comes back soon or is the only one, when the others know that they are to wait for it. Requests are still served,
     * or forwarded, meanwhile. Blocks.
     */
    public void announce(Intent intent, Duration atMost) {
        HostInfo host = incarnations.announced();
        if (host != null && state() == HostingState.SERVING) {
            incarnations.intend(intent);
            departure.announce(host, intent, atMost);
        }
    }

    /** Whether nothing waits for this host any more, after it has been announced that it goes. */
    boolean mayGo() {
        return departure.mayGo();
    }

    /** Takes no more puts, commits those that were taken, seals the journal, leaves the cluster. */
    public void stop() {
        try {
            end().get(1, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException e) {
            log.warn("Stopping to serve partitions was not clean", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.close();
    }

    CompletableFuture<Void> end() {
        incarnations.stopBeginning();
        return onThread(() -> {
            incarnations.end();
            return null;
        });
    }

    // --- Changes ---

    /** Completes when every partition of a topic that was created or enlarged has an owner. */
    public CompletableFuture<Void> host(TopicMetadata topic) {
        reconciler.wakeUp();
        return ownerWait.begin(topic);
    }

    /** Stops serving the partitions of a topic that is deleted, and deletes their records. */
    public CompletableFuture<Void> release(TopicMetadata topic) {
        return onThread(() -> {
                    Incarnation current = incarnations.serving();
                    current.abandon(topic.allPartitions()
                            .map(current::find)
                            .filter(Objects::nonNull)
                            .toList());
                    return null;
                })
                .thenCompose(abandoned -> done(threads::takeTime, () -> {
                    cluster.ownership().delete(topic.id());
                    return null;
                }));
    }

    /** Deletes the messages of a partition below an offset. */
    public CompletableFuture<Void> trim(HostedPartition hosted, long offset) {
        return onThread(() -> {
            incarnations.serving().trim(hosted, offset);
            return null;
        });
    }

    /**
     * Changes the fencing token of a partition; also after a failure, as long as this host serves the partition: nobody knows what
     * the record says then.
     */
    public CompletableFuture<Void> changeFencingToken(HostedPartition hosted, FencingTokenChange change) {
        CompletableFuture<Void> settled = hosted.fencingToken().beginChange(change.token(), change.replaces());
        return settled == null
                ? CompletableFuture.completedFuture(null)
                : settled.thenCompose(done -> recordFencingToken(hosted, change.token()));
    }

    private CompletableFuture<Void> recordFencingToken(HostedPartition hosted, String token) {
        return onThread(() -> {
                    incarnations.serving().recordFencingToken(hosted, token);
                    return null;
                })
                .whenComplete((done, failure) -> {
                    if (failure != null && !hosted.isEndClosed()) {
                        threads.changeLater(() -> recordFencingToken(hosted, token), FENCING_RETRY_MS);
                    }
                });
    }

    private CompletableFuture<Void> onThread(Callable<Void> change) {
        return done(threads::change, change);
    }

    private static CompletableFuture<Void> done(Consumer<Runnable> thread, Callable<Void> change) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        thread.accept(() -> {
            try {
                done.complete(change.call());
            } catch (StaleOwnershipException e) {
                done.completeExceptionally(new GatewayException(ErrorCode.PARTITION_NOT_SERVING, e.getMessage() + "."));
            } catch (IOException e) {
                done.completeExceptionally(e);
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private void checkSpace() throws IOException {
        Incarnation current = incarnations.current();
        if (current != null) {
            current.journal().checkSpace();
        }
    }

    void doUpkeep() throws IOException {
        Incarnation current = incarnations.current();
        if (current != null && state() == HostingState.SERVING) {
            checkFence();
            reconciler.wakeUp();
            upkeep.expire(current);
        }
    }

    /** A host that writes nothing does not notice otherwise that it was thought to be dead. */
    void checkFence() throws IOException {
        Incarnation current = incarnations.current();
        if (current != null
                && state() == HostingState.SERVING
                && current.journal().isFenced()) {
            threads.change(() -> incarnations.replace(current.journal()));
        }
    }

    private void repeat(String what, long everyMs, ThrowingRunnable action) {
        threads.takeTime(() -> {
            try {
                action.run();
            } catch (IOException | RuntimeException e) {
                log.warn("{} failed, trying again later: {}", what, e.toString());
            }
            threads.changeLater(() -> repeat(what, everyMs, action), everyMs);
        });
    }

    private interface ThrowingRunnable {
        void run() throws IOException;
    }
}
