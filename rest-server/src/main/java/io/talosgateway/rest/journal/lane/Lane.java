package io.talosgateway.rest.journal.lane;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalFencedException;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.StorageFullException;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One append stream of a journal. Puts are committed in groups, as a whole or not at all; who does it is for the subclasses
 * to say.
 *
 * <p>When a group cannot be committed, it is written once more to a new file, at once. If that fails too the lane is
 * <i>broken</i>: puts are refused at the door, and the lane tries until it succeeds, or until it has undone the group, so
 * that its puts can be told that they are not stored.
 */
public abstract class Lane {

    private static final Logger log = LoggerFactory.getLogger(Lane.class);
    private static final long FIRST_RETRY_MS = 100;
    private static final long LAST_RETRY_MS = 5_000;
    /** Completions are handed over in parts of this size, so that several threads share a large group. */
    private static final int COMPLETIONS_AT_ONCE = 16;

    private final String name;
    private final JournalMetrics metrics;
    private final NanoClock clock;
    private final Runnable fenced;
    private final Executor completions;
    /** For one thread at a time: see the subclasses. */
    private final LaneWriter writer;

    private final CountDownLatch closing = new CountDownLatch(1);

    private volatile Condition condition = new Condition(LaneState.OPEN, null);

    /** @param refusal what puts are told; null while they are taken, or refused for another reason */
    private record Condition(LaneState state, @Nullable GatewayException refusal) {}

    Lane(String name, LaneParts parts) {
        this.name = name;
        this.metrics = parts.metrics();
        this.clock = parts.clock();
        this.fenced = parts.fenced();
        this.completions = parts.completions();
        this.writer = new LaneWriter(name, parts);
    }

    public String name() {
        return name;
    }

    NanoClock clock() {
        return clock;
    }

    public LaneWriter writer() {
        return writer;
    }

    private void become(LaneState next, @Nullable GatewayException refusal) {
        condition = new Condition(condition.state.to(next), refusal);
    }

    /** Whether puts are refused, but by a lane that was closed. */
    boolean isBroken() {
        return condition.refusal != null;
    }

    final void refuseIfBroken() {
        GatewayException refusal = condition.refusal;
        if (refusal != null) {
            throw refusal;
        }
    }

    boolean hasEnded() {
        return condition.state == LaneState.ENDED;
    }

    /** Nothing is committed any more. By the thread that commits; may be called again. */
    final void end() {
        if (!hasEnded()) {
            become(LaneState.ENDED, condition.refusal);
        }
    }

    /** One partition less is pinned to this lane. */
    void unpin() {}

    /** A partition is served no more; appends on their way go on. */
    public final void forget(LanePartition partition) {
        if (partition.leaveLane()) {
            unpin();
            writer.forget(partition);
        }
    }

    /**
     * Ends the appends of partitions that take no more: completes when every one that was taken is decided, any other will be
     * refused, and the lane writes to another file. Fails if the lane ends before.
     */
    public abstract CompletableFuture<Void> release(List<LanePartition> partitions);

    /** By the thread that commits. */
    final void endAppends(LanePartition partition) {
        partition.setReleased();
        forget(partition);
    }

    /** Takes an append, or throws: then nothing is stored. */
    public final void append(Append append) {
        refuseIfBroken();
        take(append);
    }

    abstract void take(Append append);

    /** Deals with a group that could not be committed. */
    abstract void recover(Recovery recovery);

    /** Refuses the puts that wait, if any do. */
    abstract void refuseWaiting(GatewayException reason);

    /** A group was written at the first attempt; called before anybody hears of it. */
    void wroteAtOnce() {}

    /** Has {@link #take} refuse from now on. */
    abstract void stopTaking();

    /** Takes no more appends; returns when those that were taken are committed, or the storage does not take them. */
    public abstract void close() throws InterruptedException;

    /** The thread that was to commit has ended, which it never should. */
    final void died(Throwable bug) {
        log.error("Lane {} has died of a bug; its puts are refused until the gateway is restarted", name, bug);
        GatewayException reason = new GatewayException(
                ErrorCode.STORAGE_UNAVAILABLE, "The gateway cannot write any more; its operator has to restart it.");
        become(LaneState.ENDED, reason);
        refuseWaiting(reason);
    }

    /** Has the lane end its attempts to write a group that the storage does not take. */
    final void giveUp() {
        closing.countDown();
    }

    void commit(List<Append> group) {
        IOException failure = attempt(group, this::wroteAtOnce);
        if (failure == null) {
            return;
        }
        metrics.laneFailed();
        log.warn("Lane {} leaves its file, because writing {} puts failed: {}", name, group.size(), failure.toString());
        failure = attempt(group, () -> {});
        if (failure != null) {
            metrics.laneFailed();
            log.error("Lane {} cannot write; puts are refused until it can", name, failure);
            recover(new Recovery(group, refusal(failure)));
        }
    }

