package io.talosgateway.rest.coordination.zookeeper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;

import io.talosgateway.rest.coordination.TopicRegistry.Page;
import io.talosgateway.rest.coordination.TopicUsage;
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
    private final NavigableSet<TopicName> names = new ConcurrentSkipListSet<>();
    private final Map<TopicId, TopicMetadata> byId = new ConcurrentHashMap<>();
    private final Set<TopicId> deleted = new LinkedHashSet<>();
    private final Map<String, TopicUsage> byOwner = new ConcurrentHashMap<>();
    private volatile TopicUsage total = TopicUsage.NONE;

    /**
     * @param bytes of its record
     * @param version of the node, for the next conditional write
     * @param createdZxid of the change that created the node
     * @param zxid of the change that made it so; a later one is newer
     */
    record Entry(TopicMetadata topic, int bytes, int version, long createdZxid, long zxid) {

        private TopicUsage usage() {
            return new TopicUsage(1, topic.partitions(), bytes);
        }
    }

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

    Page page(@Nullable TopicName after, Predicate<TopicMetadata> wanted, int maxTopics, long maxBytes) {
        List<TopicMetadata> page = new ArrayList<>();
        long bytes = 0;
        for (TopicName name : after == null ? names : names.tailSet(after, false)) {
            Entry entry = byName.get(name);
            if (entry != null && wanted.test(entry.topic)) {
                bytes += entry.bytes;
                if (!page.isEmpty() && (page.size() == maxTopics || bytes > maxBytes)) {
                    return new Page(page, page.get(page.size() - 1).name());
                }
                page.add(entry.topic);
            }
        }
        return new Page(page, null);
    }

    int size() {
        return byName.size();
    }

    TopicUsage total() {
        return total;
    }

    TopicUsage ownedBy(String owner) {
        return byOwner.getOrDefault(owner, TopicUsage.NONE);
    }

    synchronized void put(Entry next) {
        TopicMetadata topic = next.topic;
        Entry old = byName.get(topic.name());
        if (deleted.contains(topic.id()) || (old != null && old.zxid >= next.zxid)) {
            return;
        }
        if (old != null && !old.topic.id().equals(topic.id())) {
            remove(old.topic);
        }
        count(byName.put(topic.name(), next), next);
        names.add(topic.name());
        byId.put(topic.id(), topic);
    }

    /** Forgets this incarnation of the topic for good; another one of its name stays. */
    synchronized void remove(TopicMetadata topic) {
        if (deleted.add(topic.id()) && deleted.size() > DELETED_REMEMBERED) {
            deleted.remove(deleted.iterator().next());
        }
        Entry entry = byName.get(topic.name());
        if (entry != null && entry.topic.id().equals(topic.id())) {
            byName.remove(topic.name());
            names.remove(topic.name());
            count(entry, null);
        }
        byId.remove(topic.id());
    }

    private void count(@Nullable Entry before, @Nullable Entry after) {
        if (before != null) {
            total = total.minus(before.usage());
            byOwner.computeIfPresent(before.topic.ownerId(), (owner, usage) -> {
                TopicUsage left = usage.minus(before.usage());
                return left.equals(TopicUsage.NONE) ? null : left;
            });
        }
        if (after != null) {
            total = total.plus(after.usage());
            byOwner.merge(after.topic.ownerId(), after.usage(), TopicUsage::plus);
        }
    }
}
