package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.talosgateway.localcluster.HostProcess.Signal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The commands that end, stop and start the process of a host. */
final class ProcessCommands {

    private static final long STOP_TIMEOUT_MS = 60_000;
    private static final long PROGRESS_MS = 2_000;

    private ProcessCommands() {}

    @Command(
            name = "kill",
            description = {
                "Kills a host: SIGKILL, as in a crash.",
                "What the host had acknowledged must be there when it is started again. 'all' kills all at the same time."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  local-cluster.sh kill gateway-1", "  local-cluster.sh kill all"})
    static void kill(@Mixin HostOptions options) throws IOException, InterruptedException {
        if (options.isAll()) {
            Set<String> killed = options.hosts().killAll();
            options.say("Killed: " + (killed.isEmpty() ? "nothing ran" : String.join(", ", killed)));
            return;
        }
        HostProcess process = options.process();
        options.send(process, Signal.KILL);
        if (!options.hosts().awaitGone(List.of(process), ClusterHosts.KILL_TIMEOUT_MS)) {
            throw new ClusterFailure("%s (process %d) does not end although it was killed: its disk may hang"
                    .formatted(options.host(), process.pid()));
        }
        options.say("%s was killed (process %d)".formatted(options.host(), process.pid()));
    }

    @Command(
            name = "stop",
            description = {
                "Stops a host: SIGTERM, and waits for the clean end.",
                "A gateway finishes its requests and seals its files before it ends."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh stop gateway-1"})
    static void stop(@Mixin HostOptions options) throws IOException, InterruptedException {
        Host host = options.host();
        HostProcess process = options.process();
        if (process.stopped()) {
            throw new ClusterFailure(
                    "%s is paused, so it cannot stop by itself: resume it first, or kill it".formatted(host));
        }
        long beganAtNanos = System.nanoTime();
        options.send(process, Signal.TERM);
        while (!options.hosts().awaitGone(List.of(process), PROGRESS_MS)) {
            long passedNanos = System.nanoTime() - beganAtNanos;
            if (TimeUnit.NANOSECONDS.toMillis(passedNanos) > STOP_TIMEOUT_MS) {
                throw new ClusterFailure("%s has not stopped after %s; 'kill %s' ends it. Its log: %s"
                        .formatted(
                                host,
                                Startup.seconds(passedNanos),
                                host,
                                options.folder().log(host)));
            }
            options.say("  waiting for %s to stop, %s so far".formatted(host, Startup.seconds(passedNanos)));
        }
        options.say("%s has stopped, after %s".formatted(host, Startup.seconds(System.nanoTime() - beganAtNanos)));
    }

    @Command(
            name = "pause",
            description = {
                "Pauses a host: SIGSTOP. Its connections stay open, but it does nothing, like a machine that hangs.",
                "To the others it is alive until their patience ends: ZooKeeper ends a gateway's session after "
                        + "zookeeper.session-timeout (10 s)."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh pause gateway-1", "  local-cluster.sh resume gateway-1"})
    static void pause(@Mixin HostOptions options) throws IOException, InterruptedException {
        Host host = options.host();
        HostProcess process = options.process();
        if (process.stopped()) {
            throw new ClusterFailure("%s is paused already; 'resume %s' lets it go on".formatted(host, host));
        }
        options.send(process, Signal.STOP);
        options.say("%s is paused (process %d); 'resume %s' lets it go on".formatted(host, process.pid(), host));
    }

    @Command(
            name = "resume",
            description = "Lets a paused host go on: SIGCONT.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh resume gateway-1"})
    static void resume(@Mixin HostOptions options) throws IOException, InterruptedException {
        HostProcess process = options.process();
        if (!process.stopped()) {
            throw new ClusterFailure("%s is not paused".formatted(options.host()));
        }
        options.send(process, Signal.CONT);
        options.say("%s goes on (process %d)".formatted(options.host(), process.pid()));
    }

    @Command(
            name = "start",
            description = {
                "Starts a host, or all, that is down, at its address and with its data, and waits until it is ready.",
                "Ready is a gateway whose /health/ready says so, a DataNode that is registered, a NameNode that is out of "
                        + "safe mode, a ZooKeeper that answers."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh start gateway-1"})
    static void start(@Mixin HostOptions options) throws IOException, InterruptedException {
        ClusterHosts hosts = options.hosts();
        if (options.isAll()) {
            hosts.folder().locked(() -> new Startup(hosts, hosts.down(), options::say).all());
            return;
        }
        Host host = options.host();
        refusePartitioned(options);
        Startup startup = new Startup(hosts, List.of(host), options::say);
        hosts.folder().locked(() -> {
            HostProcess process = hosts.process(host);
            if (process != null) {
                throw new ClusterFailure(
                        process.stopped()
                                ? "%s is paused, not down; 'resume %s' lets it go on".formatted(host, host)
                                : "%s runs already (process %d)".formatted(host, process.pid()));
            }
            hosts.launch(host);
        });
        startup.await(List.of(host));
    }

    @Command(
            name = "restart",
            description = "Stops a host, as 'stop' does, starts it again, and waits until it is ready.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh restart datanode-2"})
    static void restart(@Mixin HostOptions options) throws IOException, InterruptedException {
        refusePartitioned(options);
        stop(options);
        start(options);
    }

    /** @throws ClusterFailure if the host is cut off, and so would not be ready */
    private static void refusePartitioned(HostOptions options) throws IOException, InterruptedException {
        Host host = options.host();
        if (new Networks(options.hosts().cluster()).partitioned().contains(host.name())) {
            throw new ClusterFailure("%s is cut off from all others, so it would not be ready; 'heal %s' connects it"
                    .formatted(host, host));
        }
    }
}
