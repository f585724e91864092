package io.talosgateway.rest.journal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.talosgateway.rest.errors.GatewayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane of one partition, written and synced by whoever appends, one put at a time: the model of a file for each partition,
 * which shared lanes are compared with. See {@code docs/decisions/0013-comparison-modes.md}.
 */
final class PartitionLane extends Lane {

    private static final Logger log = LoggerFactory.getLogger(PartitionLane.class);

    /** Guards the writer. */
    private final Object writing = new Object();

    private volatile boolean closed;

    PartitionLane(String name, JournalParts parts, Executor completions) {
        super(name, parts, completions);
    }

    /** Blocks until the append is committed, or cannot be. */
    @Override
    void take(Append append) {
        synchronized (writing) {
            if (closed) {
                throw PartitionLog.notServing();
            }
            if (!append.startWriting()) {
                return;
            }
            commit(List.of(append));
        }
    }

    /** On a thread of its own, so that whoever has appended can answer that the time ran out. */
    @Override
    void recover(Recovery recovery) {
        Thread thread = new Thread(
                () -> {
                    synchronized (writing) {
                        try {
                            boolean goesOn = true;
                            while (goesOn) {
                                goesOn = !recovery.step(Long.MAX_VALUE);
                            }
                        } catch (InterruptedException e) {
                            log.debug("Lane {} gives up", name());
                        } catch (RuntimeException | Error e) {
                            died(e);
                        }
                    }
                },
                "lane-" + name() + "-recovery");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    void refuseWaiting(GatewayException reason) {
        // Nothing waits here.
    }

    @Override
    void stopTaking() {
        closed = true;
    }

    /** Blocks for the storage. */
    @Override
    CompletableFuture<Void> release(List<PartitionLog> logs) {
        close();
        logs.forEach(this::endAppends);
        return CompletableFuture.completedFuture(null);
    }

    void rollIfOld() {
        if (!isBroken()) {
            synchronized (writing) {
                writer().rollIfOld();
            }
        }
    }

    @Override
    void close() {
        stopTaking();
        giveUp();
        synchronized (writing) {
            writer().close();
        }
    }
}
