package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Which message is at which offset of a partition, as far as anybody has seen: a word for each message, 0 for none. Readers write
 * what they see first and compare what they see later, so that the first difference between any two of them is found at its
 * offset. Safe for use by any thread.
 */
final class Ledger {

    private static final int CHUNK = 4096;

    private final List<long[]> chunks = new ArrayList<>();
    private long start;
    private long end;

    /**
     * A reader sees a message.
     *
     * @param offset not far behind the end
     * @param last whether it is the last reading of all, which is what counts from then on
     * @return what was seen there before, if it is something else
     */
    @Nullable
    synchronized MessageId see(long offset, MessageId found, boolean last) {
        while (chunks.size() <= offset / CHUNK) {
            chunks.add(new long[CHUNK]);
        }
        end = Math.max(end, offset + 1);
        MessageId before = at(offset);
        if (last || before == null) {
            chunks.get((int) (offset / CHUNK))[(int) (offset % CHUNK)] = found.word();
        }
        return found.equals(before) ? null : before;
    }

    /** Null if nobody has seen a message there. */
    @Nullable
    synchronized MessageId at(long offset) {
        boolean known = offset >= 0 && offset < end && offset / CHUNK < chunks.size();
        long word = known ? chunks.get((int) (offset / CHUNK))[(int) (offset % CHUNK)] : 0;
        return word == 0 ? null : new MessageId(word);
    }

    /** The last reading of all found that the partition ends there. */
    synchronized void cut(long newEnd) {
        end = Math.min(end, newEnd);
    }

    /** The last reading of all found that what is before has expired. */
    synchronized void begin(long newStart) {
        start = Math.max(start, newStart);
        end = Math.max(end, start);
    }

    /** The first offset that has not expired, at the last reading of all. */
    synchronized long start() {
        return start;
    }

    /** One more than the last offset that somebody has seen. */
    synchronized long end() {
        return end;
    }
}
