package io.talosgateway.rest.http;

import java.util.List;
import java.util.function.Predicate;

import io.talosgateway.rest.auth.Authorizer;
import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topicadmin.TopicDirectory;
import io.talosgateway.rest.topicadmin.TopicPage;
import org.jspecify.annotations.Nullable;

/**
 * The only way from a request to a topic: finds it if the caller may do with it what the request is for. A topic of which the
 * caller may see nothing is answered like one that does not exist. Safe for use by any thread.
 */
public final class AuthorizedTopics {

    private final TopicDirectory topics;

    public AuthorizedTopics(TopicDirectory topics) {
        this.topics = topics;
    }

    /**
     * The topic with this name.
     *
     * @param operation needs a permission on a topic
     * @throws GatewayException {@code TOPIC_NOT_FOUND}, {@code PERMISSION_DENIED}
     */
    public TopicMetadata find(Principal principal, Operation operation, TopicName name) {
        TopicMetadata topic = allowed(principal, operation, topics.find(name));
        if (topic == null) {
            throw new GatewayException(
                    ErrorCode.TOPIC_NOT_FOUND,
                    "There is no topic '" + name
                            + "' that this key may see; create it, check its name, or ask its owner "
                            + "for a permission.");
        }
        return topic;
    }

    /**
     * The incarnation of a topic with this resource name.
     *
     * @param operation needs a permission on a topic
     * @throws GatewayException {@code TOPIC_NOT_FOUND}, also if it was deleted, and maybe created again;
     *     {@code PERMISSION_DENIED}
     */
    public TopicMetadata findByResourceName(Principal principal, Operation operation, String resourceName) {
        TopicMetadata topic = allowed(principal, operation, topics.findByResourceName(resourceName));
        if (topic == null) {
            throw new GatewayException(
                    ErrorCode.TOPIC_NOT_FOUND,
                    "There is no topic with the resource name '" + resourceName
                            + "' that this key may see: it was deleted, "
                            + "and maybe created again, or its owner has revoked a permission. Describe the topic to get its "
                            + "current resource name.");
        }
        return topic;
    }

    private static @Nullable TopicMetadata allowed(
            Principal principal, Operation operation, @Nullable TopicMetadata topic) {
        if (topic == null) {
            return null;
        }
        return switch (Authorizer.decide(principal, operation, topic)) {
            case ALLOWED -> topic;
            case FORBIDDEN -> throw Authorizer.refusal(principal, operation, topic);
            case INVISIBLE -> null;
        };
    }

    /**
     * Some of the topics that the caller may describe, by name.
     *
     * @param prefix with which their names begin
     * @param after where to go on; null for the first
     */
    public TopicPage list(Principal principal, String prefix, @Nullable TopicName after, int limit) {
        return topics.list(
                after, topic -> topic.name().value().startsWith(prefix) && Authorizer.isShown(principal, topic), limit);
    }

    /**
     * All topics that the caller may describe, by name.
     *
     * @throws GatewayException {@code REQUEST_TOO_LARGE} if they are too many for one answer
     */
    public List<TopicMetadata> listAll(Principal principal, int maxPartitions) {
        return topics.listAll(topic -> Authorizer.isShown(principal, topic), maxPartitions);
    }

    /**
     * All topics that the caller may describe and that match, by name.
     *
     * @throws GatewayException {@code REQUEST_TOO_LARGE} if they are too many for one answer
     */
    public List<TopicMetadata> listAll(Principal principal, Predicate<TopicMetadata> wanted) {
        return topics.listAll(topic -> Authorizer.isShown(principal, topic) && wanted.test(topic), Integer.MAX_VALUE);
    }

    /**
     * All topics that are bound to the caller, by name: its own, and those on which it was granted something.
     *
     * @throws GatewayException {@code REQUEST_TOO_LARGE} if they are too many for one answer
     */
    public List<TopicMetadata> listBound(Principal principal) {
        return topics.listAll(topic -> Authorizer.isBound(principal, topic), Integer.MAX_VALUE);
    }
}
