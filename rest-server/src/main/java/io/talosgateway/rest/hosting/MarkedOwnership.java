package io.talosgateway.rest.hosting;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;

/** Ownership records whose changes are marked in the storage before anybody acts on them. */
final class MarkedOwnership implements OwnershipRecords {

    private final OwnershipRecords records;
    private final ChangeMarks marks;

    MarkedOwnership(OwnershipRecords records, ChangeMarks marks) {
        this.records = records;
        this.marks = marks;
    }

    @Override
    public Map<TopicPartition, Versioned> read(Collection<TopicPartition> partitions) {
        return records.read(partitions);
    }

    @Override
    public Map<TopicPartition, Versioned> read(
            Collection<TopicPartition> partitions, BiConsumer<TopicPartition, String> unreadable) {
        return records.read(partitions, unreadable);
    }

    /** Confirms before, too: changes of a ZooKeeper that was set back would count up to the marks. */
    @Override
    public List<Integer> write(List<Change> changes) throws StaleOwnershipException {
        if (changes.isEmpty()) {
            return List.of();
        }
        marks.confirm();
        List<Integer> versions = records.write(changes);
        marks.confirm();
        return versions;
    }

    @Override
    public void delete(TopicId topic) {
        marks.confirm();
        records.delete(topic);
        marks.confirm();
    }

    @Override
    public List<TopicId> topics() {
        return records.topics();
    }

    @Override
    public int changes() {
        return records.changes();
    }
}
