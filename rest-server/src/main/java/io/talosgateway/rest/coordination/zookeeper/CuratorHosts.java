package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.coordination.HostExistsException;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.ReadLease;
import io.talosgateway.rest.coordination.SessionLease;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.scheduler.NanoClock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hosts as ephemeral nodes, and a persistent counter of incarnations for each. */
final class CuratorHosts implements Hosts, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CuratorHosts.class);
    private static final int COUNTER_ATTEMPTS = 10;

    private final CuratorFramework client;
    private final String root;
    private final Duration sessionTimeout;
    /** Nobody but us can be there: what we find was left by an earlier life of this process. */
    private final boolean exclusive;

    private final LeaseRenewal leases;
    private final NanoClock clock;
    private final CuratorCache cache;
    private final Map<String, HostInfo> alive = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    CuratorHosts(
            CuratorFramework client,
            String root,
            Duration sessionTimeout,
            boolean exclusive,
            LeaseRenewal leases,
            NanoClock clock) {
        this.client = client;
        this.root = root;
        this.sessionTimeout = sessionTimeout;
        this.exclusive = exclusive;
        this.leases = leases;
        this.clock = clock;
        this.cache = CuratorCache.build(client, root + "/hosts");
    }

    /** Returns when the hosts that are alive are known. */
    void start(Duration timeout) throws IOException {
        CountDownLatch loaded = new CountDownLatch(1);
        client.getConnectionStateListenable().addListener((curator, state) -> {
            if (state == ConnectionState.LOST) {
                leases.sessionEnded();
            }
        });
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreates(this::seen)
                        .forChanges((before, after) -> seen(after))
                        .forDeletes(this::seenGone)
                        .forInitialized(loaded::countDown)
                        .build());
        cache.start();
        ZooKeeperErrors.await(loaded, timeout, "the list of hosts");
    }

    private void seen(ChildData node) {
        String name = nameOf(node);
        if (name.isEmpty()) {
            return;
        }
        try {
            alive.put(name, RecordJson.read(node.getData(), HostInfo.class));
            changed();
        } catch (IOException e) {
            log.error("{} in ZooKeeper is not a host's ({}); it is ignored", node.getPath(), RecordJson.reason(e));
        }
    }

    private void seenGone(ChildData node) {
        if (alive.remove(nameOf(node)) != null) {
            changed();
        }
    }

    /** Empty for the directory itself. */
    private String nameOf(ChildData node) {
        String path = node.getPath();
        return path.length() > path("").length() ? path.substring(path("").length()) : "";
    }

    private void changed() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public Map<String, HostInfo> alive() {
        return Map.copyOf(alive);
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void announce(HostInfo host) {
        rewrite(host);
    }

    private Stat rewrite(HostInfo host) {
        try {
            return ZooKeeperErrors.call(() -> client.setData().forPath(path(host.name()), RecordJson.write(host)));
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public long nextIncarnation(String host, long known) {
        String path = root + "/incarnations/" + host;
        for (int attempt = 0; attempt < COUNTER_ATTEMPTS; attempt++) {
            try {
                Stat stat = new Stat();
                byte[] current = ZooKeeperErrors.call(
                        () -> client.getData().storingStatIn(stat).forPath(path));
                long counted = Long.parseLong(new String(current, StandardCharsets.US_ASCII));
                long next = Math.max(counted, known) + 1;
                ZooKeeperErrors.call(
                        () -> client.setData().withVersion(stat.getVersion()).forPath(path, ascii(next)));
                return next;
            } catch (KeeperException.NoNodeException e) {
                createQuietly(path, ascii(0));
            } catch (KeeperException e) {
                log.debug("Somebody else counted {} up", path);
            }
        }
        throw new GatewayException(
                ErrorCode.COORDINATION_UNAVAILABLE,
                "ZooKeeper's counter " + path + " is being changed by somebody else.");
    }

    private void createQuietly(String path, byte[] data) {
        try {
            ZooKeeperErrors.call(() -> client.create().creatingParentsIfNeeded().forPath(path, data));
        } catch (KeeperException e) {
            log.debug("{} exists already", path);
        }
    }

    @Override
    public boolean isGone(String host, long incarnation) {
        String path = path(host);
        try {
            // What this host is connected to may not know yet what the leader has decided.
            ZooKeeperErrors.call(() -> client.sync().forPath(path));
            byte[] registered = ZooKeeperErrors.call(() -> client.getData().forPath(path));
            return RecordJson.read(registered, HostInfo.class).incarnation() != incarnation;
        } catch (KeeperException.NoNodeException e) {
            return true;
        } catch (KeeperException | IOException e) {
            log.debug("Whether {} is alive cannot be told", path, e);
            return false;
        }
    }

    private static byte[] ascii(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private String path(String host) {
        return root + "/hosts/" + host;
    }

    @Override
    public ReadLease register(HostInfo host) throws HostExistsException {
        byte[] data = RecordJson.write(host);
        String path = path(host.name());
        if (exclusive) {
            unregister(host.name());
        }
        // The node of a process that was killed stays until its session times out.
        long waitMs = sessionTimeout.toMillis() + 2_000;
        for (int attempt = 0; attempt < 2; attempt++) {
            SessionLease.Moment asked = leases.now();
            try {
                Stat stat = new Stat();
                ZooKeeperErrors.call(() -> client.create()
                        .storingStatIn(stat)
                        .creatingParentsIfNeeded()
                        .withMode(CreateMode.EPHEMERAL)
                        .forPath(path, data));
                return lease(stat, asked);
            } catch (KeeperException.NodeExistsException e) {
                if (isOurs(path)) {
                    return lease(rewrite(host), asked);
                }
                if (attempt == 0) {
                    log.info(
                            "Waiting up to {} s for an earlier life of host {} to be forgotten",
                            waitMs / 1000,
                            host.name());
                    awaitGone(path, waitMs);
                }
            } catch (KeeperException e) {
                throw ZooKeeperErrors.unexpected(e);
            }
        }
        throw new HostExistsException(host.name(), endpointOf(path));
    }

    /** Creating and changing a node are for the leader, which refuses them if it has ended the session. */
    private ReadLease lease(Stat host, SessionLease.Moment asked) {
        try {
            ZooKeeper zooKeeper =
                    ZooKeeperErrors.call(() -> client.getZookeeperClient().getZooKeeper());
            return leases.begin(zooKeeper, host.getEphemeralOwner(), asked);
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    /** Made by our own first attempt, or by an earlier incarnation in the same session. */
    private boolean isOurs(String path) {
        try {
            Stat stat = ZooKeeperErrors.call(() -> client.checkExists().forPath(path));
            long session = ZooKeeperErrors.call(
                    () -> client.getZookeeperClient().getZooKeeper().getSessionId());
            return stat != null && stat.getEphemeralOwner() == session;
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    private void awaitGone(String path, long waitMs) {
        long deadlineAtNanos = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        try {
            boolean goesOn = true;
            while (goesOn) {
                CountDownLatch changed = new CountDownLatch(1);
                // It is told of a lost connection, too, and stays: only a change of the node uses it up.
                Watcher watcher = event -> {
                    if (event.getType() != Watcher.Event.EventType.None) {
                        changed.countDown();
                    }
                };
                Stat stat = ZooKeeperErrors.call(
                        () -> client.checkExists().usingWatcher(watcher).forPath(path));
                goesOn = stat != null && changed.await(deadlineAtNanos - clock.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String endpointOf(String path) {
        try {
            return RecordJson.read(ZooKeeperErrors.call(() -> client.getData().forPath(path)), HostInfo.class)
                    .endpoint();
        } catch (KeeperException | IOException e) {
            return "an unknown address";
        }
    }

    @Override
    public void unregister(String host) {
        leases.end("this host has left the cluster");
        try {
            ZooKeeperErrors.call(() -> client.delete().quietly().forPath(path(host)));
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public void onNewSession(Runnable listener) {
        client.getConnectionStateListenable()
                .addListener(new org.apache.curator.framework.state.ConnectionStateListener() {
                    private boolean lost;

                    @Override
                    public synchronized void stateChanged(CuratorFramework curator, ConnectionState state) {
                        if (state == ConnectionState.LOST) {
                            lost = true;
                            log.warn("The ZooKeeper session has ended");
                        } else if (state == ConnectionState.RECONNECTED && lost) {
                            lost = false;
                            listener.run();
                        } else {
                            log.info("ZooKeeper connection: {}", state);
                        }
                    }
                });
    }

    @Override
    public void close() {
        leases.close();
        cache.close();
    }

    @Override
    public boolean isConnected() {
        return client.getZookeeperClient().isConnected();
    }
}
