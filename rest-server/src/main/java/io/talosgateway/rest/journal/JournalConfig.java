package io.talosgateway.rest.journal;

import java.time.Duration;

import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.topic.Durability;

/**
 * How the journal is written and read.
 *
 * @param layout what shares a file
 * @param lanes append streams for each class of retention; a few, by cores and disks, not by partitions
 * @param durability what a put must have survived when it is acknowledged, unless its topic says otherwise
 * @param fileSize a lane goes on to a new file at this size
 * @param fileAge a lane goes on to a new file when its file is as old and not empty
 * @param maxGroupSize most bytes that one sync commits; one put may be larger
 * @param maxGroupPuts most puts that one sync commits
 * @param maxQueuedSize most bytes that wait for a lane
 * @param maxQueuedPuts most puts that wait for a lane
 * @param tailCacheSize memory for the newest messages of all partitions
 * @param readPageSize how much one read of storage reads
 * @param readAheadCacheSize memory for what was read of storage
 * @param indexCacheSize memory for indexes of files that are not written any more, and as much again for the lists of files of other
 *     journals
 * @param indexedFiles sealed files of a lane that are put into an index file together
 * @param minFreeSize puts are refused when the storage has less space left, so that what shares the disk goes on
 * @param minReplicas puts are refused while the file that is written has fewer copies than this; for HDFS
 * @param acceptDamage whether to start although durable bytes of a file are damaged; their messages are lost
 */
public record JournalConfig(
        JournalLayout layout,
        int lanes,
        Durability durability,
        DataSize fileSize,
        Duration fileAge,
        DataSize maxGroupSize,
        int maxGroupPuts,
        DataSize maxQueuedSize,
        int maxQueuedPuts,
        DataSize tailCacheSize,
        DataSize readPageSize,
        DataSize readAheadCacheSize,
        DataSize indexCacheSize,
        int indexedFiles,
        DataSize minFreeSize,
        int minReplicas,
        boolean acceptDamage) {

    /** What {@code indexedFiles} is in a gateway. */
    public static final int INDEXED_FILES = 64;

    /** A position in a file is kept in 31 bits, a group included that starts just below the file size. */
    private static final long MAX_FILE_BYTES = 1L << 30;

    public JournalConfig {
        check(lanes >= 1 && lanes <= 64, "journal.lanes must be 1 to 64", lanes);
        check(
                fileSize.toBytes() >= 1 << 16 && fileSize.toBytes() <= MAX_FILE_BYTES,
                "journal.file-size must be 64KiB to 1GiB",
                fileSize);
        check(fileAge.toMillis() > 0, "journal.file-age must be positive", fileAge);
        check(
                maxGroupSize.toBytes() > 0 && maxGroupSize.toBytes() <= MAX_FILE_BYTES / 4,
                "journal.max-group-size must be 1B to 256MiB",
                maxGroupSize);
        check(maxGroupPuts > 0, "journal.max-group-puts must be positive", maxGroupPuts);
        check(maxQueuedSize.toBytes() > 0, "journal.max-queued-size must be positive", maxQueuedSize);
        check(maxQueuedPuts > 0, "journal.max-queued-puts must be positive", maxQueuedPuts);
        check(
                readPageSize.toBytes() >= 4096 && readPageSize.toBytes() <= 1 << 26,
                "journal.read-page-size must be 4KiB to 64MiB",
                readPageSize);
        check(minReplicas >= 1 && minReplicas <= 100, "journal.min-replicas must be 1 to 100", minReplicas);
    }

    /**
     * How long a file of a lane gets, but for its footer. 0, for nobody knows, if each partition has files of its own: most of them
     * stay short, and a storage that reserves room for each would run out of it.
     */
    public long expectedFileBytes() {
        return layout == JournalLayout.SHARED_LANES ? fileSize.toBytes() + maxGroupSize.toBytes() : 0;
    }

    private static void check(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ": " + value);
        }
    }
}
