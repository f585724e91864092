package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code down}: ends the cluster. */
@Command(
        name = "down",
        description = {
            "Ends all hosts, and deletes what they had: data, logs, keys, all that 'up' made in the folder, and networks.",
            "With --keep-data the hosts are stopped cleanly, and everything stays; 'up' then goes on with it."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  local-cluster.sh down", "  local-cluster.sh down --keep-data"})
final class DownCommand extends ClusterCommand {

    private static final List<Set<HostKind>> STOP_ORDER =
            List.of(Set.of(HostKind.GATEWAY), Set.of(HostKind.DATANODE), Set.of(HostKind.NAMENODE, HostKind.ZOOKEEPER));

    @Option(names = "--keep-data", description = "Stop the hosts cleanly, and delete nothing.")
    private boolean keepData;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterFolder folder = folder();
        folder.readExisting();
        try (ClusterFolder.Lock lock = folder.lock()) {
            RunningCluster cluster = folder.readExisting();
            ClusterHosts hosts = new ClusterHosts(cluster, folder);
            if (keepData) {
                stop(hosts);
            }
            kill(hosts);
            new Networks(cluster).remove();
            if (!keepData) {
                folder.delete(lock);
            }
        }
        say(keepData ? "Down; 'up' goes on with what is in " + folder.path() : "Down; nothing of it is left");
        return 0;
    }

    /** Gateways before what they use. */
    private void stop(ClusterHosts hosts) throws IOException, InterruptedException {
        for (Set<HostKind> kinds : STOP_ORDER) {
            Set<String> prefixes = kinds.stream().map(HostKind::text).collect(Collectors.toSet());
            Map<String, SystemProcess> running = hosts.running();
            running.keySet().removeIf(name -> prefixes.stream().noneMatch(name::startsWith));
            if (running.isEmpty()) {
                continue;
            }
            say("  stopping " + running.keySet().stream().sorted().collect(Collectors.joining(", ")));
            for (SystemProcess process : running.values()) {
                hosts.signal(process, Signal.TERM);
                hosts.signal(process, Signal.CONT);
            }
            if (!hosts.awaitGone(pids(running.values()), Timeouts.STOP.toMillis())) {
                say("  not stopped after %d s, so what is left of them is killed".formatted(Timeouts.STOP.toSeconds()));
            }
        }
    }

    private void kill(ClusterHosts hosts) throws IOException, InterruptedException {
        Set<String> killed = hosts.killAll();
        if (!killed.isEmpty()) {
            say("  killed " + String.join(", ", killed));
        }
    }

    private static Set<Long> pids(Collection<SystemProcess> processes) {
        return processes.stream().map(SystemProcess::pid).collect(Collectors.toCollection(HashSet::new));
    }
}
