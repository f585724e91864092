package io.talosgateway.rest.coordination.zookeeper;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * What this host knows of the records of a kind, by name. News come from its own writes and from ZooKeeper's watches, in any order: of
 * the versions of a node the latest stays, and a node that was deleted never comes back. Another one of its name, which was created by
 * another change, may. Any thread.
 */
final class RecordTable<R> {

    /** Watches lag behind by seconds at most; this many deletions take longer. */
    private static final int DELETED_REMEMBERED = 10_000;

    private final Map<String, Entry<R>> byName = new ConcurrentHashMap<>();
    /** The changes that had created the nodes that are gone. */
    private final Set<Long> deleted = new LinkedHashSet<>();

    /**
     * @param version of the node, for the next conditional write
     * @param createdZxid of the change that created the node
     * @param zxid of the change that made it so; a later one is newer
     */
    record Entry<R>(R record, int version, long createdZxid, long zxid) {}

    @Nullable
    Entry<R> find(String name) {
        return byName.get(name);
    }

    Collection<R> all() {
        return byName.values().stream().map(Entry::record).toList();
    }

    int size() {
        return byName.size();
    }

    synchronized void put(String name, Entry<R> next) {
        Entry<R> old = byName.get(name);
        if (!deleted.contains(next.createdZxid) && (old == null || old.zxid < next.zxid)) {
            byName.put(name, next);
        }
    }

    /** Forgets for good the node of this name that this change had created; a later one of its name stays. */
    synchronized void remove(String name, long createdZxid) {
        if (deleted.add(createdZxid) && deleted.size() > DELETED_REMEMBERED) {
            deleted.remove(deleted.iterator().next());
        }
        Entry<R> entry = byName.get(name);
        if (entry != null && entry.createdZxid <= createdZxid) {
            byName.remove(name);
        }
    }
}
