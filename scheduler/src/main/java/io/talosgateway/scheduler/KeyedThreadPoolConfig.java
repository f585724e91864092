package io.talosgateway.scheduler;

/**
 * How a {@link KeyedThreadPool} is built.
 *
 * @param name prefix of the thread names
 * @param workers number of threads
 * @param policy which worker a key is bound to
 * @param limits how much may be queued
 * @param maxBypasses how often in a row a ready key may be passed over for one of higher priority
 */
public record KeyedThreadPoolConfig(
        String name, int workers, PlacementPolicy policy, QueueLimits limits, int maxBypasses) {

    public KeyedThreadPoolConfig {
        checkPositive("workers", workers);
        checkPositive("maxBypasses", maxBypasses);
    }

    private static void checkPositive(String name, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}
