package io.talosgateway.localcluster;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** The hosts of a cluster: their processes, and their logs, which go on from one process of a host to the next. */
record ClusterHosts(RunningCluster cluster, ClusterFolder folder) {

    static final long KILL_TIMEOUT_MS = 60_000;
    static final String SETSID = "setsid";

    private static final long MARK_TIMEOUT_MS = 60_000;
    private static final long POLL_MS = 10;
    private static final int TAIL_BYTES = 16 << 10;
    private static final int TAIL_LINES = 4;
    private static final int LINE_LENGTH = 300;
    private static final Pattern DETAIL = Pattern.compile("\\s+at .*|\\s+\\.\\.\\. .*|\\s*|.*SHUTDOWN_MSG.*|[*/]+");

    /** Names of hosts to their processes; also of hosts that the cluster's shape does not have any more. */
    Map<String, HostProcess> running() {
        return HostProcess.of(cluster.id(), HostProcess.all());
    }

    /** Null if it is down. */
    @Nullable
    HostProcess process(Host host) {
        return running().get(host.name());
    }

    List<Host> down() {
        Set<String> running = running().keySet();
        return cluster.shape().hosts().stream()
                .filter(host -> !running.contains(host.name()))
                .toList();
    }

    /** Kills whatever runs, with no time between, and returns the names when all are gone. */
    Set<String> killAll() throws IOException, InterruptedException {
        Map<String, HostProcess> running = running();
        for (HostProcess process : running.values()) {
            process.send(HostProcess.Signal.KILL);
        }
        if (!awaitGone(running.values(), KILL_TIMEOUT_MS)) {
            throw new ClusterFailure("Some hosts do not end although they were killed: "
                    + String.join(", ", running().keySet()));
        }
        return new TreeSet<>(running.keySet());
    }

    /** Waits until none of these processes runs; false if the time is over before. */
    boolean awaitGone(Collection<HostProcess> processes, long timeoutMs) throws InterruptedException {
        long deadlineAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (!processes.stream().allMatch(HostProcess::hasEnded)) {
            if (System.nanoTime() - deadlineAtNanos > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return true;
    }

    /**
     * Starts the process of a host that is down; it lives on when this command has ended. Returns when everybody can see
     * that it is the host's, which is long before it is ready. Only while the folder is locked.
     *
     * @throws ClusterFailure if somebody else has its ports, or it ends at once
     */
    void launch(Host host) throws IOException, InterruptedException {
        new Networks(cluster).refuseIfMissing(host);
        refuseTakenPorts(host);
        note(host, "start");
        ProcessBuilder builder = HostCommand.of(cluster, folder, host);
        builder.command(detached(builder.command()))
                .directory(folder.logs().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.log(host).toFile()));
        awaitMark(host, builder.start());
    }

    private void refuseTakenPorts(Host host) {
        if (cluster.network() != null && Network.hasOwnNamespace(host)) {
            // Nobody else is there.
            return;
        }
        for (String purpose : host.kind().ports()) {
            int port = cluster.port(host, purpose);
            if (!isFree(cluster.ip(host), port)) {
                throw new ClusterFailure(
                        ("Port %d, which is for %s (%s), is taken by another program. End that, or give up this cluster "
                                        + "('down') for one with other ports ('up')")
                                .formatted(port, host, purpose));
            }
        }
    }

    /** Whether a server could listen there now. */
    static boolean isFree(String address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Out of reach of the Ctrl-C, and of the hang-up, of the terminal in which we run. */
    private static List<String> detached(List<String> words) {
        List<String> detached = new ArrayList<>(
                isOnPath(SETSID) ? List.of(SETSID) : List.of("/bin/sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh"));
        detached.addAll(words);
        return detached;
    }

    static boolean isOnPath(String program) {
        String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
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

    /** Notes in a host's log what is done to it. */
    void note(Host host, String event) throws IOException {
        Files.writeString(
                folder.log(host),
                "---- local-cluster: %s ----%n".formatted(event),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** What to say of a host that has ended although nobody wanted it to. */
    ClusterFailure ended(Host host) throws IOException {
        List<String> lines = lastLines(folder.log(host));
        return new ClusterFailure("%s has ended. The last lines of its log (%s):%s"
                .formatted(host, folder.log(host), lines.isEmpty() ? " none" : "\n  " + String.join("\n  ", lines)));
    }

    /** Those that tell something: no stack traces. */
    private static List<String> lastLines(Path log) throws IOException {
        if (!Files.exists(log)) {
            return List.of();
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact(Math.min(TAIL_BYTES, file.length()))];
            file.seek(file.length() - bytes.length);
            file.readFully(bytes);
            List<String> lines = new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !DETAIL.matcher(line).matches())
                    .map(line -> line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) + "..." : line)
                    .toList();
            return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
        }
    }
}
