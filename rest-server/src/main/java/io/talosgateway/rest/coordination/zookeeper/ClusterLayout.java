package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.talosgateway.scheduler.NanoClock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that hold topics and ownership records, and the record of the cluster, whose format says how they are laid out:
 *
 * <pre>
 * format 2   topic-directory/&lt;shard&gt;/&lt;name&gt;      ownership/&lt;shard&gt;/&lt;topic id&gt;/&lt;partition&gt;
 * format 1   topics/&lt;name&gt;                       partitions/&lt;topic id&gt;/&lt;partition&gt;
 * </pre>
 *
 * All shards are made at once, with the directory: one that is missing is a loss, and is not taken for one without topics. Blocks.
 */
final class ClusterLayout {

    static final int FORMAT = 2;

    private static final Logger log = LoggerFactory.getLogger(ClusterLayout.class);
    private static final byte[] NOTHING = {};

    private final CuratorFramework client;
    private final String root;
    private final NanoClock clock;

    /** @param secret by which the hosts know each other; null if it is configured, or an earlier version wrote this */
    record ClusterJson(String id, int format, @Nullable String secret) {}

    ClusterLayout(CuratorFramework client, String root, NanoClock clock) {
        this.client = client;
        this.root = root;
        this.clock = clock;
    }

    static String topics(String root) {
        return root + "/topic-directory";
    }

    static String ownership(String root) {
        return root + "/ownership";
    }

    String clusterPath() {
        return root + "/cluster";
    }

    /** The names of the nodes that {@link #prepare} makes where there is no cluster yet. */
    static boolean isOurs(String name) {
        return ("/" + name).equals(topics("")) || ("/" + name).equals(ownership(""));
    }

    /**
     * Makes the nodes of a new cluster, or changes those of an earlier build to the format of this one.
     *
     * @param alone whether no other host can be there
     * @param wait how long hosts that have stopped are registered at most
     * @throws IOException with a sentence for the operator
     */
    void prepare(boolean alone, Duration wait) throws IOException {
        Stat stat = new Stat();
        ClusterJson cluster = read(stat);
        if (cluster == null) {
            create();
        } else if (cluster.format == EarlierLayout.FORMAT) {
            new EarlierLayout(client, root, this, clock).change(alone, wait);
        } else {
            requireComplete();
            EarlierLayout.tidy(client, root);
        }
    }

    /** Null if there is no cluster yet. */
    @Nullable
    ClusterJson read(Stat stat) throws IOException {
        String path = clusterPath();
        try {
            ClusterJson cluster = RecordJson.read(
                    ZooKeeperErrors.call(
                            () -> client.getData().storingStatIn(stat).forPath(path)),
                    ClusterJson.class);
            if (cluster.id == null || cluster.format < EarlierLayout.FORMAT) {
                throw new IOException("it has no id or no format");
            }
            if (cluster.format > FORMAT) {
                throw new RecordJson.NewerVersionException(cluster.format, FORMAT);
            }
            return cluster;
        } catch (KeeperException.NoNodeException e) {
            return null;
        } catch (RecordJson.NewerVersionException e) {
            throw new IOException("%s in ZooKeeper cannot be read: %s".formatted(path, e.getMessage()), e);
        } catch (KeeperException | IOException e) {
            throw foreign(RecordJson.reason(e), e);
        }
    }

    IOException foreign(String reason, @Nullable Exception cause) {
        return new IOException(
                ("The path %s in ZooKeeper does not hold a Talos Gateway's data (%s). Name another path in "
                                + "zookeeper.root.")
                        .formatted(root, reason),
                cause);
    }

    /** Where nothing else is: what belongs to somebody else is left alone, and refused once the cluster gets its id. */
    private void create() throws IOException {
        try {
            List<String> found = ZooKeeperErrors.call(() -> client.getChildren().forPath(root));
            if (found.isEmpty()) {
                createShards();
            }
        } catch (KeeperException.NoNodeException e) {
            createRoot();
            createShards();
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    private void createRoot() {
        try {
            ZooKeeperErrors.call(() -> client.create().creatingParentsIfNeeded().forPath(root, NOTHING));
        } catch (KeeperException e) {
            log.debug("{} was created by another host", root, e);
        }
    }

    /** In one transaction: another host does it at the same time, or nobody. */
    void createShards() {
        try {
            List<CuratorOp> operations = new ArrayList<>();
            for (String directory : List.of(topics(root), ownership(root))) {
                operations.add(create(directory));
                for (String shard : Shards.ALL) {
                    operations.add(create(directory + "/" + shard));
                }
            }
            ZooKeeperErrors.call(() -> client.transaction().forOperations(operations));
        } catch (KeeperException.NodeExistsException e) {
            log.debug("Another host was faster", e);
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    private CuratorOp create(String path) throws KeeperException {
        return ZooKeeperErrors.call(() -> client.transactionOp().create().forPath(path, NOTHING));
    }

    private void requireComplete() throws IOException {
        for (String directory : List.of(topics(root), ownership(root))) {
            try {
                Set<String> shards = Set.copyOf(
                        ZooKeeperErrors.call(() -> client.getChildren().forPath(directory)));
                for (String shard : Shards.ALL) {
                    if (!shards.contains(shard)) {
                        throw missing(directory + "/" + shard);
                    }
                }
            } catch (KeeperException.NoNodeException e) {
                throw missing(directory);
            } catch (KeeperException e) {
                throw ZooKeeperErrors.unexpected(e);
            }
        }
    }

    private static IOException missing(String path) {
        return new IOException(
                ("The node %s is missing in ZooKeeper, and with it topics or ownership records. They are not taken for "
                                + "deleted ones. Restore ZooKeeper's data.")
                        .formatted(path));
    }
}
