package io.talosgateway.rest.forwarding.thrift;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a host is left alone that could not be reached: twice as long after each failure in a row, up to a bound, less up
 * to half of it by chance, so that hosts do not come back all at once. Not safe for several threads.
 */
final class BackOff {

    private static final int MAX_DOUBLINGS = 30;

    private final Duration min;
    private final Duration max;
    private final RandomGenerator random;
    private int failures;

    BackOff(Duration min, Duration max, RandomGenerator random) {
        this.min = min;
        this.max = max;
        this.random = random;
    }

    /** Counts a failure; returns how long to wait now, nanoseconds. */
    long failed() {
        long longest = Math.min(max.toNanos(), min.toNanos() << Math.min(failures, MAX_DOUBLINGS));
        if (longest <= 0) {
            longest = max.toNanos(); // the shift overflowed
        }
        failures++;
        return longest - random.nextLong(longest / 2 + 1);
    }

    /** Failures in a row. */
    int failures() {
        return failures;
    }

    void succeeded() {
        failures = 0;
    }
}
