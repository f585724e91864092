package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Which message is at which offset, as far as anybody has seen: a word for each message. Readers write what they see first and
 * compare what they see later, so that the first difference between any two of them is found at its offset. Safe for use by
 * any thread.
 */
final class Ledger {

    private static final int CHUNK = 4096;

    private final List<Column> columns = new ArrayList<>();

    /** A partition. */
    private static final class Column {

        private final List<long[]> chunks = new ArrayList<>();
        private long start;
        private long end;

        synchronized long replace(long offset, long found, boolean always) {
            while (chunks.size() <= offset / CHUNK) {
                chunks.add(new long[CHUNK]);
            }
            long[] chunk = chunks.get((int) (offset / CHUNK));
            int at = (int) (offset % CHUNK);
            long before = chunk[at];
            if (always || before == ObservedMessage.NOTHING) {
                chunk[at] = found;
            }
            end = Math.max(end, offset + 1);
            return before;
        }

        synchronized long get(long offset) {
            return offset < 0 || offset >= end || offset / CHUNK >= chunks.size()
                    ? ObservedMessage.NOTHING
                    : chunks.get((int) (offset / CHUNK))[(int) (offset % CHUNK)];
        }

        synchronized long end() {
            return end;
        }

        synchronized long start() {
            return start;
        }

        synchronized void begin(long newStart) {
            start = Math.max(start, newStart);
            end = Math.max(end, start);
        }

        synchronized void cut(long newEnd) {
            end = Math.min(end, newEnd);
        }
    }

    Ledger(int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            columns.add(new Column());
        }
    }

    int partitions() {
        return columns.size();
    }

    /**
     * A reader sees a message.
     *
     * @param offset not far behind the end
     * @return what was seen there before, if it is something else
     */
    @Nullable
    ObservedMessage see(int partition, long offset, ObservedMessage found) {
        return note(partition, offset, found, false);
    }

    /**
     * The last reading of all sees a message: this is what counts from now on.
     *
     * @return what was seen there before, if it is something else
     */
    @Nullable
    ObservedMessage settle(int partition, long offset, ObservedMessage found) {
        return note(partition, offset, found, true);
    }

    private @Nullable ObservedMessage note(int partition, long offset, ObservedMessage found, boolean always) {
        long packed = found.pack();
        long before = columns.get(partition).replace(offset, packed, always);
        return before == packed ? null : ObservedMessage.unpack(before);
    }

    /** Null if nobody has seen a message there. */
    @Nullable
    ObservedMessage at(int partition, long offset) {
        return ObservedMessage.unpack(columns.get(partition).get(offset));
    }

    /** The last reading of all found that the partition ends there. */
    void cut(int partition, long end) {
        columns.get(partition).cut(end);
    }

    /** The last reading of all found that what is before has expired. */
    void begin(int partition, long start) {
        columns.get(partition).begin(start);
    }

    /** The first offset that has not expired, at the last reading of all. */
    long start(int partition) {
        return columns.get(partition).start();
    }

    /** One more than the last offset that somebody has seen. */
    long end(int partition) {
        return columns.get(partition).end();
    }
}
