package io.talosgateway.localcluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Waits for hosts that were started, and tells how far they are, and after which time since this was made. */
final class HostReadiness {

    private static final long POLL_MS = 100;
    private static final Duration PROGRESS = Duration.ofSeconds(2);

    private final ClusterHosts hosts;
    private final Probe probe;
    private final Set<Host> news;
    private final PrintWriter out;
    private final long beganAtNanos = System.nanoTime();

    /** @param news hosts whose readiness is told: those that were down */
    HostReadiness(ClusterHosts hosts, Probe probe, Set<Host> news, PrintWriter out) {
        this.hosts = hosts;
        this.probe = probe;
        this.news = news;
        this.out = out;
    }

    /**
     * Returns when all are ready.
     *
     * @throws ClusterFailure if one ends, or the time is over before
     */
    void await(Collection<Host> started, Duration timeout) throws IOException, InterruptedException {
        long deadlineAtNanos = System.nanoTime() + timeout.toNanos();
        long shownAtNanos = System.nanoTime();
        List<Host> waiting = new ArrayList<>(started);
        while (!waiting.isEmpty()) {
            Map<Host, String> missing = ask(waiting);
            waiting.retainAll(missing.keySet());
            long nowNanos = System.nanoTime();
            if (nowNanos - deadlineAtNanos > 0 && !waiting.isEmpty()) {
                throw new ClusterFailure("Not ready after %d s: %s. The logs are in %s"
                        .formatted(
                                timeout.toSeconds(),
                                list(missing),
                                hosts.log(waiting.get(0)).file().getParent()));
            }
            if (nowNanos - shownAtNanos > PROGRESS.toNanos() && !waiting.isEmpty()) {
                say("  waiting for " + list(missing));
                shownAtNanos = nowNanos;
            }
            TimeUnit.MILLISECONDS.sleep(waiting.isEmpty() ? 0 : POLL_MS);
        }
    }

    /** Returns when the NameNode takes connections, which is before it is ready. */
    void awaitConnectable(Duration timeout) throws IOException, InterruptedException {
        long deadlineAtNanos = System.nanoTime() + timeout.toNanos();
        while (!probe.isConnectable(Host.NAMENODE, "rpc")) {
            if (hosts.process(Host.NAMENODE) == null) {
                throw hosts.ended(Host.NAMENODE);
            }
            if (System.nanoTime() - deadlineAtNanos > 0) {
                throw new ClusterFailure("The NameNode does not listen after %d s. Its log: %s"
                        .formatted(timeout.toSeconds(), hosts.log(Host.NAMENODE).file()));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private Map<Host, String> ask(List<Host> waiting) throws IOException, InterruptedException {
        Map<Host, String> missing = new LinkedHashMap<>();
        for (Host host : waiting) {
            if (hosts.process(host) == null) {
                throw hosts.ended(host);
            }
            Probe.Answer answer = probe.ask(host);
            if (!answer.ready()) {
                missing.put(host, answer.text());
            } else if (news.contains(host)) {
                say("  %-12s ready after %s".formatted(host, seconds(System.nanoTime() - beganAtNanos)));
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

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
