package io.talosgateway.localcluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class DownCommand implements Callable<Integer> {

    private static final List<Set<HostKind>> STOP_ORDER =
            List.of(Set.of(HostKind.GATEWAY), Set.of(HostKind.DATANODE), Set.of(HostKind.NAMENODE, HostKind.ZOOKEEPER));

    /** A gateway finishes its requests for up to 20 s. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(40);

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Option(names = "--keep-data", description = "Stop the hosts cleanly, and delete nothing.")
    private boolean keepData;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterFolder folder = options.folder();
        folder.readExisting();
        folder.locked(() -> down(options.hosts()));
        options.say(keepData ? "Down; 'up' goes on with what is in " + folder.path() : "Down; nothing of it is left");
        return 0;
    }

    private void down(ClusterHosts hosts) throws IOException, InterruptedException {
        if (keepData) {
            stop(hosts);
        }
        Set<String> killed = hosts.killAll();
        if (!killed.isEmpty()) {
            options.say("  killed " + String.join(", ", killed));
        }
        new Networks(hosts.cluster()).remove();
        if (!keepData) {
            hosts.folder().delete();
        }
    }

    /** Gateways before what they use. */
    private void stop(ClusterHosts hosts) throws IOException, InterruptedException {
        for (Set<HostKind> kinds : STOP_ORDER) {
            Set<String> prefixes = kinds.stream().map(HostKind::text).collect(Collectors.toSet());
            Map<String, HostProcess> running = hosts.running();
            running.keySet().removeIf(name -> prefixes.stream().noneMatch(name::startsWith));
            if (running.isEmpty()) {
                continue;
            }
            options.say("  stopping " + running.keySet().stream().sorted().collect(Collectors.joining(", ")));
            for (HostProcess process : running.values()) {
                process.send(HostProcess.Signal.TERM);
                process.send(HostProcess.Signal.CONT);
            }
            if (!hosts.awaitGone(running.values(), STOP_TIMEOUT.toMillis())) {
                options.say("  not stopped after %d s, so what is left of them is killed"
                        .formatted(STOP_TIMEOUT.toSeconds()));
            }
        }
    }
}
