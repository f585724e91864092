package io.talosgateway.rest.partition;

import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.trace.RequestTrace;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority;
import org.jspecify.annotations.Nullable;

/**
 * A put.
 *
 * @param idempotencyKey null if a repeat is not to be recognised
 * @param durability what it must have survived when it is answered; null for the gateway's default
 * @param importance of the topic
 * @param forwarded whether another host has taken it from a client and handed it on
 * @param deadline when it must be answered
 * @param trace what names it in logs, and what is noted of its way; null if no client asked for it
 * @param condition or nothing is stored
 */
public record PutRequest(
        TopicPartition partition,
        MessageBatch batch,
        @Nullable IdempotencyKey idempotencyKey,
        @Nullable Durability durability,
        Priority.Importance importance,
        boolean forwarded,
        Deadline deadline,
        @Nullable RequestTrace trace,
        PutCondition condition) {

    public PutRequest(
            TopicPartition partition,
            MessageBatch batch,
            @Nullable IdempotencyKey idempotencyKey,
            @Nullable Durability durability,
            Priority.Importance importance,
            boolean forwarded,
            Deadline deadline,
            @Nullable RequestTrace trace) {
        this(partition, batch, idempotencyKey, durability, importance, forwarded, deadline, trace, PutCondition.NONE);
    }

    /** A put that comes from a client. */
    public PutRequest(
            TopicPartition partition,
            MessageBatch batch,
            @Nullable IdempotencyKey idempotencyKey,
            @Nullable Durability durability,
            Priority.Importance importance,
            Deadline deadline,
            @Nullable RequestTrace trace) {
        this(partition, batch, idempotencyKey, durability, importance, false, deadline, trace);
    }

    /** The same, under a condition. */
    public PutRequest onlyIf(PutCondition newCondition) {
        return newCondition.equals(condition)
                ? this
                : new PutRequest(
                        partition,
                        batch,
                        idempotencyKey,
                        durability,
                        importance,
                        forwarded,
                        deadline,
                        trace,
                        newCondition);
    }

    /** Where it notes when it passes which stage; null if nobody wants to know. */
    public @Nullable Stages stages() {
        return trace == null ? null : trace.stages();
    }

    /** The same, with another trace. */
    public PutRequest tracedBy(@Nullable RequestTrace newTrace) {
        return new PutRequest(
                partition, batch, idempotencyKey, durability, importance, forwarded, deadline, newTrace, condition);
    }

    /** The kind of work that it is. */
    public Priority.Work work() {
        return forwarded ? Priority.Work.FORWARDED : Priority.Work.NORMAL;
    }
}
