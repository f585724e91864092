package io.talosgateway.localcluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Starts hosts that are down, waits until they are ready, and tells after which time since this was made. */
final class Startup {

    /**
     * Until a host is ready: a gateway that fences the files of a killed one waits for HDFS up to two minutes. Less than the ten
     * minutes that {@code talos-loadgen verify} gives a command, so that it hears what is missing.
     */
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private static final long POLL_MS = 100;
    private static final Duration PROGRESS = Duration.ofSeconds(2);

    private final ClusterHosts hosts;
    private final List<Host> down;
    private final Consumer<String> say;
    private final Probe probe;
    private final long beganAtNanos = System.nanoTime();

    Startup(ClusterHosts hosts, List<Host> down, Consumer<String> say) {
        this.hosts = hosts;
        this.down = down;
        this.say = say;
        this.probe = new Probe(hosts.cluster());
    }

    /** Starts them in the order in which they need each other, and returns when all hosts are ready. */
    void all() throws IOException, InterruptedException {
        ClusterShape shape = hosts.cluster().shape();
        launch(EnumSet.of(HostKind.ZOOKEEPER, HostKind.NAMENODE));
        // A DataNode that does not find the NameNode waits for 5 s; and this one may need them to leave safe mode.
        awaitNameNodeListens();
        launch(EnumSet.of(HostKind.DATANODE));
        await(shape.hosts().stream().filter(host -> !host.is(HostKind.GATEWAY)).toList());
        launch(EnumSet.of(HostKind.GATEWAY));
        await(shape.hosts(HostKind.GATEWAY));
    }

    private void launch(Set<HostKind> kinds) throws IOException, InterruptedException {
        for (Host host : down) {
            if (kinds.contains(host.kind())) {
                hosts.launch(host);
            }
        }
    }

    private void awaitNameNodeListens() throws IOException, InterruptedException {
        long deadlineAtNanos = System.nanoTime() + TIMEOUT.toNanos();
        while (!probe.isConnectable(Host.NAMENODE, "rpc")) {
            if (hosts.process(Host.NAMENODE) == null) {
                throw hosts.ended(Host.NAMENODE);
            }
            if (System.nanoTime() - deadlineAtNanos > 0) {
                throw new ClusterFailure("The NameNode does not listen after %d s. Its log: %s"
                        .formatted(TIMEOUT.toSeconds(), hosts.folder().log(Host.NAMENODE)));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    /** @throws ClusterFailure if one ends, or the time is over, before all are ready */
    void await(Collection<Host> started) throws IOException, InterruptedException {
        long deadlineAtNanos = System.nanoTime() + TIMEOUT.toNanos();
        long shownAtNanos = System.nanoTime();
        List<Host> waiting = new ArrayList<>(started);
        while (true) {
            Map<Host, String> missing = ask(waiting);
            waiting.retainAll(missing.keySet());
            if (waiting.isEmpty()) {
                return;
            }
            long nowNanos = System.nanoTime();
            if (nowNanos - deadlineAtNanos > 0) {
                throw new ClusterFailure("Not ready after %d s: %s. The logs are in %s"
                        .formatted(
                                TIMEOUT.toSeconds(),
                                list(missing),
                                hosts.folder().logs()));
            }
            if (nowNanos - shownAtNanos > PROGRESS.toNanos()) {
                say.accept("  waiting for " + list(missing));
                shownAtNanos = nowNanos;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    /** What each host lacks that is not ready. */
    private Map<Host, String> ask(List<Host> waiting) throws IOException, InterruptedException {
        Map<String, HostProcess> running = hosts.running();
        Map<Host, String> missing = new LinkedHashMap<>();
        for (Host host : waiting) {
            if (!running.containsKey(host.name())) {
                throw hosts.ended(host);
            }
            Probe.Answer answer = probe.ask(host);
            if (!answer.ready()) {
                missing.put(host, answer.text());
            } else if (down.contains(host)) {
                say.accept("  %-12s ready after %s".formatted(host, seconds(System.nanoTime() - beganAtNanos)));
            }
        }
        return missing;
    }

    private static String list(Map<Host, String> missing) {
        return missing.entrySet().stream()
                .map(entry -> "%s (%s)".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }
}
