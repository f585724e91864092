package io.talosgateway.rest.coordination;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * The topics of the cluster. Reading is from memory and does not block; a change made here is seen here at once, one made
 * by another host a little later. Changes block. Safe for use by any thread.
 */
public interface TopicRegistry {

    /** The topic with this name, or null. */
    @Nullable
    TopicMetadata find(TopicName name);

    /** The topic with this id, or null: it never was, or is deleted. */
    @Nullable
    TopicMetadata find(TopicId id);

    /** All topics, in no order. */
    Collection<TopicMetadata> all();

    /** The topics of an owner, in no order. Looks at all topics. */
    default Stream<TopicMetadata> ownedBy(String ownerId) {
        return all().stream().filter(topic -> topic.ownerId().equals(ownerId));
    }

    /**
     * Topics in order of name. Does not block.
     *
     * @param next the name of the last one, to go on after; null if there are no more
     */
    record Page(List<TopicMetadata> topics, @Nullable TopicName next) {}

    /**
     * The topics in order of name that come after a name and match, as far as is known here.
     *
     * @param after null for the first
     * @param maxBytes of their records, unless the first of them alone has more
     */
    Page page(@Nullable TopicName after, Predicate<TopicMetadata> wanted, int maxTopics, long maxBytes);

    /** What all topics take up, as far as is known here. Does not block. */
    TopicUsage usage();

    /** What the topics of an owner take up, as far as is known here. Does not block. */
    TopicUsage usage(String ownerId);

    /** Has {@code listener} called, on a thread of the coordination or the caller's of a change, after each change. */
    void onChange(Runnable listener);

    /**
     * Where the coordination holds what should be a topic and cannot be read here, written by a newer release for example. What is
     * known of the topics is not complete then: nothing may be deleted because its topic is not known. Does not block.
     */
    Set<String> unreadable();

    /**
     * The ids of all topics that there are when this is called, not as far as is known here. Blocks.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE}, also if any topic cannot be read
     */
    Set<TopicId> idsNow();

    /**
     * @throws io.talosgateway.rest.errors.GatewayException {@code TOPIC_EXISTS} if there is a topic of that name,
     *     {@code INVALID_TOPIC_PARAMETERS} if its record is too large, {@code COORDINATION_UNAVAILABLE} if it is not certain that
     *     it was created
     */
    void create(TopicMetadata topic);

    /**
     * Replaces {@code expected} by {@code changed}, which has the same name and id.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code TOPIC_NOT_FOUND} if it is gone or another incarnation,
     *     {@code OVERLOADED} if somebody else has just changed it, {@code INVALID_TOPIC_PARAMETERS} if its record became too large,
     *     {@code COORDINATION_UNAVAILABLE} if it is not certain that it was changed
     */
    void update(TopicMetadata expected, TopicMetadata changed);

    /**
     * Deletes the topic; does nothing if this incarnation of it is gone.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE} if that is not certain
     */
    void delete(TopicMetadata topic);
}
