package io.talosgateway.rest.coordination.zookeeper;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * What this host knows of the topics. News come from its own writes and from ZooKeeper's watches, in any order: of one
 * topic's versions the latest stays, and a topic that was deleted never comes back, as its id is never used again. Any
 * thread; reads wait for nothing, and see a change by name before they see it by id.
 */
final class TopicTable {

    /** Watches lag behind by seconds at most; this many deletions take longer. */
    private static final int DELETED_REMEMBERED = 10_000;

    private final Map<TopicName, Entry> byName = new ConcurrentHashMap<>();
    private final Map<TopicId, TopicMetadata> byId = new ConcurrentHashMap<>();
    private final Set<TopicId> deleted = new LinkedHashSet<>();

    /**
     * @param version of the node, for the next conditional write
     * @param zxid of the change that made it so; a later one is newer
     */
    record Entry(TopicMetadata topic, int version, long zxid) {}

    @Nullable
    Entry find(TopicName name) {
        return byName.get(name);
    }

    @Nullable
    TopicMetadata find(TopicId id) {
        return byId.get(id);
    }

    Collection<TopicMetadata> all() {
        return byName.values().stream().map(Entry::topic).toList();
    }

    synchronized void put(TopicMetadata topic, int version, long zxid) {
        Entry old = byName.get(topic.name());
        if (deleted.contains(topic.id()) || (old != null && old.zxid >= zxid)) {
            return;
        }
        if (old != null && !old.topic.id().equals(topic.id())) {
            remove(old.topic);
        }
        byName.put(topic.name(), new Entry(topic, version, zxid));
        byId.put(topic.id(), topic);
    }

    /** Forgets this incarnation of the topic for good; another one of its name stays. */
    synchronized void remove(TopicMetadata topic) {
        if (deleted.add(topic.id()) && deleted.size() > DELETED_REMEMBERED) {
            deleted.remove(deleted.iterator().next());
        }
        byName.computeIfPresent(topic.name(), (name, entry) -> entry.topic.id().equals(topic.id()) ? null : entry);
        byId.remove(topic.id());
    }
}
