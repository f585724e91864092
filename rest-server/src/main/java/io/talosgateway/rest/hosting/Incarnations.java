package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.talosgateway.rest.coordination.HostExistsException;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.ReadLease;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.log.Journal;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins and ends the incarnations of this host, one after another. What it tells is for any thread; it is changed by the
 * thread for changes.
 */
final class Incarnations {

    private static final Logger log = LoggerFactory.getLogger(Incarnations.class);
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long RESTART_MS = 1_000;

    private final HostingConfig config;
    private final Supplier<HostAddress> address;
    private final ClusterPorts cluster;
    private final HostingParts parts;
    private final Reconciler reconciler;
    private final ReadAhead readAhead;
    private final Predicate<TopicPartition> placedHere;
    private final Upkeep upkeep;
    private final RetentionClock retentionClock;
    private final ChangeMarks marks;

    private volatile HostingState state = HostingState.STARTING;
    private volatile @Nullable Incarnation current;
    private volatile @Nullable HostInfo announced;
    private volatile String progress = "joining the cluster";
    private volatile Intent intent = Intent.SERVE;
    private volatile boolean stopped;
    private volatile long registered;
    private volatile @Nullable String whyRefusing;

    Incarnations(
            HostingConfig config,
            Supplier<HostAddress> address,
            ClusterPorts cluster,
            HostingParts parts,
            Reconciler reconciler,
            ReadAhead readAhead,
            Predicate<TopicPartition> placedHere,
            Upkeep upkeep,
            RetentionClock retentionClock,
            ChangeMarks marks) {
        this.config = config;
        this.address = address;
        this.cluster = cluster;
        this.parts = parts;
        this.reconciler = reconciler;
        this.readAhead = readAhead;
        this.placedHere = placedHere;
        this.upkeep = upkeep;
        this.retentionClock = retentionClock;
        this.marks = marks;
    }

    HostingState state() {
        return state;
    }

    /** The last one that has begun; null before the first. */
    @Nullable
    Incarnation current() {
        return current;
    }

    /** The one that serves now. */
    Incarnation serving() {
        Incarnation serving = current;
        if (serving == null || state != HostingState.SERVING) {
            throw new GatewayException(
                    ErrorCode.PARTITION_NOT_SERVING,
                    "This host does not serve partitions right now; try again shortly.");
        }
        return serving;
    }

    /** Why no incarnation begins until an operator does something; null if nothing is wrong. */
    @Nullable
    String whyRefusing() {
        return whyRefusing;
    }

    /** What other hosts were told of this one; null before they were told anything. */
    @Nullable
    HostInfo announced() {
        return announced;
    }

    /** The number of the last one that the cluster was told of, 0 before the first; it may not have begun yet. */
    long registered() {
        return registered;
    }

    /** What this host is about to do from now on, in later incarnations too. Any thread. */
    void intend(Intent next) {
        intent = next;
    }

    /** What is being done while it starts, for whoever waits. */
    String progress() {
        return progress;
    }

    /** Begins an incarnation. Blocks. */
    void begin() throws IOException, HostExistsException {
        // Before anything is read, written or deleted because of what ZooKeeper says.
        marks.confirm();
        whyRefusing = null;
        long newest = Journal.lastIncarnation(parts.storage(), config.hostName());
        long number = cluster.hosts().nextIncarnation(config.hostName(), newest);
        HostAddress where = address.get();
        HostInfo info = new HostInfo(config.hostName(), number, where.endpoint(), where.peerAddress(), Intent.START);
        transitionTo(HostingState.RECOVERING);
        // First: whoever has this name may go on to fence what was written under it.
        ReadLease lease = cluster.hosts().register(info);
        registered = number;
        Journal journal = new Journal(
                new JournalId(config.hostName(), number),
                config.journal(),
                parts.storage(),
                parts.completions(),
                parts.threads().newJournalThreads(),
                parts.wallClock(),
                parts.clock(),
                parts.journalMetrics());
        journal.onFenced(() -> parts.threads().change(() -> replace(journal)));
        journal.begin();
        recoverOwnJournals(journal);
        upkeep.deleteRecordsOfDeletedTopics();
        Incarnation next =
                new Incarnation(config, cluster.ownership(), journal, retentionClock, parts.clock(), lease, placedHere);
        readAhead.read(next);
        cluster.hosts().announce(info.with(intent));
        announced = info;
        current = next;
        reconciler.use(next);
        parts.metrics().incarnationBegun();
        transitionTo(HostingState.SERVING);
        reconciler.wakeUp();
    }

