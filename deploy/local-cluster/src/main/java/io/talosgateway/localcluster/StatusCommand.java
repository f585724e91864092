package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: what every host does. */
@Command(
        name = "status",
        description = {
            "Shows what every host does: ready, not-ready (it starts, or misses another host), paused, "
                    + "partitioned (cut off from all others), or down.",
            "Exit status 0 whatever they do; 1 if there is no cluster."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  local-cluster.sh status",
            "  local-cluster.sh status --json",
            "",
            "The JSON object has 'directory' and 'hosts'. A host has 'name', 'kind', 'state',",
            "'pid' (null if it is down), 'address', 'ports' and 'detail'."
        })
final class StatusCommand implements Callable<Integer> {

    private static final String ROW = "%-12s %-10s %8s  %-28s %s";

    @Option(names = "--json", description = "For programs.")
    private boolean json;

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    /** What {@code --json} prints. */
    private record Status(String directory, List<HostStatus> hosts) {}

    /** @param pid null if it is down */
    private record HostStatus(
            String name,
            String kind,
            String state,
            @Nullable Long pid,
            String address,
            @Nullable Map<String, Integer> ports,
            String detail) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterHosts hosts = options.hosts();
        List<HostStatus> statuses = askAll(hosts);
        if (json) {
            Status status = new Status(hosts.folder().path().toString(), statuses);
            options.say(ClusterFolder.JSON.writeValueAsString(status));
            return 0;
        }
        options.say(ROW.formatted("HOST", "STATE", "PROCESS", "ADDRESS", ""));
        for (HostStatus status : statuses) {
            options.say(ROW.formatted(
                            status.name,
                            status.state,
                            status.pid == null ? "-" : status.pid,
                            status.address,
                            status.detail)
                    .stripTrailing());
        }
        return 0;
    }

    /** Asks all at once: one that hangs takes seconds. */
    private static List<HostStatus> askAll(ClusterHosts hosts) throws IOException, InterruptedException {
        RunningCluster cluster = hosts.cluster();
        Map<String, HostProcess> running = hosts.running();
        Set<String> partitioned = new Networks(cluster).partitioned();
        Probe probe = new Probe(cluster);
        List<Callable<HostStatus>> questions = new ArrayList<>();
        for (Host host : cluster.shape().hosts()) {
            HostProcess process = running.get(host.name());
            questions.add(() -> ask(cluster, host, process, partitioned.contains(host.name()), probe));
        }
        ExecutorService threads = Executors.newFixedThreadPool(questions.size());
        try {
            List<HostStatus> statuses = new ArrayList<>();
            for (Future<HostStatus> answer : threads.invokeAll(questions)) {
                statuses.add(answer.get());
            }
            return statuses;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static HostStatus ask(
            RunningCluster cluster, Host host, @Nullable HostProcess process, boolean partitioned, Probe probe)
            throws IOException, InterruptedException {
        String state;
        String detail = partitioned ? "cut off from all others" : "";
        if (process == null) {
            state = "down";
        } else if (process.stopped()) {
            state = "paused";
        } else if (partitioned) {
            state = "partitioned";
        } else {
            Probe.Answer answer = probe.ask(host);
            state = answer.ready() ? "ready" : "not-ready";
            detail = answer.text();
        }
        return new HostStatus(
                host.name(),
                host.kind().text(),
                state,
                process == null ? null : process.pid(),
                cluster.endpoint(host),
                cluster.ports().get(host.name()),
                detail);
    }
}
