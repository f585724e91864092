package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Topics as nodes below one, held in memory and kept up to date by watches. */
final class CuratorTopicRegistry implements TopicRegistry, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CuratorTopicRegistry.class);

    private final CuratorFramework client;
    private final String directory;
    private final CuratorCache cache;
    private final Map<TopicName, Entry> byName = new ConcurrentHashMap<>();
    private final Map<TopicId, TopicMetadata> byId = new ConcurrentHashMap<>();
    private volatile @Nullable IOException unreadable;

    /** @param zxid of the change that made it so; a later one is newer */
    private record Entry(TopicMetadata topic, int version, long zxid) {}

    CuratorTopicRegistry(CuratorFramework client, String root) {
        this.client = client;
        this.directory = root + "/topics";
        this.cache = CuratorCache.build(client, directory);
    }

    /** Returns when all topics are in memory. */
    void start(Duration timeout) throws IOException {
        CountDownLatch loaded = new CountDownLatch(1);
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreates(this::seen)
                        .forChanges((before, after) -> seen(after))
                        .forDeletes(this::seenDeleted)
                        .forInitialized(loaded::countDown)
                        .build());
        cache.start();
        try {
            if (!loaded.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("ZooKeeper did not give the list of topics within " + timeout.toSeconds() + " s");
            }
            IOException bad = unreadable;
            if (bad != null) {
                // A topic that is not known would be taken for a deleted one, and its messages with it.
                throw bad;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while loading topics", e);
        }
    }

    private void seen(ChildData node) {
        if (node.getPath().equals(directory)) {
            return;
        }
        try {
            put(RecordJson.topic(node.getData()), node.getStat());
        } catch (IOException | IllegalArgumentException e) {
            unreadable = new IOException(
                    "%s in ZooKeeper is not a topic's metadata (%s). Restore it, or delete it if it is not ours."
                            .formatted(node.getPath(), RecordJson.reason(e)),
                    e);
            log.error("What somebody wrote is ignored: {}", unreadable.getMessage());
        }
    }

    private void put(TopicMetadata topic, Stat stat) {
        Entry entry = new Entry(topic, stat.getVersion(), stat.getMzxid());
        byName.merge(topic.name(), entry, (old, candidate) -> candidate.zxid > old.zxid ? candidate : old);
        byId.compute(topic.id(), (id, old) -> {
            Entry current = byName.get(topic.name());
            return current == null ? old : current.topic.id().equals(id) ? current.topic : old;
        });
    }

    private void seenDeleted(ChildData node) {
        String name = node.getPath().substring(directory.length() + 1);
        if (TopicName.isValid(name)) {
            remove(new TopicName(name), node.getStat().getMzxid());
        }
    }

    /** Forgets the topic unless it was created again since. */
    private void remove(TopicName name, long zxid) {
        byName.computeIfPresent(name, (key, entry) -> {
            if (entry.zxid > zxid) {
                return entry;
            }
            byId.remove(entry.topic.id());
            return null;
        });
    }

    private String path(TopicName name) {
        return directory + "/" + name;
    }

    @Override
    public @Nullable TopicMetadata find(TopicName name) {
        Entry entry = byName.get(name);
        return entry == null ? null : entry.topic;
    }

    @Override
    public @Nullable TopicMetadata find(TopicId id) {
        return byId.get(id);
    }

    @Override
    public Collection<TopicMetadata> all() {
        return byName.values().stream().map(Entry::topic).toList();
    }

    @Override
    public void create(TopicMetadata topic) {
        byte[] data = RecordJson.encode(topic);
        try {
            Stat stat = new Stat();
            ZooKeeperErrors.call(() -> client.create()
                    .storingStatIn(stat)
                    .creatingParentsIfNeeded()
                    .forPath(path(topic.name()), data));
            put(topic, stat);
        } catch (KeeperException.NodeExistsException e) {
            // Maybe by our own first attempt, whose answer was lost.
            if (!refresh(topic.name(), data)) {
                throw new GatewayException(
                        ErrorCode.TOPIC_EXISTS,
                        "The topic '" + topic.name() + "' exists already; choose another name.");
            }
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public void update(TopicMetadata expected, TopicMetadata changed) {
        Entry entry = byName.get(expected.name());
        if (entry == null || !entry.topic.id().equals(expected.id())) {
            throw gone(expected);
        }
        if (!entry.topic.equals(expected)) {
            throw changedByOther(expected);
        }
        byte[] data = RecordJson.encode(changed);
        try {
            Stat stat = ZooKeeperErrors.call(
                    () -> client.setData().withVersion(entry.version).forPath(path(expected.name()), data));
            put(changed, stat);
        } catch (KeeperException.BadVersionException e) {
            if (!refresh(expected.name(), data)) {
                throw changedByOther(expected);
            }
        } catch (KeeperException.NoNodeException e) {
            remove(expected.name(), Long.MAX_VALUE);
            throw gone(expected);
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public void delete(TopicMetadata topic) {
        Entry entry = byName.get(topic.name());
        if (entry == null || !entry.topic.id().equals(topic.id())) {
            return;
        }
        try {
            ZooKeeperErrors.call(() -> client.delete().forPath(path(topic.name())));
        } catch (KeeperException.NoNodeException e) {
            log.debug("{} was gone already", topic.name());
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
        remove(topic.name(), entry.zxid);
    }

    /** Reads the node again; true if it holds {@code data}. */
    private boolean refresh(TopicName name, byte[] data) {
        try {
            Stat stat = new Stat();
            byte[] current = ZooKeeperErrors.call(
                    () -> client.getData().storingStatIn(stat).forPath(path(name)));
            put(RecordJson.topic(current), stat);
            return Arrays.equals(current, data);
        } catch (KeeperException | IOException e) {
            return false;
        }
    }

    private static GatewayException gone(TopicMetadata topic) {
        return new GatewayException(ErrorCode.TOPIC_NOT_FOUND, "The topic '" + topic.name() + "' was deleted.");
    }

    private static GatewayException changedByOther(TopicMetadata topic) {
        return new GatewayException(
                ErrorCode.OVERLOADED,
                "The topic '" + topic.name() + "' was changed by somebody else at the same time; try again.");
    }

    @Override
    public void close() {
        cache.close();
    }
}
