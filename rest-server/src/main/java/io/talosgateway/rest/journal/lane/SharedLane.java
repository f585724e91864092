package io.talosgateway.rest.journal.lane;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.LaneCommitter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane of many partitions: a bounded queue and a committer that writes whatever has queued up as one group. No timer is needed:
 * while one group is synced, the next gathers.
 */
public final class SharedLane extends Lane implements LaneCommitter {

    private static final Logger log = LoggerFactory.getLogger(SharedLane.class);

    private static final long LONGEST_IDLE_MS = 60_000;
    private static final long LONGEST_WITHOUT_COMMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final JournalConfig config;
    private final LaneDelay delay;
    private final AppendQueue queue;
    private final JournalThreads threads;
    private final Queue<Release> releases = new ConcurrentLinkedQueue<>();
    private volatile int partitions;
    /** When the group under way began, and when one was last written at once; of the committer. */
    private long startedAtNanos;

    private long committedAtNanos;
    private @Nullable Recovery recovery;

    public SharedLane(String name, LaneParts parts, JournalThreads threads) {
        super(name, parts);
        this.config = parts.config();
        this.committedAtNanos = clock().nanoTime();
        this.delay = new LaneDelay(config.maxGroupPuts(), config.maxGroupSize().toBytes());
        this.queue =
                new AppendQueue(config.maxQueuedPuts(), config.maxQueuedSize().toBytes(), delay);
        this.threads = threads;
        parts.metrics().watchLane(name, queue::size, queue::bytes, () -> isBroken() ? 1 : 0);
    }

    /** Partitions to release once everything before the mark is decided. */
    private record Release(List<LanePartition> partitions, long mark, CompletableFuture<Void> done) {}

    public void start() {
        threads.commit(this);
    }

    /** Partitions pinned to this lane. */
    public int partitions() {
        return partitions;
    }

    public synchronized void pin() {
        partitions = partitions + 1;
    }

    @Override
    synchronized void unpin() {
        partitions = partitions - 1;
    }

    @Override
    void take(Append append) {
        switch (queue.offer(append, clock().nanoTime())) {
            case TAKEN -> {}
            case FULL ->
                throw new GatewayException(
                        ErrorCode.OVERLOADED, "Too many messages wait for the storage; try again later, and slower.");
            case TOO_LATE ->
                throw new GatewayException(
                        ErrorCode.DEADLINE_EXCEEDED,
                        "The time for the request would run out before its messages were stored: too many wait. Nothing was "
                                + "stored. Try again later, or allow more time.");
            case CLOSED ->
                throw new GatewayException(
                        ErrorCode.PARTITION_NOT_SERVING, "This host is shutting down; try again shortly.");
        }
    }

    @Override
    public boolean step(long maxWaitNanos) throws InterruptedException {
        Recovery underWay = recovery;
        if (underWay != null) {
            if (underWay.step(maxWaitNanos)) {
                recovery = null;
                if (!isBroken()) {
                    endReleases();
                }
            }
            return true;
        }
        if (queue.isClosedAndEmpty()) {
            writer().close();
            endAll();
            return false;
        }
        long untilFileIsOldMs = Math.min(LONGEST_IDLE_MS, config.fileAge().toMillis());
        List<Append> group = queue.take(
                config.maxGroupPuts(),
                config.maxGroupSize().toBytes(),
                Math.min(maxWaitNanos, TimeUnit.MILLISECONDS.toNanos(untilFileIsOldMs)));
        group.removeIf(append -> !append.startWriting());
        refuseReleased(group);
        refuseLate(group);
        if (!group.isEmpty()) {
            startedAtNanos = clock().nanoTime();
            commit(group);
        }
        // One that was fenced has broken for good, and ends with its next step.
        if (!isBroken()) {
            endReleases();
            writer().rollIfOld();
        }
        return true;
    }

    @Override
    public void ended(Throwable reason) {
        if (reason instanceof InterruptedException) {
            log.debug("Lane {} ends without sealing its file", name());
        } else {
            died(reason);
        }
        endAll();
    }

    private void endAll() {
        end();
        failReleases();
    }

    @Override
    public CompletableFuture<Void> release(List<LanePartition> released) {
        Release release = new Release(released, queue.mark(), new CompletableFuture<>());
        releases.add(release);
        queue.wakeUp();
        if (hasEnded()) {
            failReleases();
        }
        return release.done;
    }

    private void endReleases() {
        for (Release next = releases.peek(); next != null && queue.isPast(next.mark); next = releases.peek()) {
            releases.remove();
            writer().roll();
            next.partitions.forEach(this::endAppends);
            next.done.complete(null);
        }
    }

    private void failReleases() {
        for (Release next = releases.poll(); next != null; next = releases.poll()) {
            next.done.completeExceptionally(new IOException("lane " + name() + " has ended"));
        }
    }

    /** Those that came to the lane although their partition was being released. */
    private void refuseReleased(List<Append> group) {
        List<Append> tooLate = new ArrayList<>();
        group.removeIf(append -> append.partition().isReleased() && tooLate.add(append));
        if (!tooLate.isEmpty()) {
            fail(tooLate, notServing());
        }
    }

    /**
     * Takes out the puts that would be durable only when their time is over: writing them keeps others from being in time. If
     * that has been so with all for a while, one stays, to find out whether the storage is faster now.
     */
    private void refuseLate(List<Append> group) {
        long nowNanos = clock().nanoTime();
        long doneAtNanos = nowNanos + delay.expectedNanosOfGroup();
        List<Append> late = new ArrayList<>();
        group.removeIf(append -> append.deadline().hasPassed(doneAtNanos) && late.add(append));
        if (late.isEmpty()) {
            return;
        }
        if (group.isEmpty() && nowNanos - committedAtNanos > LONGEST_WITHOUT_COMMIT_NANOS) {
            group.add(late.remove(late.size() - 1));
        }
        fail(
                late,
                new GatewayException(
                        ErrorCode.DEADLINE_EXCEEDED,
                        "The time for the request ran out while the messages waited for the storage; nothing was stored."));
    }

    /** What the storage fails, and takes again later, says nothing of how long the next group takes. */
    @Override
    void wroteAtOnce() {
        committedAtNanos = clock().nanoTime();
        delay.committed(committedAtNanos - startedAtNanos);
    }

    @Override
    void recover(Recovery begun) {
        recovery = begun;
    }

    @Override
    void refuseWaiting(GatewayException reason) {
        List<Append> waiting = queue.takeAll();
        waiting.removeIf(append -> !append.startWriting());
        fail(waiting, reason);
    }

    @Override
    void stopTaking() {
        queue.close();
    }

    @Override
    public void close() throws InterruptedException {
        stopTaking();
        giveUp();
        threads.awaitEnd(this);
    }
}
