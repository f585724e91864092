package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import picocli.CommandLine.Parameters;

/** A command for one host, or for all at the same time where that is offered. */
abstract class OneHostCommand extends ClusterCommand {

    private static final String ALL = "all";
    private static final long KILL_TIMEOUT_MS = 10_000;
    private static final long STOP_TIMEOUT_MS = 60_000;
    private static final long PROGRESS_MS = 2_000;

    @Parameters(
            index = "0",
            paramLabel = "HOST",
            description =
                    "gateway-1, gateway-2, ..., datanode-1, ..., namenode or zookeeper; for 'kill' and 'start', all.")
    private String name = "";

    /** The host, and what is known of its cluster. */
    record Target(ClusterFolder folder, RunningCluster cluster, Host host, ClusterHosts hosts) {

        /** @throws ClusterFailure if it is down */
        SystemProcess process() throws IOException {
            SystemProcess process = hosts.process(host);
            if (process == null) {
                throw new ClusterFailure("%s is down; 'start %s' starts it".formatted(host, host));
            }
            return process;
        }
    }

    /** What the subclass does with the host. */
    abstract void run(Target target) throws IOException, InterruptedException;

    /** What the subclass does with all hosts, if it offers that. */
    void runAll(ClusterFolder folder, RunningCluster cluster) throws IOException, InterruptedException {
        throw new ClusterFailure("'%s' is for one host at a time".formatted(spec().name()));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterFolder folder = folder();
        RunningCluster cluster = folder.readExisting();
        if (name.equals(ALL)) {
            runAll(folder, cluster);
            return 0;
        }
        run(new Target(folder, cluster, cluster.shape().host(name), new ClusterHosts(cluster, folder)));
        return 0;
    }

    static void send(Target target, SystemProcess process, Signal signal, String event)
            throws IOException, InterruptedException {
        Host host = target.host;
        target.hosts.log(host).note(event);
        if (!target.hosts.signal(process, signal)) {
            throw new ClusterFailure("%s ended by itself just now; 'start %s' starts it".formatted(host, host));
        }
    }

    final void kill(Target target) throws IOException, InterruptedException {
        SystemProcess process = target.process();
        send(target, process, Signal.KILL, "kill");
        if (!target.hosts.awaitGone(Set.of(process.pid()), KILL_TIMEOUT_MS)) {
            throw new ClusterFailure("%s (process %d) does not end although it was killed: its disk may hang"
                    .formatted(target.host, process.pid()));
        }
        say("%s was killed (process %d)".formatted(target.host, process.pid()));
    }

    final void stop(Target target) throws IOException, InterruptedException {
        Host host = target.host;
        SystemProcess process = target.process();
        if (process.stopped()) {
            throw new ClusterFailure(
                    "%s is paused, so it cannot stop by itself: resume it first, or kill it".formatted(host));
        }
        long beganAtNanos = System.nanoTime();
        send(target, process, Signal.TERM, "stop");
        while (!target.hosts.awaitGone(Set.of(process.pid()), PROGRESS_MS)) {
            long passedNanos = System.nanoTime() - beganAtNanos;
            if (TimeUnit.NANOSECONDS.toMillis(passedNanos) > STOP_TIMEOUT_MS) {
                throw new ClusterFailure("%s has not stopped after %s; 'kill %s' ends it. Its log: %s"
                        .formatted(host, HostReadiness.seconds(passedNanos), host, target.folder.log(host)));
            }
            say("  waiting for %s to stop, %s so far".formatted(host, HostReadiness.seconds(passedNanos)));
        }
        say("%s has stopped, after %s".formatted(host, HostReadiness.seconds(System.nanoTime() - beganAtNanos)));
    }

    /** @throws ClusterFailure if the host is cut off, and so would not be ready */
    static void refusePartitioned(Target target) throws InterruptedException {
        if (new Networks(target.cluster).partitioned().contains(target.host.name())) {
            throw new ClusterFailure("%s is cut off from all others, so it would not be ready; 'heal %s' connects it"
                    .formatted(target.host, target.host));
        }
    }

    /** Starts a host that is down, and waits until it is ready. */
    final void start(Target target) throws IOException, InterruptedException {
        Host host = target.host;
        refusePartitioned(target);
        HostReadiness readiness = new HostReadiness(
                target.hosts,
                new Probe(target.cluster),
                Set.of(host),
                spec().commandLine().getOut());
        try (ClusterFolder.Lock lock = target.folder.lock()) {
            SystemProcess process = target.hosts.process(host);
            if (process != null) {
                throw new ClusterFailure(
                        process.stopped()
                                ? "%s is paused, not down; 'resume %s' lets it go on".formatted(host, host)
                                : "%s runs already (process %d)".formatted(host, process.pid()));
            }
            target.hosts.launch(host, lock);
        }
        readiness.await(Set.of(host), Timeouts.READY);
    }
}
