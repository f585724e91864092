package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import picocli.CommandLine.Command;

/** {@code start HOST}. */
@Command(
        name = "start",
        description = {
            "Starts a host, or all, that is down, at its address and with its data, and waits until it is ready.",
            "Ready is a gateway whose /health/ready says so, a DataNode that is registered, a NameNode that is out of "
                    + "safe mode, a ZooKeeper that answers."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh start gateway-1"})
final class StartCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        start(target);
    }

    /** In the order in which they need each other. */
    @Override
    void runAll(ClusterFolder folder, RunningCluster cluster) throws IOException, InterruptedException {
        ClusterHosts hosts = new ClusterHosts(cluster, folder);
        try (ClusterFolder.Lock lock = folder.lock()) {
            Set<String> running = hosts.running().keySet();
            List<Host> down = new ArrayList<>(cluster.shape().hosts());
            down.removeIf(host -> running.contains(host.name()));
            HostReadiness readiness = new HostReadiness(
                    hosts,
                    new Probe(cluster),
                    Set.copyOf(down),
                    spec().commandLine().getOut());
            new Starter(hosts, readiness, lock).start(cluster, down);
        }
    }
}
