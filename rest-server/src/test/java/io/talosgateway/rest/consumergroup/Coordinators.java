package io.talosgateway.rest.consumergroup;

import java.time.Duration;

import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.statelog.StateLogParts;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.NanoClock;

/** Coordinators of consumer groups for tests. */
public final class Coordinators {

    public static final Duration LEASE = Duration.ofSeconds(30);

    /** So few that logs are written anew all the time. */
    public static final int MIN_SUPERSEDED = 10;

    private Coordinators() {}

    public static GroupCoordinator coordinator(
            HostedPartitions hosting,
            TopicRegistry topics,
            KeyedExecutor<TopicPartition> pool,
            DeadlineTimer timer,
            NanoClock clock) {
        return new GroupCoordinator(
                new GroupConfig(LEASE, 10_000, MIN_SUPERSEDED),
                StateLogParts.of(Durability.DISK, hosting, topics, pool, clock),
                new TimedAnswers(timer, Runnable::run));
    }
}
