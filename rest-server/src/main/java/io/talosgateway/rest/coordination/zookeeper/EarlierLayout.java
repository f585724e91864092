package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import com.google.common.collect.Lists;
import io.talosgateway.rest.coordination.zookeeper.ClusterLayout.ClusterJson;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.scheduler.NanoClock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the nodes of a cluster of an earlier build, in which all topics were children of one node, in this order:
 *
 * <ol>
 *   <li>no other host is there;
 *   <li>a node among the topics that no earlier build can read: it does not start with it, and deletes nothing if it runs;
 *   <li>topics and ownership records are copied;
 *   <li>the record of the cluster says that the copies count. Up to here what was there is as it was, and all is done again after
 *       a failure;
 *   <li>what was copied is deleted. What a failure leaves is deleted at the next start.
 * </ol>
 *
 * Blocks. For one thread.
 */
final class EarlierLayout {

    static final int FORMAT = 1;

    /** No topic can have this name. */
    static final String GUARD = "_moved";

    private static final Logger log = LoggerFactory.getLogger(EarlierLayout.class);
    private static final byte[] UNREADABLE = "{\"version\":2}".getBytes(StandardCharsets.UTF_8);
    private static final int AT_ONCE = 1_000;
    private static final long POLL_MS = 100;
    private static final long LOCK_SECONDS = 600;
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final CuratorFramework client;
    private final RequestPipeline pipeline;
    private final String root;
    private final ClusterLayout layout;
    private final String topics;
    private final String partitions;
    private final NanoClock clock;
    private long reportedNanos;

    EarlierLayout(CuratorFramework client, String root, ClusterLayout layout, NanoClock clock) {
        this.client = client;
        this.pipeline = new RequestPipeline(client);
        this.root = root;
        this.layout = layout;
        this.clock = clock;
        this.reportedNanos = clock.nanoTime();
        this.topics = topics(root);
        this.partitions = partitions(root);
    }

    static String topics(String root) {
        return root + "/topics";
    }

    static String partitions(String root) {
        return root + "/partitions";
    }

