package io.talosgateway.rest.topicadmin;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What to change of a topic; null leaves it as it is.
 *
 * @param partitions new number of partitions, at least as many as there are
 * @param attributes replace all attributes
 * @param byAdmin whether an administrator asks
 */
public record TopicChange(
        @Nullable Integer partitions,
        @Nullable Duration retention,
        @Nullable Map<String, String> attributes,
        boolean byAdmin) {}
