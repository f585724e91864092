package io.talosgateway.deploy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What the writers of a crash test share. Safe for use by any thread. */
final class CrashRun {

    private static final long PAUSE_MS = 100;

    private final GatewayProcess gateway;
    private final String topic;
    private final int partitions;
    private final long seed;
    private final LongAdder acknowledged = new LongAdder();
    private volatile CountDownLatch serving = new CountDownLatch(0);
    private volatile boolean ending;

    CrashRun(GatewayProcess gateway, String topic, int partitions, long seed) {
        this.gateway = gateway;
        this.topic = topic;
        this.partitions = partitions;
        this.seed = seed;
    }

    GatewayProcess gateway() {
        return gateway;
    }

    String topic() {
        return topic;
    }

    int partitions() {
        return partitions;
    }

    long seed() {
        return seed;
    }

    void countAcknowledged(int messages) {
        acknowledged.add(messages);
    }

    /** Messages acknowledged so far. */
    long acknowledged() {
        return acknowledged.sum();
    }

    void gatewayIsAway() {
        serving = new CountDownLatch(1);
    }

    void gatewayServes() {
        serving.countDown();
    }

    /** Returns when the gateway serves, but soon anyhow: it is to be asked while it starts, too. */
    void pauseWhileAway() throws InterruptedException {
        serving.await(PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    void end() {
        ending = true;
    }

    boolean isEnding() {
        return ending;
    }
}
