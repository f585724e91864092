package io.talosgateway.loadgen.plan;

import java.time.Duration;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.content.Content;

/**
 * What makes a run a queue: consumers that take the messages out in order, and acknowledge one after another.
 *
 * @param consumers consumer {@code i} has the partitions that are {@code i} modulo the number of consumers
 * @param cost what a consumer takes for each message
 * @param consumersAfter when they begin, from the beginning of the time that counts on
 * @param window how many messages may be put and not yet acknowledged; 0 for as many as the producer can
 */
public record Queue(int consumers, Duration cost, Duration consumersAfter, int window) {

    /** Bytes of a message: when it was put, and its number. */
    public static final int STAMP_BYTES = 2 * Long.BYTES;

    /** @throws LoadFailure with a sentence for the user if that cannot be done with the rest of a plan */
    void check(int partitions, Traffic puts, Content content, Duration duration) {
        LoadFailure.check(puts.clients() >= 1, "--pending must be at least 1");
        LoadFailure.check(window >= 0, "--window must be at least 1, or 0 for none");
        LoadFailure.check(
                window == 0 || window >= content.batch(),
                "--window must not be smaller than --batch: no put would fit");
        LoadFailure.check(
                consumers >= 1 && consumers <= partitions,
                "--consumers must be 1 to --partitions (%d): a partition has one consumer".formatted(partitions));
        LoadFailure.check(content.meanSize() >= STAMP_BYTES, "--size must be at least %dB".formatted(STAMP_BYTES));
        LoadFailure.check(
                consumersAfter.compareTo(duration) < 0,
                "--consumers-after must be less than --duration: nothing would be consumed");
    }
}
