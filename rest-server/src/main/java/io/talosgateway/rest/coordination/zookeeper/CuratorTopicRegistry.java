package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.coordination.TopicUsage;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.scheduler.NanoClock;
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

/** Topics as nodes in {@link Shards}, held in memory and kept up to date by watches. */
final class CuratorTopicRegistry implements TopicRegistry, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CuratorTopicRegistry.class);

    private static final int MOST_RECORD_BYTES = 64 << 10;
    private static final long PROGRESS_MS = 2_000;

    private final CuratorFramework client;
    private final RequestPipeline pipeline;
    private final NanoClock clock;
    private final String directory;
    private final CuratorCache cache;
    private final TopicTable topics = new TopicTable();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Why nodes cannot be read, by path. Changed by watches alone, which tell of each node's changes in order. */
    private final Map<String, String> unreadable = new ConcurrentSkipListMap<>();

    /** The ids in each shard when it was last listed. */
    private final Map<String, Listed> listed = new ConcurrentHashMap<>();

    /** @param changedZxid of the last creation or deletion in the shard */
    private record Listed(long changedZxid, Set<TopicId> ids) {}

    CuratorTopicRegistry(CuratorFramework client, String root, NanoClock clock) {
        this.client = client;
        this.pipeline = new RequestPipeline(client);
        this.clock = clock;
        this.directory = ClusterLayout.topics(root);
        // What the nodes hold is in the table; the cache needs to know which there are.
        this.cache = CuratorCache.builder(client, directory)
                .withStorage(CuratorCacheStorage.dataNotCached())
                .build();
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
        awaitLoaded(loaded, timeout);
        // A topic that is not known would be taken for a deleted one, and its messages with it.
        readMissing();
        Optional<String> reason = unreadable.values().stream().findFirst();
        if (reason.isPresent()) {
            throw new IOException(reason.get());
        }
    }

    /** As long as topics arrive. */
    private void awaitLoaded(CountDownLatch loaded, Duration timeout) throws IOException {
        try {
            int known = -1;
            long arrivedNanos = clock.nanoTime();
            while (!loaded.await(PROGRESS_MS, TimeUnit.MILLISECONDS)) {
                long nowNanos = clock.nanoTime();
                if (topics.size() > known) {
                    known = topics.size();
                    arrivedNanos = nowNanos;
                    log.info("Starting: read {} topics from ZooKeeper", known);
                } else if (nowNanos - arrivedNanos > timeout.toNanos()) {
                    throw new IOException(
                            "ZooKeeper did not give the list of topics: it stopped after %d topics, for more than %d s"
                                    .formatted(known, timeout.toSeconds()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while loading the list of topics", e);
        }
    }

    /** A connection that breaks can keep topics from the cache, which comes back to them later. */
    private void readMissing() throws IOException {
        try {
            List<String> missing = new ArrayList<>();
            pipeline.list(Shards.ALL, this::shard, (shard, node) -> {
                for (String name : node.getChildren()) {
                    String path = shard(shard) + "/" + name;
                    if (!(isName(name) && topics.find(new TopicName(name)) != null) && !unreadable.containsKey(path)) {
                        missing.add(path);
                    }
                }
            });
            pipeline.read(missing, path -> path, (path, node) -> {
                try {
                    put(decode(path, node.getData()), node.getData().length, node.getStat());
                } catch (IOException e) {
                    unreadable.put(path, reason(path, e));
                }
            });
        } catch (GatewayException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static boolean isName(String node) {
        return TopicName.isValid(node) || TopicName.isReserved(node);
    }

    private String shard(String shard) {
        return directory + "/" + shard;
    }

    private void seen(ChildData node) {
        if (isDirectory(node)) {
            return;
        }
        try {
            put(decode(node.getPath(), node.getData()), node.getData().length, node.getStat());
            if (unreadable.remove(node.getPath()) != null) {
                log.info("{} in ZooKeeper can be read again", node.getPath());
            }
        } catch (IOException e) {
            String reason = reason(node.getPath(), e);
            unreadable.put(node.getPath(), reason);
            log.error("{} Until then this host deletes no messages, whatever their retention.", reason);
        }
    }

    /** The directory or a shard. */
    private boolean isDirectory(ChildData node) {
        return node.getPath().length() <= shard("00").length();
    }

    static String reason(String path, Exception failure) {
        return "%s in ZooKeeper is not a topic's metadata (%s). %s"
                .formatted(
                        path,
                        RecordJson.reason(failure),
                        failure instanceof RecordJson.NewerVersionException
                                ? "Upgrade this gateway, or delete the topic with a gateway that can read it."
                                : "Restore it, or delete it if it is not ours.");
    }

    private static TopicMetadata decode(String path, byte[] data) throws IOException {
        TopicMetadata topic = RecordJson.topic(data);
        if (!path.endsWith("/" + topic.name())) {
            throw new IOException("it is that of the topic '" + topic.name() + "'");
        }
        return topic;
    }

    private void put(TopicMetadata topic, int bytes, Stat stat) {
        topics.put(new TopicTable.Entry(topic, bytes, stat.getVersion(), stat.getCzxid(), stat.getMzxid()));
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
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
        Set<TopicId> ids = new HashSet<>();
        Set<String> missing = new HashSet<>(Shards.ALL);
        pipeline.list(Shards.ALL, this::shard, (shard, node) -> {
            missing.remove(shard);
            Listed known = listed.get(shard);
            // As long as none is created or deleted, they are the same.
            if (known == null || known.changedZxid != node.getStat().getPzxid()) {
                known = new Listed(node.getStat().getPzxid(), readIds(shard, node.getChildren()));
                listed.put(shard, known);
            }
            ids.addAll(known.ids);
        });
        if (!missing.isEmpty()) {
            throw new GatewayException(
                    ErrorCode.COORDINATION_UNAVAILABLE,
                    "Nodes of the topic directory are missing in ZooKeeper: "
                            + shard(missing.iterator().next()) + ". Restore ZooKeeper's data.");
        }
        topics.all().forEach(topic -> ids.add(topic.id()));
        return ids;
    }

    /** Without those that are gone. One that cannot be read may be any topic. */
    private Set<TopicId> readIds(String shard, List<String> names) {
        Set<TopicId> ids = new HashSet<>();
        pipeline.read(names, name -> shard(shard) + "/" + name, (name, node) -> {
            try {
                TopicMetadata topic = decode(node.getPath(), node.getData());
                put(topic, node.getData().length, node.getStat());
                ids.add(topic.id());
            } catch (IOException e) {
                throw new GatewayException(ErrorCode.COORDINATION_UNAVAILABLE, reason(node.getPath(), e), e);
            }
        });
        return Set.copyOf(ids);
    }

    /** The topic of that node, also if it could not be read in the end; not one that was created later. */
    private void seenDeleted(ChildData node) {
        String name = node.getPath().substring(node.getPath().lastIndexOf('/') + 1);
        if (unreadable.remove(node.getPath()) != null) {
            log.info("{}, which was not a topic's metadata, is gone", node.getPath());
        }
        if (isDirectory(node) || !isName(name)) {
            return;
        }
        TopicTable.Entry entry = topics.find(new TopicName(name));
        if (entry != null && entry.createdZxid() <= node.getStat().getCzxid()) {
            remove(entry.topic());
        }
    }

    private String path(TopicName name) {
        return Shards.pathOf(directory, name.value());
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
    public Page page(@Nullable TopicName after, Predicate<TopicMetadata> wanted, int maxTopics, long maxBytes) {
        return topics.page(after, wanted, maxTopics, maxBytes);
    }

    @Override
    public TopicUsage usage() {
        return topics.total();
    }

    @Override
    public TopicUsage usage(String ownerId) {
        return topics.ownedBy(ownerId);
    }

    private static byte[] encode(TopicMetadata topic) {
        // First: to encode millions of bytes takes more than to count them.
        requireSmall(characters(topic), "at least ");
        byte[] data = RecordJson.encode(topic);
        requireSmall(data.length, "");
        return data;
    }

    private static long characters(TopicMetadata topic) {
        long characters = 0;
        for (Map.Entry<String, String> attribute : topic.attributes().entrySet()) {
            characters += attribute.getKey().length() + attribute.getValue().length();
        }
        for (String grantee : topic.acl().keySet()) {
            characters += grantee.length();
        }
        return characters;
    }

    private static void requireSmall(long bytes, String atLeast) {
        if (bytes > MOST_RECORD_BYTES) {
            throw new GatewayException(
                    ErrorCode.INVALID_TOPIC_PARAMETERS,
                    "The record of the topic, with its attributes and permissions, has %s%d bytes as JSON; %d are allowed."
                            .formatted(atLeast, bytes, MOST_RECORD_BYTES));
        }
    }

    private void requireRoom(String path) throws KeeperException {
        String shard = path.substring(0, path.lastIndexOf('/'));
        Stat stat = ZooKeeperErrors.call(() -> client.checkExists().forPath(shard));
        if (stat != null && stat.getNumChildren() >= Shards.MOST_CHILDREN) {
            throw new GatewayException(
                    ErrorCode.INVALID_NAME,
                    "The part of the topic directory for this name is full with %d topics; choose another name."
                            .formatted(stat.getNumChildren()));
        }
    }

    @Override
    public void create(TopicMetadata topic) {
        byte[] data = encode(topic);
        try {
            requireRoom(path(topic.name()));
            Stat stat = new Stat();
            ZooKeeperErrors.call(() -> client.create().storingStatIn(stat).forPath(path(topic.name()), data));
            put(topic, data.length, stat);
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
        byte[] data = encode(changed);
        try {
            Stat stat = ZooKeeperErrors.call(
                    () -> client.setData().withVersion(entry.version()).forPath(path(expected.name()), data));
            put(changed, data.length, stat);
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
            put(decode(path(name), current), current.length, stat);
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
