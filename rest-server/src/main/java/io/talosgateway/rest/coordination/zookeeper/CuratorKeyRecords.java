package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.talosgateway.rest.coordination.KeyRecords;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys as nodes below one, held in memory and kept up to date by watches. News come from own writes and from watches, in any order:
 * of one node's versions the latest stays, and a key that was deleted never comes back, as its id is never used again.
 */
final class CuratorKeyRecords implements KeyRecords, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CuratorKeyRecords.class);

    /** Watches lag behind by seconds at most; this many deletions take longer. */
    private static final int DELETED_REMEMBERED = 10_000;

    private final CuratorFramework client;
    private final String directory;
    private final boolean isProtected;
    private final CuratorCache cache;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final Set<String> deleted = new LinkedHashSet<>();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    /** @param zxid of the change that made it so; a later one is newer */
    private record Entry(Known known, long zxid) {}

    /** What a node holds. Its version is also that of what is sealed. */
    record KeyJson(String sealedWith, String content) {}

    /** @param isProtected whether what this client creates can be read and changed by hosts only */
    CuratorKeyRecords(CuratorFramework client, String root, boolean isProtected) {
        this.client = client;
        this.directory = root + "/keys";
        this.isProtected = isProtected;
        this.cache = CuratorCache.build(client, directory);
    }

    /** Returns when all records are in memory. */
    void start(Duration timeout) throws IOException {
        CountDownLatch loaded = new CountDownLatch(1);
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreates(this::seen)
                        .forChanges((before, after) -> seen(after))
                        .forDeletes(node -> forget(id(node)))
                        .forInitialized(loaded::countDown)
                        .build());
        cache.start();
        ZooKeeperErrors.await(loaded, timeout, "the keys");
    }

    private String id(ChildData node) {
        return node.getPath().substring(Math.min(node.getPath().length(), directory.length() + 1));
    }

    private String path(String id) {
        return directory + "/" + id;
    }

    private void seen(ChildData node) {
        if (!node.getPath().equals(directory)) {
            learn(id(node), node.getData(), node.getStat());
        }
    }

    void learn(String id, byte[] data, Stat stat) {
        Known known;
        try {
            KeyJson json = RecordJson.read(data, KeyJson.class);
            if (json.sealedWith == null || json.content == null) {
                throw new IOException("a field is missing");
            }
            known = new Known(new Sealed(json.sealedWith, json.content), null, stat.getVersion());
        } catch (IOException | RuntimeException e) {
            known = new Known(null, RecordJson.reason(e), stat.getVersion());
            log.error("{} in ZooKeeper is not a key ({}); it is refused", path(id), known.problem());
        }
        put(id, known, stat.getMzxid());
    }

    private void put(String id, Known known, long zxid) {
        synchronized (this) {
            Entry old = entries.get(id);
            if (!deleted.contains(id) && (old == null || old.zxid < zxid)) {
                entries.put(id, new Entry(known, zxid));
            }
        }
        // Also if a watch was faster than the answer to an own change, whose caller relies on it: the listeners may not
        // know yet.
        listeners.forEach(listener -> listener.accept(id));
    }

    private void forget(String id) {
        synchronized (this) {
            if (deleted.add(id) && deleted.size() > DELETED_REMEMBERED) {
                deleted.remove(deleted.iterator().next());
            }
            entries.remove(id);
        }
        listeners.forEach(listener -> listener.accept(id));
    }

    @Override
    public Map<String, Known> all() {
        return entries.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().known));
    }

    @Override
    public @Nullable Known find(String id) {
        Entry entry = entries.get(id);
        return entry == null ? null : entry.known;
    }

    @Override
    public void onChange(Consumer<String> listener) {
        listeners.add(listener);
    }

    @Override
    public @Nullable String whyReadOnly() {
        return isProtected
                ? null
                : "Keys are not kept in a ZooKeeper without zookeeper.auth, where everybody who reaches it could bring back a key "
                        + "that was disabled. Set zookeeper.auth=user:password at all hosts, or use the key file.";
    }

    @Override
    public void create(String id, Sealed record) {
        byte[] data = encode(record);
        try {
            Stat stat = new Stat();
            ZooKeeperErrors.call(() -> client.create()
                    .storingStatIn(stat)
                    .creatingParentsIfNeeded()
                    .forPath(path(id), data));
            learn(id, data, stat);
        } catch (KeeperException.NodeExistsException e) {
            // By our own first attempt, whose answer was lost.
            if (!Arrays.equals(refresh(id), data)) {
                throw new GatewayException(ErrorCode.OVERLOADED, "The id of the key is taken; try again.");
            }
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public boolean replace(String id, int version, Sealed record) {
        byte[] data = encode(record);
        try {
            Stat stat = ZooKeeperErrors.call(
                    () -> client.setData().withVersion(version).forPath(path(id), data));
            learn(id, data, stat);
            return true;
        } catch (KeeperException.BadVersionException e) {
            return Arrays.equals(refresh(id), data);
        } catch (KeeperException.NoNodeException e) {
            forget(id);
            return false;
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public void delete(String id) {
        try {
            ZooKeeperErrors.call(() -> client.delete().forPath(path(id)));
        } catch (KeeperException.NoNodeException e) {
            log.debug("The key {} was gone already", id);
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
        forget(id);
    }

    private static byte[] encode(Sealed record) {
        return RecordJson.write(new KeyJson(record.sealedWith(), record.content()));
    }

    /** Reads the node again; null if there is nothing to read. */
    private byte @Nullable [] refresh(String id) {
        try {
            Stat stat = new Stat();
            byte[] current = ZooKeeperErrors.call(
                    () -> client.getData().storingStatIn(stat).forPath(path(id)));
            learn(id, current, stat);
            return current;
        } catch (KeeperException e) {
            return null;
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
