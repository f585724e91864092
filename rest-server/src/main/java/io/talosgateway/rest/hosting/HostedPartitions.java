package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.coordination.HostExistsException;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.Hosts.HostInfo;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.Journal;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that this host serves. With one host these are all there are.
 *
 * <p>Lookups are for any thread and do not block. Changes are made one after another by one thread of this class, which
 * also looks after the journal: room, retention, partitions that could not be taken over at once.
 */
public final class HostedPartitions {

    private static final Logger log = LoggerFactory.getLogger(HostedPartitions.class);
    private static final long SPACE_CHECK_SECONDS = 5;
    private static final long UPKEEP_SECONDS = 30;
    private static final long PROGRESS_SECONDS = 2;

    private final HostingConfig config;
    private final String endpoint;
    private final TopicRegistry topics;
    private final OwnershipRecords ownership;
    private final Hosts hosts;
    private final JournalStorage storage;
    private final Executor completions;
    private final InstantSource wallClock;
    private final JournalMetrics journalMetrics;
    private final ScheduledExecutorService thread;

    private volatile HostingState state = HostingState.STARTING;
    private volatile @Nullable Incarnation incarnation;
    private volatile String progress = "";

    /**
     * @param endpoint {@code host:port} at which clients reach this host
     * @param completions completes appends and tells readers; must not reject
     */
    public HostedPartitions(
            HostingConfig config,
            String endpoint,
            TopicRegistry topics,
            OwnershipRecords ownership,
            Hosts hosts,
            JournalStorage storage,
            Executor completions,
            InstantSource wallClock,
            JournalMetrics journalMetrics) {
        this.config = config;
        this.endpoint = endpoint;
        this.topics = topics;
        this.ownership = ownership;
        this.hosts = hosts;
        this.storage = storage;
        this.completions = completions;
        this.wallClock = wallClock;
        this.journalMetrics = journalMetrics;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread hosting = new Thread(task, "hosting");
            hosting.setDaemon(true);
            return hosting;
        });
    }

    public HostingState state() {
        return state;
    }

    /** Name of this host. */
    public String hostName() {
        return config.hostName();
    }

    /** {@code host:port} at which clients reach this host. */
    public String endpoint() {
        return endpoint;
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
        if (hosted != null) {
            return hosted;
        }
        if (state == HostingState.STARTING || state == HostingState.RECOVERING) {
            throw new GatewayException(
                    ErrorCode.STARTING, "This host is still starting (" + progress + "); try again shortly.");
        }
        throw new GatewayException(
                ErrorCode.PARTITION_NOT_SERVING,
                "No host serves partition " + partition.partition() + " of the topic right now; try again shortly.");
    }

    /**
     * Takes over everything and begins to serve. Blocks until that is done.
     *
     * @throws IOException with a sentence for the operator if it cannot be done
     */
    public void start() throws IOException {
        hosts.onNewSession(() -> thread.execute(this::startNewIncarnation));
        try {
            thread.submit(() -> {
                        startIncarnation();
                        return null;
                    })
                    .get();
        } catch (ExecutionException e) {
            transitionTo(HostingState.FAILED);
            Throwable cause = e.getCause();
            throw cause instanceof IOException io ? io : new IOException(sentence(cause), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while starting", e);
        }
        thread.scheduleWithFixedDelay(
                quietly("checking the storage's space", this::checkSpace), 0, SPACE_CHECK_SECONDS, TimeUnit.SECONDS);
        thread.scheduleWithFixedDelay(
                quietly("upkeep", this::upkeep), UPKEEP_SECONDS, UPKEEP_SECONDS, TimeUnit.SECONDS);
    }

    private static String sentence(@Nullable Throwable failure) {
        return failure instanceof HostExistsException || failure instanceof GatewayException
                ? String.valueOf(failure.getMessage())
                : "Starting failed: " + failure;
    }

    private void startIncarnation() throws IOException, StaleOwnershipException, HostExistsException {
        long number = hosts.nextIncarnation(config.hostName());
        hosts.register(new HostInfo(config.hostName(), number, endpoint));
        Journal journal = new Journal(
                new JournalId(config.hostName(), number),
                config.journal(),
                storage,
                completions,
                wallClock,
                journalMetrics);
        journal.begin();
        Incarnation next = new Incarnation(config, ownership, journal, wallClock);
        incarnation = next;
        transitionTo(HostingState.RECOVERING);
        ScheduledExecutorService reporter = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> reports = reporter.scheduleWithFixedDelay(
                () -> log.info("Starting: {}", progress), PROGRESS_SECONDS, PROGRESS_SECONDS, TimeUnit.SECONDS);
        try {
            recoverOwnJournals(journal);
            deleteRecordsOfDeletedTopics();
            takeOverAll(next);
        } finally {
            reports.cancel(false);
            reporter.shutdownNow();
        }
        transitionTo(HostingState.SERVING);
        log.info(
                "Host {} serves {} partitions of {} topics as incarnation {}",
                config.hostName(),
                next.size(),
                topics.all().size(),
                number);
    }

    private void recoverOwnJournals(Journal journal) throws IOException {
        List<JournalId> earlier = Journal.journalsOf(storage, config.hostName());
        for (JournalId id : earlier) {
            journal.archive()
                    .recover(
                            id,
                            files -> progress = "reading journal " + id + " (" + earlier.size() + " in all), " + files
                                    + " files done");
        }
    }

    /** A crash may have come between the deletion of a topic and that of its records. */
    private void deleteRecordsOfDeletedTopics() {
        for (TopicId id : ownership.topics()) {
            if (topics.find(id) == null) {
                ownership.delete(id);
            }
        }
    }

    private void takeOverAll(Incarnation next) throws IOException, StaleOwnershipException {
        int done = 0;
        for (TopicMetadata topic : topics.all()) {
            progress = "taking over topic " + ++done + " of " + topics.all().size();
            next.takeOver(topic);
        }
    }

    /** The session has ended and a new one begun: everything that was ours may have become somebody else's. */
    private void startNewIncarnation() {
        if (state != HostingState.SERVING) {
            return;
        }
        log.warn("The ZooKeeper session was lost: beginning a new incarnation");
        try {
            transitionTo(HostingState.DRAINING);
            endIncarnation();
            transitionTo(HostingState.ENDED);
            transitionTo(HostingState.STARTING);
            startIncarnation();
        } catch (IOException | StaleOwnershipException | HostExistsException | RuntimeException e) {
            log.error("Beginning a new incarnation failed; this host serves nothing until it is restarted", e);
            transitionTo(HostingState.FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endIncarnation() throws InterruptedException {
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

    /** Serves the partitions of a topic that was created or enlarged; completes when they are served. */
    public CompletableFuture<Void> host(TopicMetadata topic) {
        return onThread(() -> {
            serving().takeOver(topic);
            return null;
        });
    }

    /** Stops serving the partitions of a topic that is deleted, and deletes their records. */
    public CompletableFuture<Void> release(TopicMetadata topic) {
        return onThread(() -> {
            serving().release(topic.id());
            ownership.delete(topic.id());
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
        thread.execute(() -> {
            try {
                done.complete(change.call());
            } catch (StaleOwnershipException e) {
                done.completeExceptionally(new GatewayException(ErrorCode.PARTITION_NOT_SERVING, e.getMessage() + "."));
            } catch (IOException e) {
                done.completeExceptionally(
                        new GatewayException(ErrorCode.STORAGE_UNAVAILABLE, e.getMessage() + ".", e));
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

    private void upkeep() throws IOException, StaleOwnershipException {
        Incarnation current = incarnation;
        if (current == null || state != HostingState.SERVING) {
            return;
        }
        for (TopicMetadata topic : topics.all()) {
            if (!current.serves(topic)) {
                current.takeOver(topic);
            }
        }
        current.journal().expire(id -> {
            TopicMetadata topic = topics.find(id);
            return topic == null ? null : topic.retention();
        });
    }

    private static Runnable quietly(String what, ThrowingRunnable action) {
        return () -> {
            try {
                action.run();
            } catch (Exception e) {
                log.warn("{} failed, trying again later: {}", what, e.toString());
            }
        };
    }

    private interface ThrowingRunnable {
        void run() throws Exception;
    }

    /** Takes no more puts, commits those that were taken, seals the journal, leaves the cluster. */
    public void stop() {
        try {
            thread.submit(() -> {
                        if (state != HostingState.FAILED && state != HostingState.ENDED) {
                            transitionTo(HostingState.DRAINING);
                        }
                        endIncarnation();
                        if (state != HostingState.ENDED) {
                            transitionTo(HostingState.ENDED);
                        }
                        unregister();
                        return null;
                    })
                    .get();
        } catch (ExecutionException e) {
            log.warn("Stopping to serve partitions was not clean", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.shutdownNow();
    }

    private void unregister() {
        try {
            hosts.unregister(config.hostName());
        } catch (GatewayException e) {
            log.info("This host could not be taken out of ZooKeeper; its session will time out");
        }
    }
}
