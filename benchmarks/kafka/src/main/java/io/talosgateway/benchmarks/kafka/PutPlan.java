package io.talosgateway.benchmarks.kafka;

import java.time.Duration;
import java.util.Map;

import io.talosgateway.loadgen.plan.Warmup;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What is put.
 *
 * @param bootstrap where the broker is, {@code host:port}
 * @param partitions of the topic; thread {@code i} puts to partition {@code i mod partitions}
 * @param size bytes of a message
 * @param warmup puts before any counts
 * @param duration how long they count
 * @param seed makes the same payload again
 */
record PutPlan(
        String bootstrap,
        String topic,
        int partitions,
        int threads,
        ProducerUse producers,
        int size,
        Warmup warmup,
        Duration duration,
        long seed) {

    private static final int MAX_THREADS = 10_000;

    /** @throws IllegalArgumentException with a sentence for the user if it cannot be done */
    PutPlan {
        check(partitions >= 1, "--partitions must be at least 1");
        check(threads >= 1 && threads <= MAX_THREADS, "--put-threads must be 1 to " + MAX_THREADS);
        check(size >= 1, "--size must be at least 1");
        check(duration.toMillis() >= 1, "--duration must be positive");
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    /**
     * Of a producer. The rest is as Kafka has it by default: idempotent, no compression, five requests under way, batches of at
     * most 16 KiB.
     */
    Map<String, Object> producerSettings() {
        return Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ProducerConfig.ACKS_CONFIG,
                "all",
                // Whoever waits for an answer must not wait for others to fill a batch.
                ProducerConfig.LINGER_MS_CONFIG,
                0,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class.getName(),
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class.getName());
    }
}
