package io.talosgateway.deploy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Message;
import io.talosgateway.client.Messages;
import io.talosgateway.client.Position;
import io.talosgateway.client.Retry;

/**
 * Reads all partitions of a topic side by side, each from its start by one long poll after another. Holds no thread, however
 * many partitions there are.
 */
final class TopicFollower {

    private static final Duration LONG_POLL = Duration.ofSeconds(60);

    /** Hears every message; of one partition one at a time and in the order in which they were read. */
    @FunctionalInterface
    interface Listener {
        void read(int partition, Message message);
    }

    private final GatewayClient client;
    private final String topic;
    private final int partitions;
    private final Listener listener;
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private volatile boolean stopped;

    TopicFollower(GatewayClient client, String topic, int partitions, Listener listener) {
        this.client = client;
        this.topic = topic;
        this.partitions = partitions;
        this.listener = listener;
    }

    void start() {
        for (int partition = 0; partition < partitions; partition++) {
            poll(partition, 0);
        }
    }

    /** Sends no more polls; those that wait go on. */
    void stop() {
        stopped = true;
    }

    /** Fails when a partition cannot be read on, or the listener throws; never completes otherwise. */
    CompletableFuture<Void> failure() {
        return failure;
    }

    private void poll(int partition, long offset) {
        if (stopped) {
            return;
        }
        client.get(topic, partition, Position.offset(offset), GetOptions.DEFAULT.withMaxWait(LONG_POLL))
                .whenComplete((messages, problem) -> {
                    try {
                        poll(partition, problem == null ? read(partition, offset, messages) : retry(offset, problem));
                    } catch (Exception | AssertionError e) {
                        failure.completeExceptionally(e);
                    }
                });
    }

    private long read(int partition, long offset, Messages messages) {
        long next = offset;
        for (Message message : messages.messages()) {
            if (message.offset() != next) {
                throw new AssertionError("partition %d: offset %d comes where %d should be"
                        .formatted(partition, message.offset(), next));
            }
            next++;
            listener.read(partition, message);
        }
        return next;
    }

    private static long retry(long offset, Throwable problem) {
        Throwable cause =
                problem.getCause() == null || problem instanceof GatewayClientException ? problem : problem.getCause();
        if (cause instanceof GatewayClientException reason && reason.retry() != Retry.NEVER) {
            return offset;
        }
        throw new AssertionError("cannot go on at offset " + offset, problem);
    }
}
