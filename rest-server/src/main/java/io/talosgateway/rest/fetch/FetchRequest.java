package io.talosgateway.rest.fetch;

import java.time.Duration;

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
        @Nullable Stages stages) {

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
        return new FetchRequest(partition, from, maxMessages, maxBytes, wait, importance, forwarded, deadline, stages);
    }

    /** The kind of work that reading recent messages for it is. */
    Priority.Work work() {
        return forwarded ? Priority.Work.FORWARDED : Priority.Work.NORMAL;
    }
}
