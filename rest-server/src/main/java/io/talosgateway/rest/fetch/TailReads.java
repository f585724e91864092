package io.talosgateway.rest.fetch;

import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.journal.read.ReadResult;
import org.jspecify.annotations.Nullable;

/** Where the newest messages are read without waiting: {@link PartitionLog#readTail}, but for comparisons. */
@FunctionalInterface
public interface TailReads {

    /** What can be read at once, or null if the storage has to be asked. */
    @Nullable
    ReadResult read(PartitionLog log, long offset, int maxMessages, int maxBytes);
}
