package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The periods of a run, each begun by a fault, by the load, or by its end. Knows how long a fault was felt: the longest time in
 * which a partition acknowledged no put, or answered no get. And knows who could not be held to answer: gateways to which
 * something was done, from the fault until they are ready again. Instants are nanoseconds since the run began. Safe for use by
 * any thread.
 */
final class Periods {

    /** One that is over does not change any more. */
    static final class Period {

        /** What began it. */
        final String name;
        /** Null if no fault began it. */
        final @Nullable Fault fault;

        final long beganNanos;
        /** When the command had ended that puts the host of the fault back. */
        long backNanos = Long.MAX_VALUE;
        /** When the gateways were ready again to which something was done. */
        long readyNanos = Long.MAX_VALUE;
        /** Without an acknowledged put, for each partition. */
        final long[] longestNanos;
        /** Without an answered get, of all partitions. */
        long worstGetNanos;

        private Period(String name, @Nullable Fault fault, long beganNanos, int partitions) {
            this.name = name;
            this.fault = fault;
            this.beganNanos = beganNanos;
            this.longestNanos = new long[partitions];
        }

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

        private boolean excuses(int gateway, long startNanos, long endNanos) {
            return fault != null
                    && fault.excused().contains(gateway)
                    && startNanos <= readyNanos
                    && endNanos >= beganNanos;
        }
    }

    private final List<Period> over = new ArrayList<>();
    private final long[] putSinceNanos;
    private final long[] getSinceNanos;
    private Period current;

    /** @param name of the first period, which begins now */
    Periods(int partitions, String name) {
        putSinceNanos = new long[partitions];
        getSinceNanos = new long[partitions];
        current = new Period(name, null, 0, partitions);
    }

    /** A put was acknowledged. */
    synchronized void put(int partition, long nowNanos) {
        current.longestNanos[partition] =
                Math.max(current.longestNanos[partition], nowNanos - putSinceNanos[partition]);
        putSinceNanos[partition] = Math.max(putSinceNanos[partition], nowNanos);
    }

    /** A get was answered with messages, or with the end. */
    synchronized void got(int partition, long nowNanos) {
        current.worstGetNanos = Math.max(current.worstGetNanos, nowNanos - getSinceNanos[partition]);
        getSinceNanos[partition] = Math.max(getSinceNanos[partition], nowNanos);
    }

    /** Ends a period and begins the next: what was waited before does not count in it. */
    void begin(String next, long nowNanos) {
        begin(next, null, nowNanos);
    }

    /** The same, with a fault. */
    void begin(Fault fault, long nowNanos) {
        begin(fault.kind().text(), fault, nowNanos);
    }

    private synchronized void begin(String next, @Nullable Fault fault, long nowNanos) {
        for (int partition = 0; partition < putSinceNanos.length; partition++) {
            put(partition, nowNanos);
            got(partition, nowNanos);
            putSinceNanos[partition] = nowNanos;
            getSinceNanos[partition] = nowNanos;
        }
        over.add(current);
        current = new Period(next, fault, nowNanos, putSinceNanos.length);
    }

    /** The host of the fault was put back. */
    synchronized void back(long nowNanos) {
        current.backNanos = nowNanos;
    }

    /** The gateways are ready again. */
    synchronized void ready(long nowNanos) {
        current.readyNanos = nowNanos;
    }

    /** Whether a request to a gateway met a fault of it. To be asked as soon as the request has ended. */
    synchronized boolean excuse(int gateway, long startNanos, long endNanos) {
        return current.excuses(gateway, startNanos, endNanos)
                || over.stream().anyMatch(period -> period.excuses(gateway, startNanos, endNanos));
    }

    /** The periods that are over. */
    synchronized List<Period> over() {
        return List.copyOf(over);
    }
}
