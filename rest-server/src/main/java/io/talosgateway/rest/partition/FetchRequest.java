package io.talosgateway.rest.partition;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.topic.TopicPartition;
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
 * @param stages notes when it passes which; null if nobody asks
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
        @Nullable Stages stages,
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
            @Nullable Stages stages) {
        this(partition, from, maxMessages, maxBytes, maxWait, importance, forwarded, deadline, stages, null);
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
            @Nullable Stages stages) {
        this(partition, from, maxMessages, maxBytes, maxWait, importance, false, deadline, stages);
    }

    /** The same, waiting for another time. */
    public FetchRequest withMaxWait(Duration wait) {
        return new FetchRequest(
                partition, from, maxMessages, maxBytes, wait, importance, forwarded, deadline, stages, clientGone);
    }

    /** The same, beginning elsewhere. */
    public FetchRequest from(FetchFrom other) {
        return new FetchRequest(
                partition, other, maxMessages, maxBytes, maxWait, importance, forwarded, deadline, stages, clientGone);
    }

    /** The same get, which stops waiting when its client has gone. */
    public FetchRequest endingWhen(@Nullable CompletableFuture<Void> gone) {
        return new FetchRequest(
                partition, from, maxMessages, maxBytes, maxWait, importance, forwarded, deadline, stages, gone);
    }

    /** The kind of work that reading recent messages for it is. */
    public Priority.Work work() {
        return forwarded ? Priority.Work.FORWARDED : Priority.Work.NORMAL;
    }
}
