package io.talosgateway.rest.topicadmin;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.admission.Refusals;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.TaskExpiredException;
import io.talosgateway.scheduler.TaskRejectedException;

/** Runs changes, which block, on a pool: those of a name one after another. Safe for use by any thread. */
final class Changes {

    private final HostedPartitions hosting;
    private final KeyedExecutor<TopicName> pool;

    Changes(HostedPartitions hosting, KeyedExecutor<TopicName> pool) {
        this.hosting = hosting;
        this.pool = pool;
    }

    <T> CompletableFuture<T> run(TopicName name, Deadline deadline, Callable<T> change) {
        try {
            Callable<T> confirmed = () -> {
                // What is written to an earlier state vanishes when the newest is back.
                hosting.requireNewestState();
                return change.call();
            };
            return pool.submit(name, Priority.CONTROL, deadline, confirmed).exceptionallyCompose(failure -> {
                if (failure instanceof TaskExpiredException) {
                    return CompletableFuture.failedFuture(new GatewayException(
                            ErrorCode.DEADLINE_EXCEEDED, "The time for the request ran out; nothing was changed."));
                }
                return CompletableFuture.failedFuture(failure);
            });
        } catch (TaskRejectedException e) {
            return CompletableFuture.failedFuture(Refusals.of(e));
        }
    }
}
