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
     * @param longestNanos for each partition
     */
    @SuppressWarnings("ArrayRecordComponent") // Not compared.
    record Period(String name, long[] longestNanos) {

        /** Of all partitions. */
        long worstNanos() {
            return Arrays.stream(longestNanos).max().orElse(0);
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
            long[] sorted = longestNanos.clone();
            Arrays.sort(sorted);
            return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
        }
    }

    private final List<Period> periods = new ArrayList<>();
    private final long[] sinceNanos;
    private long[] longestNanos;
    private String name;

    /** @param name of the first period, which begins now */
    ServiceGaps(int partitions, String name, long nowNanos) {
        this.name = name;
        sinceNanos = new long[partitions];
        longestNanos = new long[partitions];
        Arrays.fill(sinceNanos, nowNanos);
    }

    synchronized void acknowledged(int partition, long nowNanos) {
        extend(partition, nowNanos);
        sinceNanos[partition] = Math.max(sinceNanos[partition], nowNanos);
    }

    private void extend(int partition, long nowNanos) {
        longestNanos[partition] = Math.max(longestNanos[partition], nowNanos - sinceNanos[partition]);
    }

    /** Ends a period and begins the next: what was waited before does not count in it. */
    synchronized void begin(String next, long nowNanos) {
        for (int partition = 0; partition < sinceNanos.length; partition++) {
            extend(partition, nowNanos);
            sinceNanos[partition] = nowNanos;
        }
        periods.add(new Period(name, longestNanos));
        longestNanos = new long[sinceNanos.length];
        name = next;
    }

    /** The periods that are over. */
    synchronized List<Period> periods() {
        return List.copyOf(periods);
    }
}
