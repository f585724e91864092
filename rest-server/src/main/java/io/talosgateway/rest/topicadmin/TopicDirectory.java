package io.talosgateway.rest.topicadmin;

import java.util.List;
import java.util.function.Predicate;

import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.coordination.TopicRegistry.Page;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import org.jspecify.annotations.Nullable;

/** Finds topics, whoever asks. From memory. Safe for use by any thread. */
public final class TopicDirectory {

    private static final long MAX_PAGE_BYTES = 1 << 20;
    /** With the default limits: of all topics that there may be, if their records have no more than 300 bytes. */
    private static final long MAX_LIST_BYTES = 32 << 20;

    private final TopicRegistry topics;

    public TopicDirectory(TopicRegistry topics) {
        this.topics = topics;
    }

    /** The topic with this name, or null. */
    public @Nullable TopicMetadata find(TopicName name) {
        return topics.find(name);
    }

    /**
     * The incarnation of a topic with this resource name, one of two if it was handed to an organization, or null. The id, behind the last {@code #}, finds it; the rest, in
     * which the owner may hold {@code #}, is compared.
     */
    public @Nullable TopicMetadata findByResourceName(String resourceName) {
        int hash = resourceName.lastIndexOf('#');
        try {
            TopicMetadata topic = topics.find(TopicId.parse(resourceName.substring(hash + 1)));
            return topic != null && topic.hasResourceName(resourceName) ? topic : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Some topics, by name.
     *
     * @param after where to go on; null for the first
     */
    public TopicPage list(@Nullable TopicName after, Predicate<TopicMetadata> wanted, int limit) {
        Page page = topics.page(after, wanted, limit, MAX_PAGE_BYTES);
        return new TopicPage(page.topics(), page.next());
    }

    /**
     * All topics that match, by name, for an interface that has no pages.
     *
     * @throws GatewayException {@code REQUEST_TOO_LARGE} if they are too many for one answer
     */
    public List<TopicMetadata> listAll(Predicate<TopicMetadata> wanted, int maxPartitions) {
        Page page = topics.page(null, wanted, Integer.MAX_VALUE, MAX_LIST_BYTES);
        if (page.next() != null
                || page.topics().stream().mapToLong(TopicMetadata::partitions).sum() > maxPartitions) {
            throw new GatewayException(
                    ErrorCode.REQUEST_TOO_LARGE,
                    ("There are too many topics for one answer: their records would have more than %d bytes, or they have more than "
                                    + "%d partitions. List them page by page with GET /v1/topics?limit=1000.")
                            .formatted(MAX_LIST_BYTES, maxPartitions));
        }
        return page.topics();
    }
}
