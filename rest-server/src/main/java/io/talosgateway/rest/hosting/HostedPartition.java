package io.talosgateway.rest.hosting;

import java.util.function.BooleanSupplier;

import io.talosgateway.rest.coordination.ReadLease;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A partition that this host serves. */
public final class HostedPartition {

    private final PartitionLog log;
    private final RecentPuts recentPuts;
    private final ReadLease lease;
    private final BooleanSupplier placedHere;
    private final UndecidedPuts undecidedPuts = new UndecidedPuts();
    private final FencingToken fencingToken;
    private volatile boolean endClosed;
    private volatile Runnable endListener = () -> {};

    /**
     * @param fencingToken as recorded; null if there is none
     * @param placedHere whether the placement, as far as this host knows, gives the partition to it
     */
    HostedPartition(
            PartitionLog log,
            RecentPuts recentPuts,
            @Nullable String fencingToken,
            ReadLease lease,
            BooleanSupplier placedHere) {
        this.fencingToken = new FencingToken(fencingToken, this::requireEnd);
        this.placedHere = placedHere;
        this.log = log;
        this.recentPuts = recentPuts;
        this.lease = lease;
    }

    public TopicPartition partition() {
        return log.partition();
    }

    public PartitionLog log() {
        return log;
    }

    /** False once it is being released. */
    boolean takesPuts() {
        return log.takesAppends();
    }

    public RecentPuts recentPuts() {
        return recentPuts;
    }

    /** Puts that were handed to the log, and whose outcome is not certain. */
    public UndecidedPuts undecidedPuts() {
        return undecidedPuts;
    }

    /** Which writer may put with its token. */
    public FencingToken fencingToken() {
        return fencingToken;
    }

    // --- The end ---

    /**
     * Whether the durable offset of the log is the end of the partition: nothing at or above it was acknowledged, by any host,
     * before this call. To be asked after a request was read, not before.
     */
    public boolean knowsEnd() {
        return !mayMove() && lease.isHeld();
    }

    /**
     * Refuses an answer that depends on the end of the partition, if {@link #knowsEnd} is false.
     *
     * @throws GatewayException {@code PARTITION_MOVING} or {@code PARTITION_NOT_SERVING}
     */
    public void requireEnd() {
        if (mayMove()) {
            throw new GatewayException(
                    ErrorCode.PARTITION_MOVING, "This host has stopped serving the partition; try again shortly.");
        }
        if (!lease.isHeld()) {
            throw new GatewayException(
                    ErrorCode.PARTITION_NOT_SERVING,
                    "This host cannot tell where partition " + partition().partition() + " of the topic ends, because "
                            + lease.whyNotHeld() + "; try again shortly.");
        }
    }

    /**
     * Refuses an answer that says which messages are at offsets, if another owner may have given these to other messages: those of
     * messages in memory, after a power cut.
     *
     * @param endOffset offset after the last of them
     * @throws GatewayException as {@link #requireEnd}
     */
    public void requireSettled(long endOffset) {
        if (!knowsEnd() && !log.isSettled(endOffset)) {
            requireEnd();
        }
    }

    /** A host that waits for too long for the release of a partition that it was given takes it from a living owner. */
    private boolean mayMove() {
        return endClosed || !placedHere.getAsBoolean();
    }

    /** Another host may own the partition soon: its end is not told here any more. */
    void closeEnd() {
        endClosed = true;
        endListener.run();
    }

    /** Whether another host may own the partition; for ever, once it is true. */
    public boolean isEndClosed() {
        return endClosed;
    }

    /** Has {@code listener} called when the end is closed; it must not block. */
    public void onEndClosed(Runnable listener) {
        endListener = listener;
    }
}
