package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The longest time in which a partition acknowledged no put, or answered no get, in each period; a fault begins a period. Says how long a fault
 * was felt. Instants are nanoseconds since the run began. Safe for use by any thread.
 */
final class ServiceGaps {

    /**
     * A period that is over.
     *
     * @param name what began it
     * @param longestNanos without an acknowledged put, for each partition
     * @param worstGetNanos without an answered get, of all partitions
     */
    @SuppressWarnings("ArrayRecordComponent") // Not compared.
    record Period(String name, long[] longestNanos, long worstGetNanos) {

        /** Of all partitions. */
        long worstNanos() {
            return longestNanos[worstPartition()];
        }

        /** The partition that waited longest. */
        int worstPartition() {
            int worst = 0;
            for (int partition = 1; partition < longestNanos.length; partition++) {
                worst = longestNanos[partition] > longestNanos[worst] ? partition : worst;
            }
            return worst;
        }

        /** Of the partition in the middle. */
        long medianNanos() {
            return Arrays.stream(longestNanos).sorted().toArray()[longestNanos.length / 2];
        }
    }

    private final List<Period> periods = new ArrayList<>();
    private final long[] putSinceNanos;
    private final long[] getSinceNanos;
    private long[] longestNanos;
    private long worstGetNanos;
    private String name;

    /** @param name of the first period, which begins now */
    ServiceGaps(int partitions, String name) {
        this.name = name;
        putSinceNanos = new long[partitions];
        getSinceNanos = new long[partitions];
        longestNanos = new long[partitions];
    }

    /** A put was acknowledged. */
    synchronized void put(int partition, long nowNanos) {
        longestNanos[partition] = Math.max(longestNanos[partition], nowNanos - putSinceNanos[partition]);
        putSinceNanos[partition] = Math.max(putSinceNanos[partition], nowNanos);
    }

    /** A get was answered with messages, or with the end. */
    synchronized void got(int partition, long nowNanos) {
        worstGetNanos = Math.max(worstGetNanos, nowNanos - getSinceNanos[partition]);
        getSinceNanos[partition] = Math.max(getSinceNanos[partition], nowNanos);
    }

    /** Ends a period and begins the next: what was waited before does not count in it. */
    synchronized void begin(String next, long nowNanos) {
        for (int partition = 0; partition < putSinceNanos.length; partition++) {
            put(partition, nowNanos);
            got(partition, nowNanos);
            putSinceNanos[partition] = nowNanos;
            getSinceNanos[partition] = nowNanos;
        }
        periods.add(new Period(name, longestNanos, worstGetNanos));
        longestNanos = new long[putSinceNanos.length];
        worstGetNanos = 0;
        name = next;
    }

    /** The periods that are over. */
    synchronized List<Period> periods() {
        return List.copyOf(periods);
    }
}
