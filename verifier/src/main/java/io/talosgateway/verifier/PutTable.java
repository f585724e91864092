package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is known of each put, in {@value #BYTES} bytes: the sum of its attempts, and where it was found. For one thread.
 */
final class PutTable {

    static final int BYTES = 39;
    static final long NONE = -1;

    /** An attempt may have stored it. */
    static final int MAYBE_STORED = 1;

    private static final int INITIAL = 1024;

    private final List<OfWriter> writers = new ArrayList<>();

    /** The puts of a writer, by number. A put that was never made has no messages. */
    static final class OfWriter {
        int size;
        long[] firstStartNanos = new long[INITIAL];
        /** When it was acknowledged first; {@link #NONE} if it was not. */
        long[] acknowledgedNanos = new long[INITIAL];

        long[] acknowledgedAt = new long[INITIAL];
        /** Offset of its first message; {@link #NONE} if none of it was found. */
        long[] foundAt = new long[INITIAL];

        short[] partition = new short[INITIAL];
        short[] count = new short[INITIAL];
        short[] found = new short[INITIAL];
        byte[] flags = new byte[INITIAL];

        private void ensure(int number) {
            if (number >= count.length) {
                int length = Math.max(number + 1, count.length + (count.length >> 1));
                firstStartNanos = Arrays.copyOf(firstStartNanos, length);
                acknowledgedNanos = Arrays.copyOf(acknowledgedNanos, length);
                acknowledgedAt = Arrays.copyOf(acknowledgedAt, length);
                foundAt = Arrays.copyOf(foundAt, length);
                partition = Arrays.copyOf(partition, length);
                count = Arrays.copyOf(count, length);
                found = Arrays.copyOf(found, length);
                flags = Arrays.copyOf(flags, length);
            }
            size = Math.max(size, number + 1);
        }

        boolean has(int number) {
            return number >= 0 && number < size && count[number] > 0;
        }

        boolean isAcknowledged(int number) {
            return acknowledgedNanos[number] != NONE;
        }

        boolean is(int number, int flag) {
            return (flags[number] & flag) != 0;
        }

        void set(int number, int flag) {
            flags[number] |= (byte) flag;
        }

        int partition(int number) {
            return partition[number] & 0xffff;
        }
    }

    /** The writers, by number. */
    List<OfWriter> writers() {
        return writers;
    }

    /** The puts of an attempt's writer, with a row for it. */
    OfWriter rowFor(Attempt attempt) {
        while (writers.size() <= attempt.writer()) {
            writers.add(new OfWriter());
        }
        OfWriter puts = writers.get(attempt.writer());
        int number = attempt.number();
        puts.ensure(number);
        if (!puts.has(number)) {
            puts.firstStartNanos[number] = attempt.startNanos();
            puts.acknowledgedNanos[number] = NONE;
            puts.acknowledgedAt[number] = NONE;
            puts.foundAt[number] = NONE;
            puts.partition[number] = (short) attempt.partition();
            puts.count[number] = (short) attempt.count();
        }
        puts.firstStartNanos[number] = Math.min(puts.firstStartNanos[number], attempt.startNanos());
        return puts;
    }

    /** Whether a put was made. */
    boolean has(int writer, int number) {
        return writer >= 0 && writer < writers.size() && writers.get(writer).has(number);
    }
}
