package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.talosgateway.rest.coordination.HostExistsException;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.Journal;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
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
    private static final long RESTART_MS = 1_000;
    /** A host starts although partitions that it should serve cannot be had, after this time. */
    private static final Duration FIRST_TAKE_OVER = Duration.ofSeconds(60);

    private final HostingConfig config;
    private final Supplier<HostAddress> address;
    private final Cluster cluster;
    private final CurrentPlacement placement;
    private final JournalStorage storage;
    private final Executor completions;
    private final InstantSource wallClock;
    private final NanoClock clock;
    private final JournalMetrics journalMetrics;
    private final HostingThreads threads;
    private final Reconciler reconciler;
    private final Upkeep upkeep;

    private volatile HostingState state = HostingState.STARTING;
    private volatile @Nullable Incarnation incarnation;
    private volatile @Nullable HostInfo self;
    private volatile String progress = "";
    private volatile boolean stopped;

    /**
     * @param address asked for when an incarnation begins
     * @param completions completes appends and tells readers; must not reject
     */
    public HostedPartitions(
            HostingConfig config,
            Supplier<HostAddress> address,
            Cluster cluster,
            JournalStorage storage,
            Executor completions,
            InstantSource wallClock,
            NanoClock clock,
            JournalMetrics journalMetrics,
            HostingThreads threads) {
        this.config = config;
        this.address = address;
        this.cluster = cluster;
        this.placement = new CurrentPlacement(cluster.placement());
        this.storage = storage;
        this.completions = completions;
        this.wallClock = wallClock;
        this.clock = clock;
        this.journalMetrics = journalMetrics;
        this.threads = threads;
        this.reconciler = new Reconciler(config.hostName(), cluster, placement, threads, clock);
        this.upkeep = new Upkeep(cluster);
    }

    // --- Lookups ---

    public HostingState state() {
        return state;
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
        Incarnation current = incarnation;
        return current == null ? 0 : current.journal().id().incarnation();
    }

    /** Partitions served. */
    public int size() {
        Incarnation current = incarnation;
        return current == null ? 0 : current.size();
    }

    /** Puts with idempotency keys that are remembered. */
    public int recentPuts() {
        Incarnation current = incarnation;
        return current == null ? 0 : current.recentPuts();
    }

    /** The partition, or null if this host does not serve it. */
    public @Nullable HostedPartition find(TopicPartition partition) {
        Incarnation current = incarnation;
        return current == null || state != HostingState.SERVING ? null : current.find(partition);
    }

    /**
     * The partition.
     *
     * @throws GatewayException {@code PARTITION_NOT_SERVING} or {@code STARTING} if this host does not serve it now
     */
    public HostedPartition get(TopicPartition partition) {
        HostedPartition hosted = find(partition);
        if (hosted == null) {
            throw notServing(partition);
        }
        return hosted;
    }

    /**
     * Where a request for a partition goes.
     *
     * @throws GatewayException {@code PARTITION_NOT_SERVING} or {@code STARTING} if nobody serves it now, as far as is known
     */
    public Route route(TopicPartition partition) {
        HostedPartition hosted = find(partition);
        if (hosted != null) {
            return new Route.Here(hosted);
        }
        return owner(partition)
                .filter(owner -> !owner.name().equals(config.hostName()))
                .map(Route.There::new)
                .orElseThrow(() -> notServing(partition));
    }

    /** The host that serves the partition, or is about to; empty while nobody does. */
    public Optional<HostInfo> owner(TopicPartition partition) {
        TopicMetadata topic = cluster.topics().find(partition.topic());
        String name = topic == null ? null : placement.map().ownerOf(topic, partition.partition());
        return name == null
                ? Optional.empty()
                : Optional.ofNullable(cluster.hosts().alive().get(name));
    }

    private GatewayException notServing(TopicPartition partition) {
        if (state == HostingState.STARTING || state == HostingState.RECOVERING) {
            return new GatewayException(
                    ErrorCode.STARTING, "This host is still starting (" + progress + "); try again shortly.");
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
            transitionTo(HostingState.FAILED);
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
                .onNewSession(() -> threads.change(() -> startNewIncarnation("its ZooKeeper session has ended")));
        cluster.hosts().onChange(reconciler::wakeUp);
        cluster.topics().onChange(reconciler::wakeUp);
        cluster.placement().onChange(reconciler::wakeUp);
        return onThread(() -> {
            startIncarnation();
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

    private void startIncarnation() throws IOException, HostExistsException {
        long number = cluster.hosts().nextIncarnation(config.hostName());
        HostAddress where = address.get();
        HostInfo info = new HostInfo(config.hostName(), number, where.endpoint(), where.peerAddress(), Intent.START);
        transitionTo(HostingState.RECOVERING);
        // First: whoever has this name may go on to fence what was written under it.
        cluster.hosts().register(info);
        Journal journal = new Journal(
                new JournalId(config.hostName(), number),
                config.journal(),
                storage,
                completions,
                threads.newSealingThread(),
                wallClock,
                journalMetrics);
        journal.onFenced(() -> threads.change(() -> replace(journal)));
        journal.begin();
        recoverOwnJournals(journal);
        upkeep.deleteRecordsOfDeletedTopics();
        Incarnation next = new Incarnation(config, cluster.ownership(), journal, wallClock);
        new ReadAhead(config.hostName(), cluster, placement, clock).read(next);
        cluster.hosts().announce(info.with(Intent.SERVE));
        self = info;
        incarnation = next;
        reconciler.use(next);
        transitionTo(HostingState.SERVING);
        reconciler.wakeUp();
    }

    private void recoverOwnJournals(Journal journal) throws IOException {
        List<JournalId> earlier = Journal.journalsOf(storage, config.hostName());
        long[] reportedNanos = {clock.nanoTime()};
        for (JournalId id : earlier) {
            journal.archive().recover(id, files -> {
                progress = "reading journal " + id + " (" + earlier.size() + " in all), " + files + " files done";
                if (clock.nanoTime() - reportedNanos[0] > TimeUnit.MILLISECONDS.toNanos(PROGRESS_MS)) {
                    reportedNanos[0] = clock.nanoTime();
                    log.info("Starting: {}", progress);
                }
            });
        }
    }

    private void replace(Journal journal) {
        Incarnation current = incarnation;
        if (current != null && current.journal() == journal) {
            startNewIncarnation("another host has fenced its journal");
        }
    }

    /** What was ours may have become somebody else's. */
    private void startNewIncarnation(String reason) {
        if (state != HostingState.SERVING) {
            return;
        }
        log.warn("This host begins a new incarnation, because {}", reason);
        try {
            transitionTo(HostingState.DRAINING);
            endIncarnation();
            transitionTo(HostingState.ENDED);
            startAgain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void startAgain() {
        if (state != HostingState.ENDED || stopped) {
            return;
        }
        transitionTo(HostingState.STARTING);
        try {
            startIncarnation();
        } catch (IOException | HostExistsException | RuntimeException e) {
            log.error("Beginning a new incarnation failed, trying again in {} ms: {}", RESTART_MS, e.toString());
            transitionTo(HostingState.FAILED);
            transitionTo(HostingState.ENDED);
            threads.changeLater(this::startAgain, RESTART_MS);
        }
    }

    private void endIncarnation() throws InterruptedException {
        reconciler.use(null);
        Incarnation current = incarnation;
        if (current != null) {
            current.end();
        }
    }

    private synchronized void transitionTo(HostingState next) {
        if (!next.mayFollow(state)) {
            throw new IllegalStateException("hosting cannot go from " + state + " to " + next);
        }
        log.info("Hosting: {} -> {}", state, next);
        state = next;
    }

    /**
     * Tells the cluster that this host goes, and waits until it may: when its partitions have gone to others, or, if it
     * comes back soon or is the only one, when the others know that they are to wait for it. Requests are still served,
     * or forwarded, meanwhile. Blocks.
     */
    public void announce(Intent intent, Duration atMost) {
        HostInfo info = self;
        if (info == null || state != HostingState.SERVING) {
            return;
        }
        try {
            cluster.hosts().announce(info.with(intent));
            long deadlineNanos = clock.nanoTime() + atMost.toNanos();
            while (!mayGo() && clock.nanoTime() - deadlineNanos < 0) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            if (!mayGo()) {
                log.warn(
                        "The cluster did not react within {} s; {} partitions are left to be fenced",
                        atMost.toSeconds(),
                        size());
            }
        } catch (GatewayException e) {
            log.warn("The cluster could not be told that this host goes: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the cluster has heard that this host goes, and has nothing to wait for. */
    boolean mayGo() {
        Optional<PlacedHost> placed = cluster.placement().current().placement().find(config.hostName());
        return placed.isEmpty() ? size() == 0 : placed.get().presence() == Placement.Presence.RESTARTING;
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
        stopped = true;
        return onThread(() -> {
            if (state != HostingState.FAILED && state != HostingState.ENDED) {
                transitionTo(HostingState.DRAINING);
            }
            endIncarnation();
            if (state != HostingState.ENDED) {
                transitionTo(HostingState.ENDED);
            }
            unregister();
            return null;
        });
    }

    private void unregister() {
        if (self == null) {
            return;
        }
        try {
            cluster.hosts().unregister(config.hostName());
        } catch (GatewayException e) {
            log.info("This host could not be taken out of ZooKeeper; its session will time out");
        }
    }

    // --- Changes ---

    /** Completes when every partition of a topic that was created or enlarged has an owner. */
    public CompletableFuture<Void> host(TopicMetadata topic) {
        reconciler.wakeUp();
        CompletableFuture<Void> hosted = new CompletableFuture<>();
        awaitOwners(topic, hosted, clock.nanoTime());
        return hosted;
    }

    private void awaitOwners(TopicMetadata topic, CompletableFuture<Void> hosted, long beganNanos) {
        threads.takeTime(() -> {
            try {
                boolean late =
                        clock.nanoTime() - beganNanos > config.ownerWait().toNanos();
                if (late || haveOwners(topic)) {
                    hosted.complete(null);
                } else {
                    threads.changeLater(() -> awaitOwners(topic, hosted, beganNanos), POLL_MS);
                }
            } catch (RuntimeException e) {
                hosted.completeExceptionally(e);
            }
        });
    }

    /** Whether all have records, and those that this host owns are served already. */
    private boolean haveOwners(TopicMetadata topic) {
        List<TopicPartition> all = topic.allPartitions().toList();
        return all.stream()
                        .allMatch(partition -> find(partition) != null
                                || !config.hostName().equals(placement.map().ownerOf(topic, partition.partition())))
                && cluster.ownership()
                                .read(all.stream()
                                        .filter(partition -> find(partition) == null)
                                        .toList())
                                .size()
                        == all.stream()
                                .filter(partition -> find(partition) == null)
                                .count();
    }

    /** Stops serving the partitions of a topic that is deleted, and deletes their records. */
    public CompletableFuture<Void> release(TopicMetadata topic) {
        return onThread(() -> {
            Incarnation current = serving();
            current.abandon(current.all().stream()
                    .filter(hosted -> hosted.partition().topic().equals(topic.id()))
                    .toList());
            cluster.ownership().delete(topic.id());
            return null;
        });
    }

    /** Deletes the messages of a partition below an offset. */
    public CompletableFuture<Void> trim(HostedPartition hosted, long offset) {
        return onThread(() -> {
            serving().trim(hosted, offset);
            return null;
        });
    }

    private Incarnation serving() {
        Incarnation current = incarnation;
        if (current == null || state != HostingState.SERVING) {
            throw new GatewayException(
                    ErrorCode.PARTITION_NOT_SERVING,
                    "This host does not serve partitions right now; try again shortly.");
        }
        return current;
    }

    private CompletableFuture<Void> onThread(Callable<Void> change) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        threads.change(() -> {
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
        Incarnation current = incarnation;
        if (current != null) {
            current.journal().checkSpace();
        }
    }

    private void doUpkeep() throws IOException {
        Incarnation current = incarnation;
        if (current != null && state == HostingState.SERVING) {
            checkFence();
            reconciler.wakeUp();
            upkeep.expire(current.journal());
        }
    }

    /** A host that writes nothing does not notice otherwise that it was thought to be dead. */
    void checkFence() throws IOException {
        Incarnation current = incarnation;
        if (current != null
                && state == HostingState.SERVING
                && current.journal().isFenced()) {
            threads.change(() -> replace(current.journal()));
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
