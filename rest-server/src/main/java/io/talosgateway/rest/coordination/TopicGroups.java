package io.talosgateway.rest.coordination;

import java.util.Collection;

import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroupName;
import org.jspecify.annotations.Nullable;

/**
 * The topic groups of the cluster. Reading is from memory and does not block; a change made here is seen here at once, one made by
 * another host a little later. Changes block. Safe for use by any thread.
 */
public interface TopicGroups {

    /** The group with this name, or null. */
    @Nullable
    TopicGroup find(TopicGroupName name);

    /** All groups, in no order. */
    Collection<TopicGroup> all();

    /**
     * @throws io.talosgateway.rest.errors.GatewayException {@code TOPIC_GROUP_EXISTS} if there is a group of that name,
     *     {@code COORDINATION_UNAVAILABLE} if it is not certain that it was created
     */
    void create(TopicGroup group);

    /**
     * Replaces {@code expected} by {@code changed}, which has the same name.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code TOPIC_GROUP_NOT_FOUND} if it is gone, {@code OVERLOADED} if
     *     somebody else has just changed it, {@code COORDINATION_UNAVAILABLE} if it is not certain that it was changed
     */
    void update(TopicGroup expected, TopicGroup changed);

    /**
     * Deletes a group; does nothing if it is gone.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code OVERLOADED} if somebody else has just changed it,
     *     {@code COORDINATION_UNAVAILABLE} if it is not certain that it was deleted
     */
    void delete(TopicGroup expected);
}
