package io.talosgateway.localcluster;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;

import io.talosgateway.rest.bootstrap.ConfigException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code up}: makes a cluster, or goes on with one. */
@Command(
        name = "up",
        description = {
            "Brings the cluster up: makes it if there is none, starts what is down, and returns when all hosts are ready.",
            "Ports and shape are chosen when the cluster is made, and stay. A cluster that was killed ('kill all'), or that "
                    + "the machine took down, comes back with its messages.",
            "",
            "It takes half a minute on 2 cores, and 2 GiB of memory, for 4 gateways and 3 DataNodes. Ctrl-C leaves "
                    + "what has started: another 'up' goes on, 'down' ends it."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  local-cluster.sh up",
            "  local-cluster.sh up --gateways 2 --datanodes 1",
            "  local-cluster.sh up --gateways 2 --datanodes 1 --networks",
            "  local-cluster.sh up --set zookeeper.session-timeout=4s --set journal.lanes=1",
            "  local-cluster.sh up --set hadoop.dfs.client.socket-timeout=20000"
        })
final class UpCommand implements Callable<Integer> {

    @Option(names = "--gateways", paramLabel = "N", description = "1 to 16. Default: 4.")
    private @Nullable Integer gateways;

    @Option(
            names = "--datanodes",
            paramLabel = "N",
            description = "1 to 16. Default: 3. Every message is on three of them, or on all if there are fewer.")
    private @Nullable Integer dataNodes;

    @Option(names = "--gateway-heap", paramLabel = "SIZE", description = "Heap of each gateway. Default: 320m.")
    private @Nullable String gatewayHeap;

    @Option(
            names = "--networks",
            description = {
                "Give each gateway a network namespace of its own, joined by a bridge, so that 'partition' can cut it off. The "
                        + "other hosts listen at the bridge's address; you reach all from here.",
                "Needs Linux, root, 'ip' (iproute2) and 'nsenter' (util-linux), and a firewall that lets packets "
                        + "through the bridge. A cluster keeps what it was made with."
            })
    private boolean networks;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description =
                    "A setting of all gateways; conf/talos-gateway.properties of the distribution shows which there "
                            + "are. May be repeated.")
    private @Nullable Map<String, String> settings;

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterFolder folder = options.folder();
        // Before anything is made.
        shape(folder.read());
        folder.create();
        folder.locked(() -> up(folder));
        return 0;
    }

    private void up(ClusterFolder folder) throws IOException, InterruptedException {
        RunningCluster known = folder.read();
        ClusterShape shape = shape(known);
        RunningCluster cluster = known == null ? make(shape, folder) : known;
        ClusterHosts hosts = new ClusterHosts(cluster, folder);
        if (hosts.running().isEmpty()) {
            // Also if the machine has lost it.
            new Networks(cluster).make();
            new ClusterFiles(cluster, folder).write();
        }
        refusePartitioned(cluster);
        start(hosts);
        show(cluster, folder);
    }

    /**
     * The shape that is asked for: what no option says is as it was.
     *
     * @throws ClusterFailure if there is a cluster of another one
     */
    private ClusterShape shape(@Nullable RunningCluster known) {
        ClusterShape otherwise = known == null ? ClusterShape.DEFAULT : known.shape();
        ClusterShape shape;
        try {
            shape = new ClusterShape(
                    gateways == null ? otherwise.gateways() : gateways,
                    dataNodes == null ? otherwise.dataNodes() : dataNodes,
                    gatewayHeap == null ? otherwise.gatewayHeap() : gatewayHeap,
                    settings == null ? otherwise.settings() : settings);
            GatewaySettings.check(shape);
        } catch (IllegalArgumentException | ConfigException e) {
            throw new CommandLine.ParameterException(
                    options.command().commandLine(), String.valueOf(e.getMessage()), e);
        }
        if (!shape.equals(otherwise) && known != null) {
            throw refuseChange("in another shape (%s)".formatted(otherwise));
        }
        if (networks && known != null && known.network() == null) {
            throw refuseChange("without --networks");
        }
        return shape;
    }

    private static ClusterFailure refuseChange(String how) {
        return new ClusterFailure(
                ("The cluster was made %s, and stays as it is. 'down' deletes it, so that 'up' can make another one; "
                                + "--dir names another folder")
                        .formatted(how));
    }

    /** Leaves nothing of it if that is not possible. */
    private RunningCluster make(ClusterShape shape, ClusterFolder folder) throws IOException, InterruptedException {
        SecureRandom random = new SecureRandom();
        try {
            RunningCluster cluster = RunningCluster.make(
                    shape,
                    networks ? Networks.choose(random) : null,
                    random,
                    port -> ClusterHosts.isFree(RunningCluster.LOOPBACK, port));
            // Before the networks, so that 'down' knows what to take away if this process dies.
            folder.write(cluster);
            new Networks(cluster).make();
            return cluster;
        } catch (ClusterFailure e) {
            folder.delete();
            throw e;
        }
    }

    private static void refusePartitioned(RunningCluster cluster) throws InterruptedException {
        Set<String> partitioned = new Networks(cluster).partitioned();
        if (!partitioned.isEmpty()) {
            throw new ClusterFailure("Cut off from all others: %s; heal them before 'up'"
                    .formatted(String.join(", ", new TreeSet<>(partitioned))));
        }
    }

    private void start(ClusterHosts hosts) throws IOException, InterruptedException {
        Map<String, HostProcess> running = new TreeMap<>(hosts.running());
        List<String> paused = new ArrayList<>();
        for (Map.Entry<String, HostProcess> host : running.entrySet()) {
            if (host.getValue().stopped()) {
                paused.add(host.getKey());
            }
        }
        if (!paused.isEmpty()) {
            throw new ClusterFailure("Paused: %s; resume them before 'up'".formatted(String.join(", ", paused)));
        }
        List<Host> down = hosts.down();
        if (down.isEmpty()) {
            options.say("The cluster is up already, in " + hosts.folder().path());
        } else {
            options.say((running.isEmpty() ? "Starting the cluster in " : "Starting what is down in ")
                    + hosts.folder().path());
        }
        long beganAtNanos = System.nanoTime();
        try {
            new Startup(hosts, down, options::say).all();
        } catch (ClusterFailure e) {
            throw new ClusterFailure(
                    e.getMessage() + "\nWhat was started before runs on: 'up' tries the rest again, 'down' ends all",
                    e);
        }
        if (!down.isEmpty()) {
            options.say("Up after " + Startup.seconds(System.nanoTime() - beganAtNanos));
        }
    }

    private void show(RunningCluster cluster, ClusterFolder folder) {
        Map<String, String> lines = new LinkedHashMap<>();
        for (Host gateway : cluster.shape().hosts(HostKind.GATEWAY)) {
            lines.put(
                    gateway.name(),
                    "%s   operations http://%s".formatted(cluster.endpoint(gateway), cluster.address(gateway, "ops")));
        }
        lines.put("HDFS", "%s   http://%s".formatted(cluster.storageRoot(), cluster.address(Host.NAMENODE, "http")));
        lines.put("ZooKeeper", cluster.zookeeperConnect());
        lines.put("key", "curl -K %s %s/v1/topics".formatted(folder.curlFile(), cluster.endpoint(Host.gateway(1))));
        lines.put("programs", folder.propertiesFile().toString());
        lines.put("logs", folder.logs().toString());
        lines.forEach((what, where) -> options.say("  %-12s %s".formatted(what, where)));
    }
}
