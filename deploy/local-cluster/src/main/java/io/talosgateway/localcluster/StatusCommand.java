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

/** {@code status}: what every host does. */
@Command(
        name = "status",
        description = {
            "Shows what every host does: ready, not-ready (it starts, or misses another host), paused, "
                    + "partitioned (cut off from all others), or down.",
            "Exit status 0 whatever they do; 1 if there is no cluster."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh status"})
final class StatusCommand implements Callable<Integer> {

    private static final String ROW = "%-12s %-10s %8s  %-28s %s";

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        options.say(ROW.formatted("HOST", "STATE", "PROCESS", "ADDRESS", ""));
        askAll(options.hosts()).forEach(options::say);
        return 0;
    }

    /** Asks all at once: one that hangs takes seconds. */
    private static List<String> askAll(ClusterHosts hosts) throws IOException, InterruptedException {
        RunningCluster cluster = hosts.cluster();
        Map<String, HostProcess> running = hosts.running();
        Set<String> partitioned = new Networks(cluster).partitioned();
        Probe probe = new Probe(cluster);
        List<Callable<String>> questions = new ArrayList<>();
        for (Host host : cluster.shape().hosts()) {
            HostProcess process = running.get(host.name());
            questions.add(() -> ask(cluster, host, process, partitioned.contains(host.name()), probe));
        }
        ExecutorService threads = Executors.newFixedThreadPool(questions.size());
        try {
            List<String> statuses = new ArrayList<>();
            for (Future<String> answer : threads.invokeAll(questions)) {
                statuses.add(answer.get());
            }
            return statuses;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static String ask(
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
        return ROW.formatted(host, state, process == null ? "-" : process.pid(), cluster.endpoint(host), detail)
                .stripTrailing();
    }
}
