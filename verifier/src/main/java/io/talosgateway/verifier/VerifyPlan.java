package io.talosgateway.verifier;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a run does.
 *
 * @param writers the first half, rounded up, wait for each answer: one put to each of their partitions; the others share all
 *     partitions
 * @param readers of each partition
 * @param size most bytes of a message
 * @param putRate puts a second of all writers together
 * @param timeout what most puts are given
 * @param tolerance how much later an answer may come
 * @param faults none for an empty list
 * @param faultEvery from the beginning of a fault to that of the next
 * @param pause how long a gateway is paused or cut off, longer than its ZooKeeper session lasts
 * @param retention of the messages of every fourth partition; null if none expire
 * @param seed of whatever is random
 */
public record VerifyPlan(
        Duration duration,
        int partitions,
        int writers,
        int readers,
        int size,
        int putRate,
        Duration timeout,
        Duration tolerance,
        List<FaultKind> faults,
        Duration faultEvery,
        Duration pause,
        @Nullable Duration retention,
        long seed) {

    static final int MAX_WRITERS = 1_000;
    static final int MAX_READERS = 100;
    static final int MAX_PARTITIONS = 1_000;
    static final int MAX_SIZE = 1 << 20;

    private static final int ONE_OF_EXPIRES = 4;

    /** @throws IllegalArgumentException with a sentence for the user if it cannot be done */
    public VerifyPlan {
        check(duration.toMillis() >= 1, "--duration must be positive");
        check(partitions >= 1 && partitions <= MAX_PARTITIONS, "--partitions must be 1 to " + MAX_PARTITIONS);
        check(writers >= 1 && writers <= MAX_WRITERS, "--writers must be 1 to " + MAX_WRITERS);
        check(readers >= 0 && readers <= MAX_READERS, "--readers must be 0 to " + MAX_READERS);
        check(
                size >= WrittenContent.HEADER_BYTES && size <= MAX_SIZE,
                "--size must be %dB to %dMiB".formatted(WrittenContent.HEADER_BYTES, MAX_SIZE >> 20));
        check(putRate >= 1, "--put-rate must be at least 1");
        check(timeout.toMillis() >= 20 && timeout.toSeconds() <= 60, "--timeout must be 20ms to 60s");
        check(!faultEvery.isZero(), "--fault-every must be positive");
        check(retention == null || partitions > 1, "--retention needs two --partitions or more");
        faults = List.copyOf(faults);
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    /** How many partitions keep their messages: the first ones. */
    int keptPartitions() {
        return retention == null ? partitions : partitions - Math.max(1, partitions / ONE_OF_EXPIRES);
    }

    /** How many writers wait for each answer. */
    int orderedWriters() {
        return (writers + 1) / 2;
    }

    /** The writer of the puts that find out whether all is well. */
    int prober() {
        return writers;
    }

    /** Whether a writer has no two puts to one partition under way. */
    boolean waitsForEachAnswer(int writer) {
        return writer < orderedWriters() || writer == prober();
    }
}
