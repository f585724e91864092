package io.talosgateway.rest.partition;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.trace.RequestTrace;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority;
import org.jspecify.annotations.Nullable;

/**
 * A get.
 *
 * @param maxMessages how many messages are enough; whole blocks are returned, one at least
 * @param maxBytes how many bytes of blocks are enough
 * @param maxWait how long to wait for a message if there is none
 * @param importance of the topic
 * @param forwarded whether another host has taken it from a client and handed it on
 * @param deadline when it must be answered; waiting ends before it
 * @param trace what names it in logs, and what is noted of its way; null if no client asked for it
 * @param clientGone completed when nobody waits for the answer any more; null if that is never known
 */
public record FetchRequest(
        TopicPartition partition,
        FetchFrom from,
        int maxMessages,
        int maxBytes,
        Duration maxWait,
        Priority.Importance importance,
        boolean forwarded,
        Deadline deadline,
        @Nullable RequestTrace trace,
        @Nullable CompletableFuture<Void> clientGone) {

    public FetchRequest(
            TopicPartition partition,
            FetchFrom from,
            int maxMessages,
            int maxBytes,
            Duration maxWait,
            Priority.Importance importance,
            boolean forwarded,
            Deadline deadline,
            @Nullable RequestTrace trace) {
        this(partition, from, maxMessages, maxBytes, maxWait, importance, forwarded, deadline, trace, null);
    }

    /** A get that comes from a client. */
    public FetchRequest(
            TopicPartition partition,
            FetchFrom from,
            int maxMessages,
            int maxBytes,
            Duration maxWait,
            Priority.Importance importance,
            Deadline deadline,
            @Nullable RequestTrace trace) {
        this(partition, from, maxMessages, maxBytes, maxWait, importance, false, deadline, trace);
    }

    /** The same, waiting for another time. */
    public FetchRequest withMaxWait(Duration wait) {
        return new FetchRequest(
                partition, from, maxMessages, maxBytes, wait, importance, forwarded, deadline, trace, clientGone);
    }

    /** The same, beginning elsewhere. */
    public FetchRequest from(FetchFrom other) {
        return new FetchRequest(
                partition, other, maxMessages, maxBytes, maxWait, importance, forwarded, deadline, trace, clientGone);
    }

    /** The same, with fewer bytes at most. */
    public FetchRequest withinBytes(int bytes) {
        return new FetchRequest(
                partition,
                from,
                maxMessages,
                Math.min(maxBytes, bytes),
                maxWait,
                importance,
                forwarded,
                deadline,
                trace,
                clientGone);
    }

    /** The same get, which stops waiting when its client has gone. */
    public FetchRequest endingWhen(@Nullable CompletableFuture<Void> gone) {
        return new FetchRequest(
                partition, from, maxMessages, maxBytes, maxWait, importance, forwarded, deadline, trace, gone);
    }

    /** Where it notes when it passes which stage; null if nobody wants to know. */
    public @Nullable Stages stages() {
        return trace == null ? null : trace.stages();
    }

    /** The same, with another trace. */
    public FetchRequest tracedBy(@Nullable RequestTrace newTrace) {
        return new FetchRequest(
                partition, from, maxMessages, maxBytes, maxWait, importance, forwarded, deadline, newTrace, clientGone);
    }

    /** The kind of work that reading recent messages for it is. */
    public Priority.Work work() {
        return forwarded ? Priority.Work.FORWARDED : Priority.Work.NORMAL;
    }
}
