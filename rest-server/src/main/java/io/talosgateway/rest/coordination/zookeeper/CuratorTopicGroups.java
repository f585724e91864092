package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;

import io.talosgateway.rest.coordination.TopicGroups;
import io.talosgateway.rest.coordination.zookeeper.TopicGroupTable.Entry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroupName;
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

/** Topic groups as nodes below one, held in memory and kept up to date by watches. */
final class CuratorTopicGroups implements TopicGroups, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CuratorTopicGroups.class);

    private final CuratorFramework client;
    private final String directory;
    private final CuratorCache cache;
    private final TopicGroupTable groups = new TopicGroupTable();

    CuratorTopicGroups(CuratorFramework client, String root) {
        this.client = client;
        this.directory = root + "/topic-groups";
        // What the nodes hold is in the table.
        this.cache = CuratorCache.builder(client, directory)
                .withStorage(CuratorCacheStorage.dataNotCached())
                .build();
    }

    /** Returns when all groups are in memory. */
    void start(Duration timeout) throws IOException {
        CountDownLatch loaded = new CountDownLatch(1);
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreates(this::seen)
                        .forChanges((before, after) -> seen(after))
                        .forDeletes(node -> groups.remove(
                                name(node.getPath()), node.getStat().getCzxid()))
                        .forInitialized(loaded::countDown)
                        .build());
        cache.start();
        ZooKeeperErrors.await(loaded, timeout, "the topic groups");
    }

    private String name(String path) {
        return path.substring(Math.min(path.length(), directory.length() + 1));
    }

    private String path(TopicGroupName name) {
        return directory + "/" + name;
    }

    private void seen(ChildData node) {
        if (!node.getPath().equals(directory)) {
            learn(node.getPath(), node.getData(), node.getStat());
        }
    }

    private void learn(String path, byte[] data, Stat stat) {
        try {
            TopicGroup group = RecordJson.topicGroup(data);
            if (!path.equals(path(group.name()))) {
                throw new IOException("it is that of the group '" + group.name() + "'");
            }
            put(group, stat);
        } catch (IOException e) {
            log.error(
                    "{} in ZooKeeper is not a topic group ({}); it is ignored. {}",
                    path,
                    RecordJson.reason(e),
                    e instanceof RecordJson.NewerVersionException
                            ? "Upgrade this gateway."
                            : "Delete it, and create the group again.");
        }
    }

    private void put(TopicGroup group, Stat stat) {
        groups.put(new Entry(group, stat.getVersion(), stat.getCzxid(), stat.getMzxid()));
    }

    @Override
    public @Nullable TopicGroup find(TopicGroupName name) {
        Entry entry = groups.find(name.value());
        return entry == null ? null : entry.group();
    }

    @Override
    public Collection<TopicGroup> all() {
        return groups.all();
    }

    @Override
    public void create(TopicGroup group) {
        byte[] data = RecordJson.encode(group);
        try {
            Stat stat = new Stat();
            ZooKeeperErrors.call(() -> client.create()
                    .storingStatIn(stat)
                    .creatingParentsIfNeeded()
                    .forPath(path(group.name()), data));
            put(group, stat);
        } catch (KeeperException.NodeExistsException e) {
            // Maybe by our own first attempt, whose answer was lost.
            if (!Arrays.equals(refresh(group.name()), data)) {
                throw new GatewayException(
                        ErrorCode.TOPIC_GROUP_EXISTS,
                        "The topic group '" + group.name() + "' exists already; choose another name.");
            }
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public void update(TopicGroup expected, TopicGroup changed) {
        Entry entry = groups.find(expected.name().value());
        if (entry == null) {
            throw gone(expected);
        }
        requireSame(expected, entry);
        byte[] data = RecordJson.encode(changed);
        try {
            put(
                    changed,
                    ZooKeeperErrors.call(
                            () -> client.setData().withVersion(entry.version()).forPath(path(expected.name()), data)));
        } catch (KeeperException.BadVersionException e) {
            if (!Arrays.equals(refresh(expected.name()), data)) {
                throw changedByOther(expected);
            }
        } catch (KeeperException.NoNodeException e) {
            groups.remove(expected.name().value(), entry.createdZxid());
            throw gone(expected);
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public void delete(TopicGroup expected) {
        Entry entry = groups.find(expected.name().value());
        if (entry == null) {
            return;
        }
        requireSame(expected, entry);
        try {
            ZooKeeperErrors.call(
                    () -> client.delete().withVersion(entry.version()).forPath(path(expected.name())));
        } catch (KeeperException.NoNodeException e) {
            log.debug("The topic group {} was gone already", expected.name());
        } catch (KeeperException.BadVersionException e) {
            refresh(expected.name());
            throw changedByOther(expected);
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
        groups.remove(expected.name().value(), entry.createdZxid());
    }

    private static void requireSame(TopicGroup expected, Entry entry) {
        if (!entry.group().equals(expected)) {
            throw changedByOther(expected);
        }
    }

    private static GatewayException gone(TopicGroup group) {
        return new GatewayException(
                ErrorCode.TOPIC_GROUP_NOT_FOUND, "The topic group '" + group.name() + "' was deleted.");
    }

    private static GatewayException changedByOther(TopicGroup group) {
        return new GatewayException(
                ErrorCode.OVERLOADED,
                "The topic group '" + group.name() + "' was changed by somebody else at the same time; try again.");
    }

    /** Reads the node again; null if there is nothing to read. */
    private byte @Nullable [] refresh(TopicGroupName name) {
        try {
            Stat stat = new Stat();
            byte[] current = ZooKeeperErrors.call(
                    () -> client.getData().storingStatIn(stat).forPath(path(name)));
            learn(path(name), current, stat);
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