    /**
     * Writes a group, or an empty file if it is empty.
     *
     * @param onSuccess called before anybody hears of it: whoever does may put again at once
     * @return why the storage does not take it; null if the group is decided
     */
    private @Nullable IOException attempt(List<Append> group, Runnable onSuccess) {
        try {
            Durability reached = Durability.MEMORY;
            if (group.isEmpty()) {
                writer.probe();
            } else {
                reached = writer.commit(group);
            }
            onSuccess.run();
            succeed(group, reached);
            return null;
        } catch (JournalFencedException e) {
            endFenced(group, e);
            return null;
        } catch (IOException e) {
            return e;
        } catch (RuntimeException | Error e) {
            // A bug, of which the lane dies: its clients are not to wait.
            fail(group, unknownOutcome());
            throw e;
        }
    }

    /** Another incarnation owns the partitions now; it may have found the group, or not. */
    private void endFenced(List<Append> group, JournalFencedException reason) {
        log.error("Lane {} ends: {}", name, reason.getMessage());
        GatewayException refusal = new GatewayException(
                ErrorCode.PARTITION_MOVING, "Another host serves the partition now; try again shortly.");
        become(LaneState.FENCED, refusal);
        stopTaking();
        refuseWaiting(refusal);
        fail(group, unknownOutcome());
        fenced.run();
    }

    /**
     * Refuses puts until the storage takes a group that it did not take, or the group is undone and the storage takes a new file.
     * For the thread that commits.
     */
    final class Recovery {

        private List<Append> group;
        private long retryMs = FIRST_RETRY_MS;
        private long retryAtNanos;

        private Recovery(List<Append> group, GatewayException reason) {
            this.group = group;
            refuse(reason);
        }

        private void refuse(GatewayException reason) {
            become(LaneState.BROKEN, reason);
            refuseWaiting(reason);
            if (!group.isEmpty() && writer.undo()) {
                fail(group, reason);
                group = List.of();
            }
            retryAtNanos = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(retryMs);
        }

        /**
         * Waits for the next attempt, and makes it if its time has come.
         *
         * @return whether the group is decided, and the lane writes again, or never will
         */
        boolean step(long maxWaitNanos) throws InterruptedException {
            long waitNanos = retryAtNanos - clock.nanoTime();
            if (closing.await(Math.min(waitNanos, maxWaitNanos), TimeUnit.NANOSECONDS)) {
                fail(group, unknownOutcome());
                return true;
            }
            return waitNanos <= maxWaitNanos && tryAgain();
        }

        private boolean tryAgain() {
            IOException failure = attempt(group, () -> {
                become(LaneState.OPEN, null);
                log.info("Lane {} writes again", name);
            });
            if (failure == null) {
                return true;
            }
            log.debug("Lane {} still cannot write", name, failure);
            retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
            refuse(refusal(failure));
            return false;
        }
    }

    private static GatewayException refusal(IOException cause) {
        return cause instanceof StorageFullException
                ? new GatewayException(
                        ErrorCode.STORAGE_FULL,
                        "The storage is full, so that no messages can be stored; those stored before can still be read. "
                                + "Its operator has to make room.",
                        cause)
                : new GatewayException(
                        ErrorCode.STORAGE_UNAVAILABLE,
                        "The storage cannot be written right now (" + cause.getMessage() + "); nothing was stored.",
                        cause);
    }

    public static GatewayException notServing() {
        return new GatewayException(
                ErrorCode.PARTITION_MOVING, "This host has stopped serving the partition; try again shortly.");
    }

    private static GatewayException unknownOutcome() {
        return new GatewayException(
                ErrorCode.OUTCOME_UNKNOWN,
                "This host stopped serving the partition before the storage confirmed the messages: they may or may not be "
                        + "stored.");
    }

    private void succeed(List<Append> group, Durability reached) {
        long nowNanos = clock.nanoTime();
        group.forEach(append -> append.durableAtNanos = nowNanos);
        for (int from = 0; from < group.size(); from += COMPLETIONS_AT_ONCE) {
            List<Append> part = group.subList(from, Math.min(group.size(), from + COMPLETIONS_AT_ONCE));
            completions.execute(() -> {
                part.forEach(append -> append.succeed(reached));
                notifyDurable(part);
            });
        }
    }

    /** Tells each partition once: with the last of its appends. */
    private static void notifyDurable(List<Append> part) {
        for (int index = 0; index < part.size(); index++) {
            LanePartition partition = part.get(index).partition();
            boolean comesAgain = false;
            for (int later = index + 1; later < part.size() && !comesAgain; later++) {
                comesAgain = part.get(later).partition().equals(partition);
            }
            if (!comesAgain) {
                partition.notifyDurable();
            }
        }
    }

    void fail(List<Append> appends, GatewayException reason) {
        if (!appends.isEmpty()) {
            List<Append> failed = new ArrayList<>(appends);
            completions.execute(() -> failed.forEach(append -> append.fail(reason)));
        }
    }
}
