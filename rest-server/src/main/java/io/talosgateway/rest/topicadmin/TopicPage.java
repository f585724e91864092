package io.talosgateway.rest.topicadmin;

import java.util.List;

import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * Topics in order of name.
 *
 * @param next the name of the last one, to go on after; null if there are no more
 */
public record TopicPage(
        List<TopicMetadata> topics, @Nullable TopicName next) {}
