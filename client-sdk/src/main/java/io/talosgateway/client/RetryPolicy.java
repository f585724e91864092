package io.talosgateway.client;

import java.time.Duration;

/**
 * How often a request that may be repeated is sent: with pauses that double, and not beyond the request's time.
 *
 * @param maxAttempts at least 1; 1 for no retries
 * @param firstPause before the second attempt
 * @param maxPause between attempts
 */
public record RetryPolicy(int maxAttempts, Duration firstPause, Duration maxPause) {

    public static final RetryPolicy DEFAULT = new RetryPolicy(8, Duration.ofMillis(50), Duration.ofSeconds(2));
    public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, Duration.ZERO);

    public RetryPolicy {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1: " + maxAttempts);
        }
    }

    /** Whether another attempt may follow. */
    boolean mayTryAgain(int attempts, Retry retry) {
        return attempts < maxAttempts && retry.isSafe();
    }

    /**
     * The pause after so many attempts.
     *
     * @param random from 0 to 1: takes away up to half, so that clients that failed together do not come back together
     */
    public Duration pauseAfter(int attempts, double random) {
        double doubled = firstPause.toMillis() * Math.pow(2, attempts - 1);
        double capped = Math.min(doubled, (double) maxPause.toMillis());
        return Duration.ofMillis(Math.round(capped * (1 - random / 2)));
    }
}
