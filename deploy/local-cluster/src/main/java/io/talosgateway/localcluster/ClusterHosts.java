package io.talosgateway.localcluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** The processes of a cluster's hosts. */
final class ClusterHosts {

    private static final long MARK_TIMEOUT_MS = 10_000;
    private static final long POLL_MS = 10;
    private static final long KILL_TIMEOUT_MS = 10_000;

    private final RunningCluster cluster;
    private final ClusterFolder folder;

    ClusterHosts(RunningCluster cluster, ClusterFolder folder) {
        this.cluster = cluster;
        this.folder = folder;
    }

    /** Names of hosts to their processes; also of hosts that the cluster's shape does not have any more. */
    Map<String, SystemProcess> running() throws IOException {
        return ProcessTable.hostsOf(cluster.id(), ProcessTable.read());
    }

    /** Null if it is down. */
    @Nullable
    SystemProcess process(Host host) throws IOException {
        return running().get(host.name());
    }

    /** Kills whatever runs, with no time between, and returns the names when all are gone. */
    Set<String> killAll() throws IOException, InterruptedException {
        Map<String, SystemProcess> running = running();
        for (SystemProcess process : running.values()) {
            signal(process, Signal.KILL);
        }
        Set<Long> pids = running.values().stream().map(SystemProcess::pid).collect(Collectors.toSet());
        if (!awaitGone(pids, KILL_TIMEOUT_MS)) {
            throw new ClusterFailure("Some hosts do not end although they were killed: "
                    + String.join(", ", running().keySet()));
        }
        return new TreeSet<>(running.keySet());
    }

    HostLog log(Host host) {
        return new HostLog(folder.log(host));
    }

    /**
     * Starts the process of a host that is down; it lives on when this command has ended. Returns when everybody can see
     * that it is the host's, which is long before it is ready.
     *
     * @param lock of the folder: proof that nobody else starts the host now
     * @throws ClusterFailure if somebody else has its ports, or it ends at once
     */
    void launch(Host host, ClusterFolder.Lock lock) throws IOException, InterruptedException {
        Objects.requireNonNull(lock);
        new Networks(cluster).refuseIfMissing(host);
        refuseTakenPorts(host);
        log(host).note("start");
        HostCommand command = HostCommand.of(cluster, folder, host);
        ProcessBuilder builder = new ProcessBuilder(detached(command.words()))
                .directory(folder.logs().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.log(host).toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("TALOS_"));
        builder.environment().putAll(command.environment());
        awaitMark(host, builder.start());
    }

    private void refuseTakenPorts(Host host) {
        if (cluster.network() != null && Network.hasOwnNamespace(host)) {
            // Nobody else is there.
            return;
        }
        for (String purpose : host.kind().ports()) {
            int port = cluster.port(host, purpose);
            if (!FreePorts.isFree(cluster.ip(host), port)) {
                throw new ClusterFailure(
                        ("Port %d, which is for %s (%s), is taken by another program. End that, or give up this cluster "
                                        + "('down') for one with other ports ('up')")
                                .formatted(port, host, purpose));
            }
        }
    }

    private void awaitMark(Host host, Process process) throws IOException, InterruptedException {
        long deadlineAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MARK_TIMEOUT_MS);
        while (process(host) == null) {
            if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
                throw ended(host);
            }
            if (System.nanoTime() - deadlineAtNanos > 0) {
                process.destroyForcibly();
                throw new ClusterFailure("%s does not start".formatted(host));
            }
        }
    }

    /** What to say of a host that has ended although nobody wanted it to. */
    ClusterFailure ended(Host host) throws IOException {
        List<String> lines = log(host).lastLines();
        return new ClusterFailure("%s has ended. The last lines of its log (%s):%s"
                .formatted(host, folder.log(host), lines.isEmpty() ? " none" : "\n  " + String.join("\n  ", lines)));
    }

    /** Out of reach of the Ctrl-C, and of the hang-up, of the terminal in which we run. */
    private static List<String> detached(List<String> words) {
        List<String> detached = new ArrayList<>();
        if (isOnPath("setsid")) {
            detached.add("setsid");
        } else {
            detached.addAll(List.of("/bin/sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh"));
        }
        detached.addAll(words);
        return detached;
    }

    static boolean isOnPath(String program) {
        String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    /** Returns whether the signal was sent: the process may have ended meanwhile. */
    boolean signal(SystemProcess process, Signal signal) throws IOException, InterruptedException {
        return new ProcessBuilder("/bin/sh", "-c", "kill -" + signal.name() + " " + process.pid())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** Waits until none of these processes runs; false if the time is over before. */
    boolean awaitGone(Set<Long> pids, long timeoutMs) throws IOException, InterruptedException {
        long deadlineAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (running().values().stream().anyMatch(process -> pids.contains(process.pid()))) {
            if (System.nanoTime() - deadlineAtNanos > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return true;
    }
}
