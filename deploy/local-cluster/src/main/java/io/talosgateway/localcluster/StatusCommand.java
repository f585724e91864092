package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
final class StatusCommand extends ClusterCommand {

    private static final String ROW = "%-12s %-10s %8s  %-28s %s";

    @Option(names = "--json", description = "For programs.")
    private boolean json;

    /** @param pid null if it is down */
    private record HostStatus(
            Host host, HostState state, @Nullable Long pid, String detail) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterFolder folder = folder();
        RunningCluster cluster = folder.readExisting();
        List<HostStatus> statuses =
                askAll(cluster, new ClusterHosts(cluster, folder).running(), new Networks(cluster).partitioned());
        if (json) {
            say(toJson(cluster, folder, statuses));
            return 0;
        }
        say(ROW.formatted("HOST", "STATE", "PROCESS", "ADDRESS", ""));
        for (HostStatus status : statuses) {
            say(ROW.formatted(
                            status.host,
                            status.state.text(),
                            status.pid == null ? "-" : status.pid,
                            cluster.endpoint(status.host),
                            status.detail)
                    .stripTrailing());
        }
        return 0;
    }

    /** Asks all at once: one that hangs takes seconds. */
    private static List<HostStatus> askAll(
            RunningCluster cluster, Map<String, SystemProcess> running, Set<String> partitioned)
            throws InterruptedException {
        Probe probe = new Probe(cluster);
        List<Host> hosts = cluster.shape().hosts();
        ExecutorService threads = Executors.newFixedThreadPool(hosts.size());
        try {
            List<Future<HostStatus>> answers = new ArrayList<>();
            for (Host host : hosts) {
                answers.add(threads.submit(
                        () -> ask(host, running.get(host.name()), partitioned.contains(host.name()), probe)));
            }
            List<HostStatus> statuses = new ArrayList<>();
            for (Future<HostStatus> answer : answers) {
                statuses.add(answer.get());
            }
            return statuses;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static HostStatus ask(Host host, @Nullable SystemProcess process, boolean partitioned, Probe probe)
            throws InterruptedException {
        String cut = partitioned ? "cut off from all others" : "";
        if (process == null) {
            return new HostStatus(host, HostState.DOWN, null, cut);
        }
        if (process.stopped()) {
            return new HostStatus(host, HostState.PAUSED, process.pid(), cut);
        }
        if (partitioned) {
            return new HostStatus(host, HostState.PARTITIONED, process.pid(), cut);
        }
        Probe.Answer answer = probe.ask(host);
        return new HostStatus(
                host, answer.ready() ? HostState.READY : HostState.NOT_READY, process.pid(), answer.text());
    }

    private static String toJson(RunningCluster cluster, ClusterFolder folder, List<HostStatus> statuses)
            throws IOException {
        List<Map<String, @Nullable Object>> hosts = new ArrayList<>();
        for (HostStatus status : statuses) {
            Map<String, @Nullable Object> host = new LinkedHashMap<>();
            host.put("name", status.host.name());
            host.put("kind", status.host.kind().text());
            host.put("state", status.state.text());
            host.put("pid", status.pid);
            host.put("address", cluster.endpoint(status.host));
            host.put("ports", cluster.ports().get(status.host.name()));
            host.put("detail", status.detail);
            hosts.add(host);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("directory", folder.path().toString());
        all.put("hosts", hosts);
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(all);
    }
}