    private void recoverOwnJournals(Journal journal) throws IOException {
        List<JournalId> earlier = Journal.journalsOf(parts.storage(), config.hostName());
        AtomicLong reportedNanos = new AtomicLong(parts.clock().nanoTime());
        StorageWait wait = new StorageWait(parts.clock(), () -> stopped);
        for (JournalId id : earlier) {
            IntConsumer filesDone = files -> {
                progress = "reading journal " + id + " (" + earlier.size() + " in all), " + files + " files done";
                long nowNanos = parts.clock().nanoTime();
                long lastNanos = reportedNanos.get();
                if (nowNanos - lastNanos > PROGRESS_NANOS && reportedNanos.compareAndSet(lastNanos, nowNanos)) {
                    log.info("Starting: {}", progress);
                }
            };
            wait.read("journal " + id, () -> {
                TakeOver.recover(cluster.claims(), journal.archive(), id, filesDone);
                return id;
            });
        }
    }

    /** What was written to this journal may have become another host's to write: begins anew, if it is the current one. */
    void replace(Journal journal) {
        Incarnation replaced = current;
        if (replaced != null && replaced.journal() == journal) {
            beginAnew("another host has fenced its journal");
        }
    }

    /** What was ours may have become somebody else's. */
    void beginAnew(String reason) {
        if (state != HostingState.SERVING) {
            return;
        }
        log.warn("This host begins a new incarnation, because {}", reason);
        try {
            transitionTo(HostingState.DRAINING);
            endCurrent();
            transitionTo(HostingState.ENDED);
            tryAgain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tryAgain() {
        if (state != HostingState.ENDED || stopped) {
            return;
        }
        transitionTo(HostingState.STARTING);
        try {
            begin();
        } catch (IOException | HostExistsException | RuntimeException e) {
            tellFailure(e);
            transitionTo(HostingState.FAILED);
            transitionTo(HostingState.ENDED);
            parts.threads().changeLater(this::tryAgain, RESTART_MS);
        }
    }

    /** Once, what stays as it is until an operator does something. */
    private void tellFailure(Exception failure) {
        String refusal = failure instanceof GatewayException e && e.code() == ErrorCode.COORDINATION_RESTORED
                ? String.valueOf(e.getMessage())
                : null;
        if (refusal == null) {
            log.error("Beginning a new incarnation failed, trying again in {} ms: {}", RESTART_MS, failure.toString());
        } else if (!refusal.equals(whyRefusing)) {
            whyRefusing = refusal;
            log.error("{} ({})", refusal, ErrorCode.COORDINATION_RESTORED.text());
        }
    }

    /** The host cannot start. */
    void giveUp() {
        transitionTo(HostingState.FAILED);
    }

    /** No incarnation follows, from now on. Any thread. */
    void stopBeginning() {
        stopped = true;
    }

    /** Ends the current incarnation: takes no more puts, commits those that were taken, leaves the cluster. Blocks. */
    void end() throws InterruptedException {
        if (state != HostingState.FAILED && state != HostingState.ENDED) {
            transitionTo(HostingState.DRAINING);
        }
        endCurrent();
        if (state != HostingState.ENDED) {
            transitionTo(HostingState.ENDED);
        }
        unregister();
    }

    private void endCurrent() throws InterruptedException {
        reconciler.use(null);
        Incarnation ending = current;
        if (ending != null) {
            ending.end();
        }
    }

    private void unregister() {
        if (announced == null) {
            return;
        }
        try {
            cluster.hosts().unregister(config.hostName());
        } catch (GatewayException e) {
            log.info("This host could not be taken out of ZooKeeper; its session will time out");
        }
    }

    private synchronized void transitionTo(HostingState next) {
        if (!next.mayFollow(state)) {
            throw new IllegalStateException("hosting cannot go from " + state + " to " + next);
        }
        log.info("Hosting: {} -> {}", state, next);
        state = next;
    }
}
