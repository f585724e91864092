package io.talosgateway.rest.journal.lane;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.GatewayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane of one partition, written and synced by whoever appends, one put at a time: the model of a file for each partition,
 * which shared lanes are compared with. See {@code docs/decisions/0013-comparison-modes.md}.
 */
public final class PartitionLane extends Lane {

    private static final Logger log = LoggerFactory.getLogger(PartitionLane.class);

    /** Guards the writer. */
    private final Object writing = new Object();

    public PartitionLane(String name, LaneParts parts) {
        super(name, parts);
    }

    /** Blocks until the append is committed, or cannot be. */
    @Override
    void take(Append append) {
        synchronized (writing) {
            // Again: it may have broken while this one waited for its turn.
            refuseIfBroken();
            if (hasEnded()) {
                throw notServing();
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
        // Whoever asks finds the state.
    }

    /** Blocks for the storage. */
    @Override
    public CompletableFuture<Void> release(List<LanePartition> released) {
        close();
        released.forEach(this::endAppends);
        return CompletableFuture.completedFuture(null);
    }

    public void rollIfOld() {
        if (!isBroken()) {
            synchronized (writing) {
                writer().rollIfOld();
            }
        }
    }

    @Override
    public void close() {
        giveUp();
        synchronized (writing) {
            end();
            writer().close();
        }
    }
}
