package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.zookeeper.ClusterLayout.ClusterJson;
import io.talosgateway.scheduler.NanoClock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception.SSLContextException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Connects to an ensemble as a gateway does, and answers questions that a gateway does not ask. Changes nothing but a node of its
 * own, which ends with its session. Methods block, and throw {@link IOException} with a sentence for the operator; for one thread.
 */
public final class ZooKeeperProbe implements AutoCloseable {

    private static final String MODE = "Mode: ";

    private final CuratorFramework client;
    private final ZooKeeperConfig config;
    private final NanoClock clock;

    /**
     * What ZooKeeper knows of a cluster.
     *
     * @param secret by which the hosts know each other; null if it is configured
     * @param hosts that are registered, by name
     */
    public record Cluster(String id, @Nullable String secret, Map<String, HostInfo> hosts) {}

    /**
     * What a server of the ensemble says.
     *
     * @param mode such as {@code leader}; null if it does not answer, or may not
     * @param problem null if it answers
     */
    public record Server(
            String address, @Nullable String mode, @Nullable String problem) {}

    /**
     * A node that was made and deleted.
     *
     * @param directory in which it was
     * @param createdAtMs when, by the clock of the leader, in milliseconds since 1970
     */
    public record Touched(String directory, long createdAtMs) {}

    private ZooKeeperProbe(CuratorFramework client, ZooKeeperConfig config, NanoClock clock) {
        this.client = client;
        this.config = config;
        this.clock = clock;
    }

    /**
     * Connects.
     *
     * @param config with {@link ZooKeeperConfig#connect} of an ensemble
     */
    public static ZooKeeperProbe open(ZooKeeperConfig config, NanoClock clock) throws IOException {
        String connect = config.connect();
        if (connect == null) {
            throw new IllegalArgumentException("an embedded ZooKeeper belongs to its gateway");
        }
        if (config.tls() != null) {
            config.tls().check();
        }
        CuratorFramework client = ZooKeeperCoordination.client(config, connect, config.auth());
        try {
            ZooKeeperCoordination.connect(client, config);
            return new ZooKeeperProbe(client, config, clock);
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** What each of the servers says, one after the other. Not over TLS, where they are not asked. */
    public static List<Server> servers(ZooKeeperConfig config, int timeoutMs) {
        List<Server> servers = new ArrayList<>();
        new ConnectStringParser(String.valueOf(config.connect()))
                .getServerAddresses()
                .forEach(address -> {
                    String text = address.getHostString() + ":" + address.getPort();
                    try {
                        String answer = FourLetterWordMain.send4LetterWord(
                                address.getHostString(), address.getPort(), "srvr", false, timeoutMs);
                        servers.add(new Server(text, mode(answer), answer.isBlank() ? "it says nothing" : null));
                    } catch (IOException | SSLContextException e) {
                        servers.add(new Server(text, null, String.valueOf(e.getMessage())));
                    }
                });
        return servers;
    }

    private static @Nullable String mode(String answer) {
        return answer.lines()
                .filter(line -> line.startsWith(MODE))
                .map(line -> line.substring(MODE.length()))
                .findFirst()
                .orElse(null);
    }

    /** Null if there is no cluster yet below the root. */
    public @Nullable Cluster cluster() throws IOException {
        if (!exists("/")) {
            throw new IOException(
                    ("The path behind the servers in zookeeper.connect=%s does not exist. Create it with ZooKeeper's "
                                    + "command line: create PATH; or name the path in zookeeper.root, which the gateway creates.")
                            .formatted(config.connect()));
        }
        String record = config.root() + "/cluster";
        if (!exists(record)) {
            return null;
        }
        // Does not tell a wrong password from an outage when it is read as gateways do.
        call(record, () -> client.getData().forPath(record));
        ClusterJson cluster = new ClusterLayout(client, config.root(), clock).read(new Stat());
        return cluster == null ? null : new Cluster(cluster.id(), cluster.secret(), call(config.root(), this::hosts));
    }

    private boolean exists(String path) throws IOException {
        return call(path, () -> Optional.ofNullable(client.checkExists().forPath(path)))
                .isPresent();
    }

    private Map<String, HostInfo> hosts() throws Exception {
        Map<String, HostInfo> hosts = new TreeMap<>();
        String directory = config.root() + "/hosts";
        if (!exists(directory)) {
            return hosts;
        }
        for (String name : client.getChildren().forPath(directory)) {
            try {
                hosts.put(name, RecordJson.read(client.getData().forPath(directory + "/" + name), HostInfo.class));
            } catch (KeeperException.NoNodeException e) {
                // It has just left.
                hosts.remove(name);
            }
        }
        return hosts;
    }

    /** Makes a node that ends with this session, where a gateway would make its own, and deletes it. */
    public Touched touch() throws IOException {
        String directory = directory();
        String path = (directory.equals("/") ? "" : directory) + "/doctor-" + UUID.randomUUID();
        Stat stat = new Stat();
        call(
                directory,
                () -> client.create()
                        .storingStatIn(stat)
                        .withMode(CreateMode.EPHEMERAL)
                        .forPath(path));
        call(directory, () -> client.delete().forPath(path));
        return new Touched(directory, stat.getCtime());
    }

    /** Not in a root that is empty: a gateway would take the node for somebody else's. */
    private String directory() throws IOException {
        if (exists(config.root() + "/cluster")) {
            return config.root();
        }
        String above = parent(config.root());
        while (!above.equals("/") && !exists(above)) {
            above = parent(above);
        }
        return above;
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    /** How long a small answer takes: the median of a few, in nanoseconds. */
    public long roundTripNanos(int times) throws IOException {
        long[] taken = new long[times];
        for (int time = 0; time < times; time++) {
            long before = clock.nanoTime();
            exists("/");
            taken[time] = clock.nanoTime() - before;
        }
        Arrays.sort(taken);
        return taken[times / 2];
    }

    /** Those of the root and the cluster's record that everybody who reaches ZooKeeper can change. */
    public List<String> openNodes() throws IOException {
        List<String> open = new ArrayList<>();
        for (String path : List.of(config.root(), config.root() + "/cluster")) {
            if (ZooKeeperCoordination.allows(client, path, ZooKeeperCoordination.CHANGES)) {
                open.add(path);
            }
        }
        return open;
    }

    private interface Call<T> {
        T call() throws Exception;
    }

    private <T> T call(String path, Call<T> call) throws IOException {
        try {
            return call.call();
        } catch (KeeperException.NoAuthException | KeeperException.AuthFailedException e) {
            throw new IOException(
                    "ZooKeeper refuses this gateway the node %s (%s). Set the zookeeper.auth with which the cluster was created%s."
                            .formatted(
                                    path,
                                    e.code(),
                                    config.auth() == null
                                            ? ""
                                            : ", or correct the access control of the node (getAcl, setAcl)"),
                    e);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while asking ZooKeeper", e);
        } catch (Exception e) {
            throw new IOException(
                    "ZooKeeper did not answer (%s). Check that a majority of its servers runs."
                            .formatted(e.getMessage()),
                    e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
