package io.talosgateway.rest.journal.log;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.file.CorruptFrameException;
import io.talosgateway.rest.journal.file.FileRange;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.PartitionEnd;
import io.talosgateway.rest.journal.file.PartitionExtent;
import io.talosgateway.rest.journal.file.PartitionFrames;
import io.talosgateway.rest.journal.file.PartitionFrames.LocatedFrame;
import io.talosgateway.rest.journal.lane.Append;
import io.talosgateway.rest.journal.lane.Lane;
import io.talosgateway.rest.journal.lane.LanePartition;
import io.talosgateway.rest.journal.read.ReadResult;
import io.talosgateway.rest.journal.read.TailCache;
import io.talosgateway.rest.journal.recovery.PartitionHistory;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.message.PutIdentity;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition's view of the journals: appends go to the lane that the partition is pinned to, reads find messages in the
 * tail cache or in the files of this and earlier incarnations. Offsets are dense and start at 0; what is below the log
 * start offset is gone, what is at or above the durable offset is not there yet.
 *
 * <p>Safe for use by any thread. {@link #append} and {@link #readTail} do not block; other reads may block for storage.
 */
public final class PartitionLog {

    private static final Logger log = LoggerFactory.getLogger(PartitionLog.class);

    /** Hears that the durable offset has risen. */
    @FunctionalInterface
    public interface DurableListener {
        /** Called by the executor for completions; must not block. */
        void durableOffsetRose(PartitionLog partitionLog);
    }

    private final TopicPartition partition;
    private final OwnerEpoch epoch;
    private final Lane lane;
    private final LogReads reads;
    private final NanoClock clock;
    private final Runnable admission;
    private final InLane inLane = new InLane();
    private final TailCache.Tail tail;

    // Of the lane's committer, but for the first value.
    private long nextOffset;
    private long lastAppendMs;
    private @Nullable JournalFile lastFile;

    private volatile long durableOffset;
    /** Offset after the last message that is surely on disk, or was there when this host took the partition over. */
    private volatile long settledOffset;

    private volatile long totalBytes;
    private volatile long logStartOffset;
    /** The highest start that the ownership record may have; whoever finds it there deletes files below it. */
    private volatile long proposedStart;

    private volatile boolean closed;
    /** Set by the lane's committer: no append is written any more. */
    private volatile boolean released;

    private final AtomicBoolean leftLane = new AtomicBoolean();

    private volatile DurableListener listener = partitionLog -> {};

    /** In order of offset, without overlap; replaced as a whole. Guarded by this for writing. */
    private volatile List<FileRange> ranges;

    /**
     * @param clock of deadlines
     * @param admission throws if the journal takes no appends at all
     */
    PartitionLog(
            TopicPartition partition,
            OwnerEpoch epoch,
            Lane lane,
            LogReads reads,
            NanoClock clock,
            Runnable admission,
            PartitionHistory history) {
        this.partition = partition;
        this.epoch = epoch;
        this.lane = lane;
        this.reads = reads;
        this.tail = reads.tailCache().newTail();
        this.clock = clock;
        this.admission = admission;
        this.ranges = history.ranges();
        this.nextOffset = history.endOffset();
        this.lastAppendMs = history.lastAppendMs(partition);
        this.durableOffset = history.endOffset();
        this.settledOffset = history.endOffset();
        this.totalBytes = history.totalBytes();
        this.logStartOffset = history.startOffset();
    }

    public TopicPartition partition() {
        return partition;
    }

    public OwnerEpoch epoch() {
        return epoch;
    }

    /** Offset of the first message that can be read; equal to {@link #durableOffset} if there is none. */
    public long logStartOffset() {
        return logStartOffset;
    }

    /** Offset after the last message that can be read; the next durable message gets it. */
    public long durableOffset() {
        return durableOffset;
    }

    /** Bytes of blocks ever stored. */
    public long totalBytes() {
        return totalBytes;
    }

    /** Bytes of blocks in the files that hold messages of this partition; a little more than can be read. */
    public long storedBytes() {
        long bytes = 0;
        for (FileRange range : ranges) {
            PartitionExtent extent = range.file().extent(partition);
            bytes += extent == null ? 0 : extent.bytes();
        }
        return bytes;
    }

    public void onDurable(DurableListener newListener) {
        listener = newListener;
    }

    /**
     * Hands a put to the lane.
     *
     * @param identity recorded with the messages, so that a repeat is recognised after a restart; null without a key
     * @param deadline a put that would not be durable by then is refused, as far as can be said; on the journal's clock
     * @throws GatewayException if it is refused: nothing is stored
     */
    public Append append(MessageBatch batch, @Nullable PutIdentity identity, Durability durability, Deadline deadline) {
        if (closed) {
            throw Lane.notServing();
        }
        admission.run();
        Append append = new Append(inLane, batch, identity, durability, deadline, clock.nanoTime());
        lane.append(append);
        return append;
    }

    /** What the lane does with the partition. */
    private final class InLane implements LanePartition {

        @Override
        public TopicPartition partition() {
            return partition;
        }

        @Override
        public OwnerEpoch epoch() {
            return epoch;
        }

        @Override
        public PartitionEnd end() {
            return new PartitionEnd(partition, epoch, durableOffset, totalBytes);
        }

        @Override
        public void assign(Append append, long nowMs) {
            // Times never fall, so that a message can be found by time, even when the clock is set back.
            lastAppendMs = Math.max(nowMs, lastAppendMs);
            append.assign(nextOffset, lastAppendMs);
            nextOffset += append.batch().messageCount();
        }

        @Override
        public void forgetUncommitted() {
            nextOffset = durableOffset;
        }

        @Override
        public void show(Append append, JournalFile file, Durability level) {
            if (file != lastFile) {
                addRange(file, append.firstOffset());
                lastFile = file;
            }
            long bytesBefore = totalBytes;
            totalBytes = bytesBefore + append.batch().bytes();
            reads.tailCache().add(tail, append.firstOffset(), append.appendTimestampMs(), append.batch());
            long end = append.firstOffset() + append.batch().messageCount();
            if (level == Durability.DISK) {
                settledOffset = end;
            }
            durableOffset = end;
        }

        @Override
        public void notifyDurable() {
            listener.durableOffsetRose(PartitionLog.this);
        }

        @Override
        public void setReleased() {
            released = true;
        }

        @Override
        public boolean isReleased() {
            return released;
        }

        @Override
        public boolean leaveLane() {
            return leftLane.compareAndSet(false, true);
        }

        @Override
        public boolean hasLeftLane() {
            return leftLane.get();
        }
    }

    private synchronized void addRange(JournalFile file, long firstOffset) {
        List<FileRange> extended = new ArrayList<>(ranges);
        int last = extended.size() - 1;
        if (last >= 0 && extended.get(last).endOffset() == FileRange.OPEN) {
            FileRange open = extended.get(last);
            extended.set(last, new FileRange(open.file(), open.firstOffset(), firstOffset));
        }
        extended.add(new FileRange(file, firstOffset, FileRange.OPEN));
        ranges = List.copyOf(extended);
    }

    // --- Reading ---

    /**
     * Whether the messages below an offset are the partition's for ever. A message in memory is not, until its file is sealed: after a
     * power cut another owner may give its offset to another message.
     */
    public boolean isSettled(long offset) {
        return offset <= settledOffset
                || ranges.stream()
                        .filter(range -> range.file().sealedIndex() != null)
                        .map(range -> range.file().extent(partition))
                        .anyMatch(extent -> extent != null && extent.endOffset() >= offset);
    }

    /**
     * Reads from the tail cache.
     *
     * @param offset from the log start offset to the durable offset
     * @return null if the offset is not in the cache; nothing, if it is the durable offset
     */
    public @Nullable ReadResult readTail(long offset, int maxMessages, int maxBytes) {
        // Whoever got what is beyond it would ask for what follows, and be told that there is no such offset yet.
        long end = durableOffset;
        if (offset >= end) {
            return ReadResult.EMPTY;
        }
        ReadResult.Collector collector = new ReadResult.Collector(offset, maxMessages, maxBytes);
        if (!tail.collect(collector, end)) {
            return null;
        }
        reads.metrics().readFromTail();
        return collector.result();
    }

    /**
     * Reads from wherever the messages are.
     *
     * @param offset at most the durable offset
     * @throws GatewayException if the offset is below the log start offset, or the storage fails
     */
    public ReadResult read(long offset, int maxMessages, int maxBytes) {
        ReadResult fromTail = readTail(offset, maxMessages, maxBytes);
        if (fromTail != null) {
            return fromTail;
        }
        reads.metrics().readFromStorage();
        try {
            return readStorage(new ReadResult.Collector(offset, maxMessages, maxBytes));
        } catch (IOException e) {
            throw storageFailed(e);
        }
    }

    private ReadResult readStorage(ReadResult.Collector collector) throws IOException {
        long end = durableOffset;
        long asked = collector.nextOffset();
        while (!collector.isFull() && collector.nextOffset() < end) {
            long before = collector.nextOffset();
            FileRange range = rangeWith(before);
            if (range != null) {
                try {
                    readRange(range, Math.min(range.endOffset(), end), collector);
                } catch (CorruptFrameException | EOFException e) {
                    if (collector.nextOffset() == asked) {
                        throw e;
                    }
                    // What lies before is answered; the get that begins at it is refused.
                    break;
                }
            }
            // Full, if the first block of the file does not fit beside those of the file before.
            if (collector.nextOffset() == before && !collector.isFull()) {
                if (before == asked) {
                    throw notThere(before, end);
                }
                // What lies before lost messages is answered; the get that begins at them is refused.
                break;
            }
        }
        return collector.result();
    }

    private void readRange(FileRange range, long end, ReadResult.Collector collector) throws IOException {
        try {
            PartitionFrames frames = reads.reader().frames(range.file(), partition);
            LocatedFrame frame = frames.frameWith(collector.nextOffset());
            while (frame != null
                    && frame.firstOffset() < end
                    && frame.firstOffset() <= collector.nextOffset()
                    && !collector.isFull()) {
                reads.reader()
                        .readFrame(range.file(), frame.position())
                        .blocks()
                        .forEach(collector::offer);
                frame = frames.after(frame);
            }
        } catch (FileNotFoundException e) {
            forget(range);
        }
    }

    /** Its file is gone, which an index file does not say. */
    private synchronized void forget(FileRange gone) {
        if (gone.endOffset() > logStartOffset) {
            log.error(
                    "{} is gone: the messages of {} from offset {} to {} cannot be read",
                    gone.file(),
                    partition,
                    gone.firstOffset(),
                    gone.endOffset() - 1);
        }
        ranges = ranges.stream()
                .filter(range -> !range.file().id().equals(gone.file().id()))
                .toList();
    }

    /** The file that holds the message, or, if it is lost, that held its neighbours; null if there is none. */
    private @Nullable FileRange rangeWith(long offset) {
        List<FileRange> current = ranges;
        for (int index = current.size() - 1; index >= 0; index--) {
            FileRange range = current.get(index);
            if (range.firstOffset() <= offset) {
                return offset < range.endOffset() ? range : null;
            }
        }
        return null;
    }

    private GatewayException notThere(long offset, long end) throws IOException {
        if (offset < logStartOffset) {
            return expired(offset);
        }
        if (offset < proposedStart) {
            return new GatewayException(
                    ErrorCode.STORAGE_UNAVAILABLE,
                    "The message at offset %d of %s is being deleted; try again shortly.".formatted(offset, partition));
        }
        return lost(offset, end);
    }

    private GatewayException lost(long offset, long end) throws IOException {
        long next = firstStoredAfter(offset, end);
        return new GatewayException(
                ErrorCode.STORAGE_CORRUPT,
                "The messages from offset %d to %d of %s were lost: they are in no journal file; the next %s has offset %d."
                        .formatted(
                                offset, next - 1, partition, next < end ? "that is stored" : "that is appended", next));
    }

    /** Offset of the first stored message behind a lost one; {@code end} if there is none. */
    private long firstStoredAfter(long offset, long end) throws IOException {
        for (FileRange range : ranges) {
            if (range.endOffset() > offset) {
                try {
                    PartitionFrames frames = reads.reader().frames(range.file(), partition);
                    LocatedFrame next = frames.frameAfter(offset);
                    if (next != null && next.firstOffset() < Math.min(range.endOffset(), end)) {
                        return next.firstOffset();
                    }
                } catch (FileNotFoundException e) {
                    forget(range);
                }
            }
        }
        return end;
    }

    private GatewayException expired(long offset) {
        return new GatewayException(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                "The message at offset " + offset + " is gone: the first that is kept has offset " + logStartOffset
                        + ".");
    }

    private GatewayException storageFailed(IOException cause) {
        log.warn("Reading {} failed", partition, cause);
        if (cause instanceof CorruptFrameException) {
            return new GatewayException(
                    ErrorCode.STORAGE_CORRUPT, "The storage is damaged: " + cause.getMessage() + ".");
        }
        return new GatewayException(
                ErrorCode.STORAGE_UNAVAILABLE,
                "Reading from " + reads.storage().location() + " failed: " + cause.getMessage() + ".",
                cause);
    }

    /**
     * Offset of the first message appended at or after a time; the durable offset if there is none. May block.
     *
     * @param timeMs epoch milliseconds by the owner's clock
     */
    public long firstOffsetAtOrAfter(long timeMs) {
        try {
            for (FileRange range : ranges) {
                PartitionExtent extent = range.file().extent(partition);
                if (extent != null && extent.lastTimeMs() >= timeMs) {
                    long found = firstOffsetAtOrAfter(timeMs, range);
                    if (found < range.endOffset()) {
                        return Math.max(logStartOffset, Math.min(found, durableOffset));
                    }
                }
            }
            return durableOffset;
        } catch (IOException e) {
            throw storageFailed(e);
        }
    }

    private long firstOffsetAtOrAfter(long timeMs, FileRange range) throws IOException {
        try {
            return reads.reader().frames(range.file(), partition).firstOffsetAtOrAfter(timeMs);
        } catch (FileNotFoundException e) {
            forget(range);
            return range.endOffset();
        }
    }

    /** Whether an offset is in the newest of the partition's files: its reader is close to the end. */
    public boolean isRecent(long offset) {
        List<FileRange> current = ranges;
        return current.isEmpty() || offset >= current.get(current.size() - 1).firstOffset();
    }

    /** A start offset, and the bytes of blocks ever stored below it, or a little less. */
    public record Start(long offset, long bytesBelow) {}

    /**
     * Where the partition starts without its oldest files of which every message is older than a time. Files that are not sealed
     * stay: others could not tell yet where they end.
     *
     * @param timeMs epoch milliseconds by the owner's clock
     * @return null if there is no such file
     */
    public @Nullable Start startWithoutFilesBefore(long timeMs) {
        long start = logStartOffset;
        // First, because appends may raise both: what is stored below is in the ranges.
        long next = durableOffset;
        for (FileRange range : ranges) {
            PartitionExtent extent = range.file().extent(partition);
            if (extent == null || range.file().sealedIndex() == null || extent.lastTimeMs() >= timeMs) {
                next = range.firstOffset();
                break;
            }
            start = Math.max(start, end(range, extent));
        }
        // Messages before the next that is stored may be lost: a start among them could not be read from.
        return start > logStartOffset ? startAt(Math.max(start, next)) : null;
    }

    /** A start offset of the caller's choosing, at most the durable offset. It may be recorded from now on. */
    public synchronized Start startAt(long wanted) {
        // First, because appends may raise both: too few bytes are harmless.
        long bytes = totalBytes;
        long start = Math.min(wanted, durableOffset);
        proposedStart = Math.max(proposedStart, start);
        for (FileRange range : ranges) {
            PartitionExtent extent = range.file().extent(partition);
            if (extent != null && end(range, extent) > start) {
                bytes -= extent.bytes();
            }
        }
        return new Start(start, Math.max(0, bytes));
    }

    private static long end(FileRange range, PartitionExtent extent) {
        return range.endOffset() == FileRange.OPEN ? extent.endOffset() : range.endOffset();
    }

    /** Raises the log start offset, at most to the durable offset; never lowers it. Forgets the sealed files below it. */
    public synchronized void trimTo(long offset) {
        logStartOffset = Math.max(logStartOffset, Math.min(offset, durableOffset));
        ranges = ranges.stream()
                .filter(range -> {
                    PartitionExtent extent = range.file().extent(partition);
                    return range.file().sealedIndex() == null || extent == null || end(range, extent) > logStartOffset;
                })
                .toList();
    }

    Lane lane() {
        return lane;
    }

    LanePartition inLane() {
        return inLane;
    }

    /** Whether no append is written any more. */
    boolean isReleased() {
        return released;
    }

    /** False once it is closed or being released. */
    public boolean takesAppends() {
        return !closed;
    }

    /** Takes no more appends; those in the lane go on, and reads. */
    void stopAppends() {
        closed = true;
    }

    /** Completes when every file with messages of this partition is sealed; fails if another incarnation has ended one. */
    CompletableFuture<Void> whenSealed() {
        return CompletableFuture.allOf(
                ranges.stream().map(range -> range.file().whenSealed()).toArray(CompletableFuture[]::new));
    }

    /** Takes no more appends. Those in the lane go on. */
    void close() {
        stopAppends();
        lane.forget(inLane);
        forgetTail();
    }

    void forgetTail() {
        reads.tailCache().clear(tail);
    }
}
