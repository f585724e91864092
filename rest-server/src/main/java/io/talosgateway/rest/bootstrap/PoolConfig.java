package io.talosgateway.rest.bootstrap;

import io.talosgateway.scheduler.KeyedThreadPoolConfig;
import io.talosgateway.scheduler.PlacementPolicy;

/**
 * A pool of threads.
 *
 * @param threads number of threads
 * @param policy {@code least-loaded} or {@code hash}
 * @param maxQueued most tasks that wait
 * @param maxQueuedPerKey most tasks of one key (a partition, a topic) that wait
 * @param maxBypasses how often in a row a ready key may be passed over for one of higher priority
 */
record PoolConfig(int threads, String policy, int maxQueued, int maxQueuedPerKey, int maxBypasses) {

    KeyedThreadPoolConfig named(String name) {
        PlacementPolicy placement = switch (policy) {
            case "least-loaded" -> PlacementPolicy.LEAST_LOADED;
            case "hash" -> PlacementPolicy.HASH;
            default ->
                throw new IllegalArgumentException(name + ".policy must be least-loaded or hash, not '" + policy + "'");
        };
        try {
            return new KeyedThreadPoolConfig(name, threads, placement, maxQueuedPerKey, maxQueued, maxBypasses);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + ".threads, .max-queued, .max-queued-per-key and .max-bypasses must be positive: " + threads
                            + ", " + maxQueued + ", " + maxQueuedPerKey + ", " + maxBypasses,
                    e);
        }
    }
}
