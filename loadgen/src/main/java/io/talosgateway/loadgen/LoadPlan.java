package io.talosgateway.loadgen;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a run does.
 *
 * @param endpoint the gateway's
 * @param credentials null to send none
 * @param partitions how many partitions of the topic are used; producer and reader {@code i} are bound to partition
 *     {@code i mod partitions}
 * @param putRate puts a second of all producers together, each at its time; null for a closed loop
 * @param timeout how long the gateway may take for a put; null for the gateway's own limit
 * @param size bytes of a message
 * @param warmup how long there is load before anything counts
 * @param duration how long it counts
 * @param seed makes the same payload again
 * @param idempotencyKeys whether each put carries a key
 */
record LoadPlan(
        Endpoint endpoint,
        @Nullable Credentials credentials,
        String topic,
        int partitions,
        int putThreads,
        int getThreads,
        @Nullable Integer putRate,
        @Nullable Duration timeout,
        int size,
        Duration warmup,
        Duration duration,
        long seed,
        boolean idempotencyKeys) {

    static final int MAX_THREADS = 10_000;

    /** @throws LoadFailure with a sentence for the user if it cannot be done */
    LoadPlan {
        if (!topic.matches("[A-Za-z0-9_-]{1,80}")) {
            throw new LoadFailure(
                    "'%s' is not a topic's name: use 1 to 80 letters, digits, '_' and '-'".formatted(topic));
        }
        check(partitions >= 1, "--partitions must be at least 1");
        check(putThreads >= 0 && putThreads <= MAX_THREADS, "--put-threads must be 0 to " + MAX_THREADS);
        check(getThreads >= 0 && getThreads <= MAX_THREADS, "--get-threads must be 0 to " + MAX_THREADS);
        check(putThreads + getThreads > 0, "There is nothing to do: both --put-threads and --get-threads are 0");
        check(putRate == null || putRate >= 1, "--put-rate must be at least 1");
        check(putRate == null || putThreads > 0, "--put-rate needs producers: --put-threads is 0");
        check(timeout == null || timeout.toMillis() >= 1, "--timeout must be at least 1ms");
        check(size >= 1, "--size must be at least 1B");
        check(duration.toMillis() >= 1, "--duration must be positive");
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new LoadFailure(rule);
        }
    }

    /** The path of a partition's messages. */
    String messagesPath(int worker) {
        return "/v1/topics/%s/partitions/%d/messages".formatted(topic, worker % partitions);
    }

    /** The lines that every request has after its request line, without the empty one that ends them. */
    String commonHeaders() {
        return endpoint.headers(credentials);
    }
}
