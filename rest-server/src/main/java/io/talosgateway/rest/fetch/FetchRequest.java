package io.talosgateway.rest.fetch;

import java.time.Duration;

import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority;

/**
 * A get.
 *
 * @param maxMessages how many messages are enough; whole blocks are returned, one at least
 * @param maxBytes how many bytes of blocks are enough
 * @param maxWait how long to wait for a message if there is none
 * @param importance of the topic
 * @param deadline when it must be answered; waiting ends before it
 */
public record FetchRequest(
        TopicPartition partition,
        FetchFrom from,
        int maxMessages,
        int maxBytes,
        Duration maxWait,
        Priority.Importance importance,
        Deadline deadline) {}
