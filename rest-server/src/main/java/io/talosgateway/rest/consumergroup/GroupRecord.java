package io.talosgateway.rest.consumergroup;

import java.util.List;

import io.talosgateway.rest.topic.TopicId;

/** Changes of one group on one topic, in order; what is stored of them. */
record GroupRecord(String group, TopicId topic, List<Change> changes) {

    GroupRecord {
        changes = List.copyOf(changes);
    }
}
