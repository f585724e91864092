package io.talosgateway.rest.transaction;

import java.time.Duration;
import java.util.function.Supplier;

import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.statelog.StateLogParts;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.NanoClock;

/** Coordinators of transactions for tests. */
public final class TransactionCoordinators {

    public static final Duration TIMEOUT = Duration.ofSeconds(60);

    public static final int MAX_PREPARED = 50;

    /** So few bytes that logs are written anew all the time. */
    public static final TransactionConfig CONFIG =
            new TransactionConfig(TIMEOUT, DataSize.ofKiB(256), MAX_PREPARED, 200, new DataSize(2_000));

    private TransactionCoordinators() {}

    /** @param partitions of all hosts */
    public static TransactionCoordinator coordinator(
            HostedPartitions hosting,
            TopicRegistry topics,
            KeyedExecutor<TopicPartition> pool,
            Supplier<PartitionService> partitions,
            DeadlineTimer timer,
            NanoClock clock) {
        return new TransactionCoordinator(
                CONFIG,
                StateLogParts.of(Durability.DISK, hosting, topics, pool, clock),
                hosting,
                topics,
                partitions,
                new TimedAnswers(timer, Runnable::run));
    }
}
