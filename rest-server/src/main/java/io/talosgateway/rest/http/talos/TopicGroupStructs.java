package io.talosgateway.rest.http.talos;

import java.util.List;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroup.Definition;
import io.talosgateway.rest.topic.TopicGroup.Listed;
import io.talosgateway.rest.topic.TopicGroup.Matching;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPattern;
import io.talosgateway.thrift.TopicGroupType;
import org.jspecify.annotations.Nullable;

/** Topic groups as the structs of the SDKs. */
final class TopicGroupStructs {

    private TopicGroupStructs() {}

    /** The Go SDK looks which of pattern and names is there, so that only one is. */
    static io.talosgateway.thrift.TopicGroup struct(TopicGroup group) {
        io.talosgateway.thrift.TopicGroup struct = new io.talosgateway.thrift.TopicGroup()
                .setTopicGroupName(group.name().value())
                .setOwnerId(group.ownerId());
        Definition definition = group.definition();
        if (definition instanceof Matching matching) {
            struct.setType(TopicGroupType.TOPIC_PATTERN)
                    .setTopicPattern(matching.pattern().text());
            return matching.excluded().isEmpty() ? struct : struct.setExclusiveTopics(texts(matching.excluded()));
        }
        return struct.setType(TopicGroupType.TOPIC_SET).setTopicSet(texts(((Listed) definition).topics()));
    }

    private static List<String> texts(List<TopicName> names) {
        return names.stream().map(TopicName::value).toList();
    }

    /**
     * Which topics a client wants in a group.
     *
     * @throws GatewayException {@code INVALID_TOPIC_GROUP}
     */
    static Definition definition(io.talosgateway.thrift.TopicGroup struct) {
        try {
            boolean hasPattern = struct.isSetTopicPattern();
            List<TopicName> topics = names(struct.getTopicSet());
            List<TopicName> excluded = names(struct.getExclusiveTopics());
            boolean matching = struct.getType() == TopicGroupType.TOPIC_PATTERN;
            if (matching != hasPattern || (matching ? !topics.isEmpty() : !excluded.isEmpty())) {
                throw new IllegalArgumentException(
                        "A topic group of the type TOPIC_PATTERN has a topicPattern, and may have exclusiveTopics; one of the type "
                                + "TOPIC_SET has a topicSet and nothing else.");
            }
            return matching ? new Matching(new TopicPattern(struct.getTopicPattern()), excluded) : new Listed(topics);
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(ErrorCode.INVALID_TOPIC_GROUP, e);
        }
    }

    private static List<TopicName> names(@Nullable List<String> texts) {
        return texts == null ? List.of() : texts.stream().map(TopicName::new).toList();
    }
}
