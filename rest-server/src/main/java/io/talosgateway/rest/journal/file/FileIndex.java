package io.talosgateway.rest.journal.file;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The index of a journal file while it is written, or while it is scanned because it was not sealed: all frames of all
 * partitions, and the last puts with idempotency keys. The lane's committer adds; any thread reads.
 */
public final class FileIndex {

    /** How many of a file's last puts with idempotency keys are remembered in its footer. */
    static final int MAX_KEYED_PUTS = 1 << 16;

    private final StartRecord start;
    private final Map<TopicPartition, Entry> partitions = new ConcurrentHashMap<>();
    private final AtomicInteger frames = new AtomicInteger();
    private final KeyedPutBuffer keyedPuts = new KeyedPutBuffer(MAX_KEYED_PUTS);

    public FileIndex(StartRecord start) {
        this.start = start;
    }

    private record Entry(OwnerEpoch epoch, PartitionFrames frames) {}

    public StartRecord start() {
        return start;
    }

    public void add(
            TopicPartition partition,
            OwnerEpoch epoch,
            int position,
            long firstOffset,
            int messageCount,
            long timeMs,
            int blockBytes) {
        Entry entry = partitions.get(partition);
        if (entry == null) {
            entry = new Entry(epoch, new PartitionFrames(firstOffset, timeMs));
            partitions.put(partition, entry);
        }
        entry.frames.add(position, firstOffset, messageCount, timeMs, blockBytes);
        frames.incrementAndGet();
    }

    public void addKeyed(KeyedPut put) {
        keyedPuts.add(put);
    }

    /** The last puts with idempotency keys, oldest first. */
    public List<KeyedPut> keyedPuts() {
        return keyedPuts.puts();
    }

    /** The section of the footer with the puts that had idempotency keys. */
    byte[] encodeKeyedPuts() {
        return keyedPuts.encode();
    }

    /** Frames of all partitions. */
    public int frameCount() {
        return frames.get();
    }

    @Nullable
    public PartitionFrames frames(TopicPartition partition) {
        Entry entry = partitions.get(partition);
        return entry == null ? null : entry.frames;
    }

    Collection<TopicPartition> partitions() {
        return partitions.keySet();
    }

    @Nullable
    PartitionExtent extent(TopicPartition partition) {
        Entry entry = partitions.get(partition);
        if (entry == null) {
            return null;
        }
        PartitionFrames of = entry.frames;
        synchronized (of) {
            return new PartitionExtent(
                    partition,
                    entry.epoch,
                    of.firstOffset(),
                    of.endOffset(),
                    of.firstTimeMs(),
                    of.lastTimeMs(),
                    of.bytes(),
                    of.size());
        }
    }
}
