package io.talosgateway.rest.topicadmin;

import java.time.Duration;
import java.util.Map;

import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicOwnerInfo;
import org.jspecify.annotations.Nullable;

/**
 * A topic to create.
 *
 * @param ownerId principal or organisation that will own it
 * @param partitions null for the default
 * @param retention null for the default
 * @param acl principal to permission bits
 * @param ownerInfo for people
 * @param byAdmin whether an administrator asks
 */
public record TopicRequest(
        TopicName name,
        String ownerId,
        @Nullable Integer partitions,
        @Nullable Duration retention,
        Map<String, String> attributes,
        Map<String, Integer> acl,
        Quota quota,
        TopicOwnerInfo ownerInfo,
        boolean byAdmin) {}