    void change(boolean alone, Duration wait) throws IOException {
        InterProcessSemaphoreMutex mutex = new InterProcessSemaphoreMutex(client, root + "/layout-change");
        try {
            if (!ZooKeeperErrors.call(() -> mutex.acquire(PROGRESS_NANOS, TimeUnit.NANOSECONDS))) {
                log.info("Starting: another host moves the topics in ZooKeeper; waits for it up to {} s", LOCK_SECONDS);
                acquire(mutex);
            }
            try {
                changeAlone(alone, wait);
            } finally {
                ZooKeeperErrors.call(() -> {
                    mutex.release();
                    return mutex;
                });
            }
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    private static void acquire(InterProcessSemaphoreMutex mutex) throws IOException, KeeperException {
        if (!ZooKeeperErrors.call(() -> mutex.acquire(LOCK_SECONDS, TimeUnit.SECONDS))) {
            throw new IOException(
                    "Another host is still changing the layout of ZooKeeper's nodes; start this one later.");
        }
    }

    private void changeAlone(boolean alone, Duration wait) throws IOException, KeeperException {
        Stat stat = new Stat();
        ClusterJson cluster = layout.read(stat);
        if (cluster == null || cluster.format() != FORMAT) {
            return;
        }
        if (!alone) {
            awaitNoHosts(wait);
        }
        log.info("Topics and ownership records in ZooKeeper are moved to the directories of this release");
        pipeline.create(List.of(topics), path -> path, path -> new byte[0]);
        pipeline.create(List.of(topics + "/" + GUARD), path -> path, path -> UNREADABLE);
        // What an earlier attempt has copied may be old.
        clear();
        layout.createShards();
        int copied = copyTopics();
        copyRecords();
        byte[] changed = RecordJson.write(new ClusterJson(cluster.id(), ClusterLayout.FORMAT, cluster.secret()));
        ZooKeeperErrors.call(
                () -> client.setData().withVersion(stat.getVersion()).forPath(layout.clusterPath(), changed));
        log.info("{} topics were moved", copied);
        tidy(client, root);
    }

    /** Of an earlier build: they would take topics that are moved for deleted ones. */
    private void awaitNoHosts(Duration wait) throws IOException, KeeperException {
        String hosts = root + "/hosts";
        for (long waitedMs = 0; ; waitedMs += POLL_MS) {
            List<String> alive = children(hosts);
            if (alive.isEmpty()) {
                return;
            }
            if (waitedMs == TimeUnit.NANOSECONDS.toMillis(PROGRESS_NANOS)) {
                log.info("Starting: waits until these hosts, which may be of an earlier build, have gone: {}", alive);
            }
            if (waitedMs >= wait.toMillis()) {
                throw new IOException(
                        ("The topics in ZooKeeper are laid out as by an earlier build, and hosts are running that may be of that build: "
                                        + "%s. Stop all hosts once, and then start them with this build.")
                                .formatted(String.join(", ", alive)));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("Interrupted while waiting for hosts that have stopped", e);
            }
        }
    }

    private void clear() throws KeeperException {
        for (String directory : List.of(ClusterLayout.topics(root), ClusterLayout.ownership(root))) {
            deleteBelow(pipeline, directory, children(directory));
            pipeline.delete(List.of(directory));
        }
    }

    private int copyTopics() throws IOException, KeeperException {
        List<String> names = new ArrayList<>(children(topics));
        names.remove(GUARD);
        List<String> wrong = new ArrayList<>();
        int copied = 0;
        for (List<String> part : Lists.partition(names, AT_ONCE)) {
            Map<String, byte[]> read = new HashMap<>();
            pipeline.read(part, name -> topics + "/" + name, (name, node) -> {
                try {
                    RecordJson.topic(node.getData());
                    read.put(name, node.getData());
                } catch (IOException e) {
                    wrong.add(CuratorTopicRegistry.reason(node.getPath(), e));
                }
            });
            if (!wrong.isEmpty()) {
                throw new IOException(wrong.get(0));
            }
            create(read, name -> Shards.pathOf(ClusterLayout.topics(root), name));
            copied += read.size();
            progress("copied", copied, names.size(), "topics");
        }
        return copied;
    }

    private void copyRecords() throws KeeperException {
        List<TopicId> ids = children(partitions).stream().map(TopicId::parse).toList();
        int copied = 0;
        for (List<TopicId> part : Lists.partition(ids, AT_ONCE)) {
            List<String> records = new ArrayList<>();
            pipeline.list(
                    part,
                    id -> partitions + "/" + id,
                    (id, node) -> node.getChildren().forEach(number -> records.add(id + "/" + number)));
            pipeline.create(part, id -> Shards.pathOf(ClusterLayout.ownership(root), id), id -> new byte[0]);
            for (List<String> some : Lists.partition(records, AT_ONCE)) {
                Map<String, byte[]> read = new HashMap<>();
                pipeline.read(
                        some, record -> partitions + "/" + record, (record, node) -> read.put(record, node.getData()));
                create(read, record -> {
                    int slash = record.indexOf('/');
                    TopicId id = TopicId.parse(record.substring(0, slash));
                    return Shards.pathOf(ClusterLayout.ownership(root), id) + record.substring(slash);
                });
            }
            copied += part.size();
            progress("copied the records of", copied, ids.size(), "topics");
        }
    }

    private void create(Map<String, byte[]> nodes, Function<String, String> path) {
        pipeline.create(nodes.entrySet(), node -> path.apply(node.getKey()), Map.Entry::getValue);
    }

    private void progress(String what, int done, int of, String things) {
        long nowNanos = clock.nanoTime();
        if (nowNanos - reportedNanos > PROGRESS_NANOS) {
            reportedNanos = nowNanos;
            log.info("Starting: {} {} of {} {}", what, done, of, things);
        }
    }

    private List<String> children(String path) throws KeeperException {
        return children(client, path);
    }

    private static List<String> children(CuratorFramework client, String path) throws KeeperException {
        try {
            return ZooKeeperErrors.call(() -> client.getChildren().forPath(path));
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    /** Deletes what was copied; the guard stays. */
    static void tidy(CuratorFramework client, String root) {
        RequestPipeline pipeline = new RequestPipeline(client);
        try {
            List<String> names = new ArrayList<>(children(client, topics(root)));
            names.remove(GUARD);
            pipeline.delete(
                    names.stream().map(name -> topics(root) + "/" + name).toList());
            deleteBelow(pipeline, partitions(root), children(client, partitions(root)));
            pipeline.delete(List.of(partitions(root)));
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    private static void deleteBelow(RequestPipeline pipeline, String path, Collection<String> children) {
        for (List<String> part : Lists.partition(List.copyOf(children), AT_ONCE)) {
            deleteTree(pipeline, part.stream().map(child -> path + "/" + child).toList());
        }
    }

    private static void deleteTree(RequestPipeline pipeline, List<String> paths) {
        List<String> below = new ArrayList<>();
        pipeline.list(
                paths,
                child -> child,
                (child, node) -> node.getChildren().forEach(name -> below.add(child + "/" + name)));
        if (!below.isEmpty()) {
            deleteTree(pipeline, below);
        }
        pipeline.delete(paths);
    }
}
