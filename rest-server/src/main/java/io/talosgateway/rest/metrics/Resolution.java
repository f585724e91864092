package io.talosgateway.rest.metrics;

/**
 * The buckets of a latency, from 50 µs to 52 s: each doubling is divided into equal steps, so that the bucket of a time is found
 * without a search. The one place where bounds of latencies are chosen.
 */
public enum Resolution {
    /** A bucket is at most 6.25 % wide: for the latencies whose percentiles are published. 322 buckets. */
    FINE(16),
    /** A bucket is at most 50 % wide: for times that are compared by their means, and tell where time is lost. 42 buckets. */
    COARSE(2);

    private static final long FIRST_NANOS = 50_000;
    private static final int DOUBLINGS = 20;

    private final int steps;
    private final int stepsLog2;
    private final long stepNanos;

    Resolution(int steps) {
        this.steps = steps;
        this.stepsLog2 = Integer.numberOfTrailingZeros(steps);
        this.stepNanos = FIRST_NANOS / steps;
    }

    /** Buckets, with the last one, which has no bound. */
    int buckets() {
        return 2 + DOUBLINGS * steps;
    }

    /** The bucket of a time. */
    int bucketOf(long nanos) {
        if (nanos <= FIRST_NANOS) {
            return 0;
        }
        // The time in steps, less the one that belongs to the bucket which it ends.
        long whole = (nanos - 1) / stepNanos;
        int doubling = Long.SIZE - 1 - Long.numberOfLeadingZeros(whole) - stepsLog2;
        int step = (int) (whole >> doubling) - steps;
        return Math.min(1 + doubling * steps + step, buckets() - 1);
    }

    /** The longest time in a bucket, in seconds; infinite for the last. */
    double boundSeconds(int bucket) {
        if (bucket == buckets() - 1) {
            return Double.POSITIVE_INFINITY;
        }
        if (bucket == 0) {
            return FIRST_NANOS / 1e9;
        }
        int doubling = (bucket - 1) / steps;
        int step = (bucket - 1) % steps;
        return (((long) steps + step + 1) << doubling) * stepNanos / 1e9;
    }
}
