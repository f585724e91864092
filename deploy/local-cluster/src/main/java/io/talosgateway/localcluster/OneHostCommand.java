package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import picocli.CommandLine.Parameters;

/** A command for one host. */
abstract class OneHostCommand extends ClusterCommand {

    private static final long KILL_TIMEOUT_MS = 10_000;
    private static final long STOP_TIMEOUT_MS = 60_000;
    private static final long PROGRESS_MS = 2_000;

    @Parameters(paramLabel = "HOST", description = "gateway-1, gateway-2, ..., datanode-1, ..., namenode or zookeeper.")
    private String name = "";

    private record Chosen(ClusterFolder folder, Cluster cluster, Host host, Hosts hosts) {}

    /** What the subclass does with the host. */
    abstract void run(Host host, Hosts hosts) throws IOException, InterruptedException;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Chosen chosen = choose();
        run(chosen.host, chosen.hosts);
        return 0;
    }

    private Chosen choose() throws IOException {
        ClusterFolder folder = folder();
        Cluster cluster = folder.readExisting();
        return new Chosen(folder, cluster, cluster.shape().host(name), new Hosts(cluster, folder));
    }

    /** @throws ClusterFailure if it is down */
    static SystemProcess processOf(Host host, Hosts hosts) throws IOException {
        SystemProcess process = hosts.process(host);
        if (process == null) {
            throw new ClusterFailure("%s is down; 'start %s' starts it".formatted(host, host));
        }
        return process;
    }

    final void send(Host host, Hosts hosts, SystemProcess process, Signal signal, String event)
            throws IOException, InterruptedException {
        hosts.log(host).note(event);
        if (!hosts.signal(process, signal)) {
            throw new ClusterFailure("%s ended by itself just now; 'start %s' starts it".formatted(host, host));
        }
    }

    final void kill(Host host, Hosts hosts) throws IOException, InterruptedException {
        SystemProcess process = processOf(host, hosts);
        send(host, hosts, process, Signal.KILL, "kill");
        if (!hosts.awaitGone(Set.of(process.pid()), KILL_TIMEOUT_MS)) {
            throw new ClusterFailure("%s (process %d) does not end although it was killed: its disk may hang"
                    .formatted(host, process.pid()));
        }
        say("%s was killed (process %d)".formatted(host, process.pid()));
    }

    final void stop(Host host, Hosts hosts) throws IOException, InterruptedException {
        SystemProcess process = processOf(host, hosts);
        if (process.stopped()) {
            throw new ClusterFailure(
                    "%s is paused, so it cannot stop by itself: resume it first, or kill it".formatted(host));
        }
        long beganAtNanos = System.nanoTime();
        send(host, hosts, process, Signal.TERM, "stop");
        while (!hosts.awaitGone(Set.of(process.pid()), PROGRESS_MS)) {
            long passedNanos = System.nanoTime() - beganAtNanos;
            if (TimeUnit.NANOSECONDS.toMillis(passedNanos) > STOP_TIMEOUT_MS) {
                throw new ClusterFailure("%s has not stopped after %s; 'kill %s' ends it. Its log: %s"
                        .formatted(
                                host,
                                Readiness.seconds(passedNanos),
                                host,
                                hosts.log(host).file()));
            }
            say("  waiting for %s to stop, %s so far".formatted(host, Readiness.seconds(passedNanos)));
        }
        say("%s has stopped, after %s".formatted(host, Readiness.seconds(System.nanoTime() - beganAtNanos)));
    }

    /** Starts a host that is down, and waits until it is ready. */
    final void start(Host host, Hosts hosts) throws IOException, InterruptedException {
        Chosen chosen = choose();
        try (ClusterFolder.Lock lock = chosen.folder.lock()) {
            SystemProcess process = hosts.process(host);
            if (process != null) {
                throw new ClusterFailure(
                        process.stopped()
                                ? "%s is paused, not down; 'resume %s' lets it go on".formatted(host, host)
                                : "%s runs already (process %d)".formatted(host, process.pid()));
            }
            hosts.launch(host, lock);
        }
        new Readiness(
                        hosts,
                        new Probe(chosen.cluster),
                        Set.of(host),
                        spec().commandLine().getOut())
                .await(Set.of(host), Timeouts.READY);
    }
}
