package io.talosgateway.rest.topicadmin;

import java.util.Collection;

import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import org.jspecify.annotations.Nullable;

/** Finds topics, whoever asks. From memory. Safe for use by any thread. */
public final class TopicDirectory {

    private final TopicRegistry topics;

    public TopicDirectory(TopicRegistry topics) {
        this.topics = topics;
    }

    /** The topic with this name, or null. */
    public @Nullable TopicMetadata find(TopicName name) {
        return topics.find(name);
    }

    /**
     * The incarnation of a topic with this resource name, or null. The id, behind the last {@code #}, finds it; the rest, in
     * which the owner may hold {@code #}, is compared.
     */
    public @Nullable TopicMetadata findByResourceName(String resourceName) {
        int hash = resourceName.lastIndexOf('#');
        try {
            TopicMetadata topic = topics.find(TopicId.parse(resourceName.substring(hash + 1)));
            return topic != null && topic.resourceName().equals(resourceName) ? topic : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** All topics, in no order. */
    public Collection<TopicMetadata> all() {
        return topics.all();
    }
}
