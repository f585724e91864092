package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

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
    private final TopicTable topics = new TopicTable();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Why nodes cannot be read, by path. Changed by watches alone, which tell of each node's changes in order. */
    private final Map<String, String> unreadable = new ConcurrentSkipListMap<>();

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
        ZooKeeperErrors.await(loaded, timeout, "the list of topics");
        // A topic that is not known would be taken for a deleted one, and its messages with it.
        Optional<String> reason = unreadable.values().stream().findFirst();
        if (reason.isPresent()) {
            throw new IOException(reason.get());
        }
    }

    private void seen(ChildData node) {
        if (node.getPath().equals(directory)) {
            return;
        }
        try {
            put(RecordJson.topic(node.getData()), node.getStat());
            if (unreadable.remove(node.getPath()) != null) {
                log.info("{} in ZooKeeper can be read again", node.getPath());
            }
        } catch (IOException e) {
            String reason = reason(node.getPath(), e);
            unreadable.put(node.getPath(), reason);
            log.error("{} Until then this host deletes no messages, whatever their retention.", reason);
        }
    }

    private static String reason(String path, Exception failure) {
        return "%s in ZooKeeper is not a topic's metadata (%s). %s"
                .formatted(
                        path,
                        RecordJson.reason(failure),
                        failure instanceof RecordJson.NewerVersionException
                                ? "Upgrade this gateway, or delete the topic with a gateway that can read it."
                                : "Restore it, or delete it if it is not ours.");
    }

    private void put(TopicMetadata topic, Stat stat) {
        topics.put(topic, stat.getVersion(), stat.getMzxid());
        changed();
    }

    private void remove(TopicMetadata topic) {
        topics.remove(topic);
        changed();
    }

    private void changed() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public Set<String> unreadable() {
        return Set.copyOf(unreadable.keySet());
    }

    @Override
    public Set<TopicId> idsNow() {
        try {
            // What was written before, by anybody, is read.
            ZooKeeperErrors.call(() -> client.sync().forPath(directory));
            Set<TopicId> ids = new HashSet<>();
            for (String name : ZooKeeperErrors.call(() -> client.getChildren().forPath(directory))) {
                TopicMetadata topic = readNow(directory + "/" + name);
                if (topic != null) {
                    ids.add(topic.id());
                }
            }
            topics.all().forEach(topic -> ids.add(topic.id()));
            return ids;
        } catch (KeeperException.NoNodeException e) {
            return Set.of();
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    /** Null if the node is gone. One that cannot be read may be any topic. */
    private @Nullable TopicMetadata readNow(String path) {
        try {
            Stat stat = new Stat();
            byte[] data = ZooKeeperErrors.call(
                    () -> client.getData().storingStatIn(stat).forPath(path));
            TopicMetadata topic = RecordJson.topic(data);
            put(topic, stat);
            return topic;
        } catch (KeeperException.NoNodeException e) {
            return null;
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        } catch (IOException e) {
            throw new GatewayException(ErrorCode.COORDINATION_UNAVAILABLE, reason(path, e), e);
        }
    }

    private void seenDeleted(ChildData node) {
        unreadable.remove(node.getPath());
        try {
            remove(RecordJson.topic(node.getData()));
        } catch (IOException e) {
            log.info("{}, which was not a topic's metadata, is gone", node.getPath());
            removeEarlier(node);
        }
    }

    /** The topic that the node held before it could not be read; not one that was created later. */
    private void removeEarlier(ChildData node) {
        for (TopicMetadata topic : topics.all()) {
            TopicTable.Entry entry = topics.find(topic.name());
            if (path(topic.name()).equals(node.getPath())
                    && entry != null
                    && entry.zxid() <= node.getStat().getMzxid()) {
                remove(entry.topic());
            }
        }
    }

    private String path(TopicName name) {
        return directory + "/" + name;
    }

    @Override
    public @Nullable TopicMetadata find(TopicName name) {
        TopicTable.Entry entry = topics.find(name);
        return entry == null ? null : entry.topic();
    }

    @Override
    public @Nullable TopicMetadata find(TopicId id) {
        return topics.find(id);
    }

    @Override
    public Collection<TopicMetadata> all() {
        return topics.all();
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
            if (!Arrays.equals(refresh(topic.name()), data)) {
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
        TopicTable.Entry entry = topics.find(expected.name());
        if (entry == null || !entry.topic().id().equals(expected.id())) {
            throw gone(expected);
        }
        if (!entry.topic().equals(expected)) {
            throw changedByOther(expected);
        }
        byte[] data = RecordJson.encode(changed);
        try {
            Stat stat = ZooKeeperErrors.call(
                    () -> client.setData().withVersion(entry.version()).forPath(path(expected.name()), data));
            put(changed, stat);
        } catch (KeeperException.BadVersionException e) {
            if (!Arrays.equals(refresh(expected.name()), data)) {
                throw changedByOther(expected);
            }
        } catch (KeeperException.NoNodeException e) {
            remove(expected);
            throw gone(expected);
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public void delete(TopicMetadata topic) {
        try {
            if (!deleteAsKnown(topic)) {
                refresh(topic.name());
                if (!deleteAsKnown(topic)) {
                    throw changedByOther(topic);
                }
            }
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
        remove(topic);
    }

    /** False if the node was changed since we saw it, maybe to another topic of the same name. */
    private boolean deleteAsKnown(TopicMetadata topic) throws KeeperException {
        TopicTable.Entry entry = topics.find(topic.name());
        if (entry == null || !entry.topic().id().equals(topic.id())) {
            return true;
        }
        try {
            ZooKeeperErrors.call(
                    () -> client.delete().withVersion(entry.version()).forPath(path(topic.name())));
            return true;
        } catch (KeeperException.NoNodeException e) {
            log.debug("{} was gone already", topic.name());
            return true;
        } catch (KeeperException.BadVersionException e) {
            return false;
        }
    }

    /** Reads the node again; null if there is nothing to read. */
    private byte @Nullable [] refresh(TopicName name) {
        try {
            Stat stat = new Stat();
            byte[] current = ZooKeeperErrors.call(
                    () -> client.getData().storingStatIn(stat).forPath(path(name)));
            put(RecordJson.topic(current), stat);
            return current;
        } catch (KeeperException | IOException e) {
            return null;
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
