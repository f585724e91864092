package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;

import io.talosgateway.rest.coordination.zookeeper.RecordTable.Entry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.cache.CuratorCacheStorage;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records of one kind as nodes below one, held in memory and kept up to date by watches. Reading is from memory; changes block, are
 * compared with what was known, and are seen here at once. Any thread.
 */
final class CuratorRecords<R> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CuratorRecords.class);

    private final CuratorFramework client;
    private final String directory;
    private final Kind<R> kind;
    private final CuratorCache cache;
    private final RecordTable<R> records = new RecordTable<>();

    /** What the records are. Stateless. */
    interface Kind<R> {

        /** What one is, with an article, such as {@code a topic group}. */
        String title();

        String name(R record);

        /** The name of the node of the one with this name. */
        default String nodeName(String name) {
            return name;
        }

        /** The name of the one that a node holds; any text if that node holds none. */
        default String nameAt(String nodeName) {
            return nodeName;
        }

        byte[] encode(R record);

        /** @throws IOException if it is not such a record */
        R decode(byte[] bytes) throws IOException;

        /** What a client is told that wants to create one that exists. */
        GatewayException exists(R record);

        /** What a client is told that wants to change one that was deleted. */
        GatewayException gone(R record);
    }

    /** @param directory node below which they are */
    CuratorRecords(CuratorFramework client, String directory, Kind<R> kind) {
        this.client = client;
        this.directory = directory;
        this.kind = kind;
        // What the nodes hold is in the table.
        this.cache = CuratorCache.builder(client, directory)
                .withStorage(CuratorCacheStorage.dataNotCached())
                .build();
    }

    /** Returns when all are in memory. */
    void start(Duration timeout) throws IOException {
        CountDownLatch loaded = new CountDownLatch(1);
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreates(this::seen)
                        .forChanges((before, after) -> seen(after))
                        .forDeletes(node -> records.remove(
                                name(node.getPath()), node.getStat().getCzxid()))
                        .forInitialized(loaded::countDown)
                        .build());
        cache.start();
        ZooKeeperErrors.await(loaded, timeout, "the nodes below " + directory);
    }

    private String name(String path) {
        return kind.nameAt(path.substring(Math.min(path.length(), directory.length() + 1)));
    }

    private String path(String name) {
        return directory + "/" + kind.nodeName(name);
    }

    private void seen(ChildData node) {
        if (!node.getPath().equals(directory)) {
            learn(name(node.getPath()), node.getData(), node.getStat());
        }
    }

    private void learn(String name, byte[] data, Stat stat) {
        try {
            R record = kind.decode(data);
            if (!name.equals(kind.name(record))) {
                throw new IOException("it belongs at " + path(kind.name(record)));
            }
            put(name, record, stat);
        } catch (IOException e) {
            log.error(
                    "{} in ZooKeeper is not {} ({}); it is ignored. {}",
                    path(name),
                    kind.title(),
                    RecordJson.reason(e),
                    e instanceof RecordJson.NewerVersionException
                            ? "Upgrade this gateway."
                            : "Delete it, and make it again.");
        }
    }

    private void put(String name, R record, Stat stat) {
        records.put(name, new Entry<>(record, stat.getVersion(), stat.getCzxid(), stat.getMzxid()));
    }

    /** The one of this name, or null. */
    @Nullable
    R find(String name) {
        Entry<R> entry = records.find(name);
        return entry == null ? null : entry.record();
    }

    /** In no order. */
    Collection<R> all() {
        return records.all();
    }

    int size() {
        return records.size();
    }

    /** @throws GatewayException {@link Kind#exists}, {@code COORDINATION_UNAVAILABLE} */
    void create(R record) {
        String name = kind.name(record);
        byte[] data = kind.encode(record);
        try {
            Stat stat = new Stat();
            ZooKeeperErrors.call(() -> client.create()
                    .storingStatIn(stat)
                    .creatingParentsIfNeeded()
                    .forPath(path(name), data));
            put(name, record, stat);
        } catch (KeeperException.NodeExistsException e) {
            // Maybe by our own first attempt, whose answer was lost.
            if (!Arrays.equals(refresh(name), data)) {
                throw kind.exists(record);
            }
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    /**
     * Replaces {@code expected} by {@code changed}, which has the same name.
     *
     * @throws GatewayException {@link Kind#gone}, {@code OVERLOADED} if somebody else has just changed it,
     *     {@code COORDINATION_UNAVAILABLE}
     */
    void update(R expected, R changed) {
        String name = kind.name(expected);
        Entry<R> entry = records.find(name);
        if (entry == null) {
            throw kind.gone(expected);
        }
        requireSame(expected, entry);
        byte[] data = kind.encode(changed);
        try {
            put(
                    name,
                    changed,
                    ZooKeeperErrors.call(
                            () -> client.setData().withVersion(entry.version()).forPath(path(name), data)));
        } catch (KeeperException.BadVersionException e) {
            if (!Arrays.equals(refresh(name), data)) {
                throw changedByOther();
            }
        } catch (KeeperException.NoNodeException e) {
            records.remove(name, entry.createdZxid());
            throw kind.gone(expected);
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    /**
     * Deletes one; does nothing if it is gone.
     *
     * @throws GatewayException {@code OVERLOADED} if somebody else has just changed it, {@code COORDINATION_UNAVAILABLE}
     */
    void delete(R expected) {
        String name = kind.name(expected);
        Entry<R> entry = records.find(name);
        if (entry == null) {
            return;
        }
        requireSame(expected, entry);
        try {
            ZooKeeperErrors.call(
                    () -> client.delete().withVersion(entry.version()).forPath(path(name)));
        } catch (KeeperException.NoNodeException e) {
            log.debug("{} was gone already", path(name));
        } catch (KeeperException.BadVersionException e) {
            refresh(name);
            throw changedByOther();
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
        records.remove(name, entry.createdZxid());
    }

    private void requireSame(R expected, Entry<R> entry) {
        if (!entry.record().equals(expected)) {
            throw changedByOther();
        }
    }

    private GatewayException changedByOther() {
        return new GatewayException(
                ErrorCode.OVERLOADED,
                "What is to be changed (%s) was changed by somebody else at the same time; try again."
                        .formatted(kind.title()));
    }

    /** Reads the node again; null if there is nothing to read. */
    private byte @Nullable [] refresh(String name) {
        try {
            Stat stat = new Stat();
            byte[] current = ZooKeeperErrors.call(
                    () -> client.getData().storingStatIn(stat).forPath(path(name)));
            learn(name, current, stat);
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
