package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.PlacementRecord;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The placement as one node, held in memory and kept up to date by a watch. */
final class CuratorPlacementRecord implements PlacementRecord, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CuratorPlacementRecord.class);
    private static final Versioned NONE = new Versioned(Placement.EMPTY, ABSENT);

    private final CuratorFramework client;
    private final String path;
    private final CuratorCache cache;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Versioned current = NONE;

    CuratorPlacementRecord(CuratorFramework client, String root) {
        this.client = client;
        this.path = root + "/placement";
        this.cache = CuratorCache.build(client, path, CuratorCache.Options.SINGLE_NODE_CACHE);
    }

    /** Returns when the placement is in memory. */
    void start(Duration timeout) throws IOException {
        CountDownLatch loaded = new CountDownLatch(1);
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreates(this::seen)
                        .forChanges((before, after) -> seen(after))
                        .forInitialized(loaded::countDown)
                        .build());
        cache.start();
        ZooKeeperErrors.await(loaded, timeout, "the placement");
    }

    private void seen(ChildData node) {
        try {
            learn(
                    RecordJson.read(node.getData(), Placement.class),
                    node.getStat().getVersion());
        } catch (IOException | RuntimeException e) {
            log.error(
                    "{} in ZooKeeper is not a placement ({}); the one before stays in force",
                    node.getPath(),
                    RecordJson.reason(e));
        }
    }

    private void learn(Placement placement, int version) {
        synchronized (this) {
            if (version <= current.version()) {
                return;
            }
            current = new Versioned(placement, version);
        }
        listeners.forEach(Runnable::run);
    }

    @Override
    public Versioned current() {
        return current;
    }

    @Override
    public boolean replace(int expectedVersion, Placement placement) {
        byte[] data = RecordJson.write(placement);
        try {
            if (expectedVersion == ABSENT) {
                ZooKeeperErrors.call(
                        () -> client.create().creatingParentsIfNeeded().forPath(path, data));
                learn(placement, 0);
            } else {
                Stat stat = ZooKeeperErrors.call(
                        () -> client.setData().withVersion(expectedVersion).forPath(path, data));
                learn(placement, stat.getVersion());
            }
            return true;
        } catch (KeeperException.NodeExistsException | KeeperException.BadVersionException e) {
            log.debug("Somebody else wrote the placement", e);
            return false;
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        cache.close();
    }
}
