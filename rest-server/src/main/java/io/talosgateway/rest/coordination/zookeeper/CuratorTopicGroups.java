package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.util.Collection;

import io.talosgateway.rest.coordination.TopicGroups;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroupName;
import org.jspecify.annotations.Nullable;

/** Topic groups as nodes that have their names. */
record CuratorTopicGroups(CuratorRecords<TopicGroup> records) implements TopicGroups {

    static final CuratorRecords.Kind<TopicGroup> KIND = new CuratorRecords.Kind<>() {

        @Override
        public String title() {
            return "a topic group";
        }

        @Override
        public String name(TopicGroup group) {
            return group.name().value();
        }

        @Override
        public byte[] encode(TopicGroup group) {
            return RecordJson.encode(group);
        }

        @Override
        public TopicGroup decode(byte[] bytes) throws IOException {
            return RecordJson.topicGroup(bytes);
        }

        @Override
        public GatewayException exists(TopicGroup group) {
            return new GatewayException(
                    ErrorCode.TOPIC_GROUP_EXISTS,
                    "The topic group '" + group.name() + "' exists already; choose another name.");
        }

        @Override
        public GatewayException gone(TopicGroup group) {
            return new GatewayException(
                    ErrorCode.TOPIC_GROUP_NOT_FOUND, "The topic group '" + group.name() + "' was deleted.");
        }
    };

    @Override
    public @Nullable TopicGroup find(TopicGroupName name) {
        return records.find(name.value());
    }

    @Override
    public Collection<TopicGroup> all() {
        return records.all();
    }

    @Override
    public void create(TopicGroup group) {
        records.create(group);
    }

    @Override
    public void update(TopicGroup expected, TopicGroup changed) {
        records.update(expected, changed);
    }

    @Override
    public void delete(TopicGroup expected) {
        records.delete(expected);
    }
}
