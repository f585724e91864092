package io.talosgateway.rest.journal;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane of many partitions: a bounded queue and a committer thread that writes whatever has queued up as one group. No timer
 * is needed: while one group is synced, the next gathers.
 */
final class SharedLane extends Lane {

    private static final Logger log = LoggerFactory.getLogger(SharedLane.class);

    private final JournalConfig config;
    private final JournalMetrics metrics;
    private final LaneDelay delay;
    private final AppendQueue queue;
    private final Thread committer;

    SharedLane(String name, JournalParts parts, Executor completions) {
        super(name, parts, completions);
        this.config = parts.config();
        this.metrics = parts.metrics();
        this.delay = new LaneDelay(config.maxGroupPuts(), config.maxGroupSize().toBytes());
        this.queue =
                new AppendQueue(config.maxQueuedPuts(), config.maxQueuedSize().toBytes(), delay);
        this.committer = new Thread(this::run, "lane-" + name);
        this.committer.setDaemon(true);
        parts.metrics().watchLane(name, queue::size, queue::bytes, () -> isBroken() ? 1 : 0);
    }

    void start() {
        committer.start();
    }

    @Override
    void take(Append append) {
        switch (queue.offer(append, metrics.nanoTime())) {
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

    private void run() {
        try {
            while (!queue.isClosedAndEmpty()) {
                List<Append> group = queue.take(
                        config.maxGroupPuts(),
                        config.maxGroupSize().toBytes(),
                        TimeUnit.MILLISECONDS.toNanos(
                                Math.min(60_000, config.fileAge().toMillis())));
                group.removeIf(append -> !append.startWriting());
                if (!group.isEmpty()) {
                    long startedAtNanos = metrics.nanoTime();
                    commit(group);
                    delay.committed(metrics.nanoTime() - startedAtNanos);
                }
                writer().rollIfOld();
            }
            writer().close();
        } catch (InterruptedException e) {
            log.debug("Lane {} ends without sealing its file", name());
        } catch (RuntimeException | Error e) {
            died(e);
        }
    }

    @Override
    void recover(List<Append> group, GatewayException reason) throws InterruptedException {
        untilItWorks(group, reason);
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
    void close() throws InterruptedException {
        stopTaking();
        giveUp();
        committer.join();
    }
}
