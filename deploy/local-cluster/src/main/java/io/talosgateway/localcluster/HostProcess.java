package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The process of a host, of any cluster of this machine. It is known by a mark on its command line.
 *
 * @param parent pid of the process that started it; 0 if that has ended
 * @param mark the cluster's id and the host's name, as in {@code ID/gateway-1}
 */
record HostProcess(long pid, long parent, String mark) {

    private static final String OPTION = "-Dtalos.local-cluster.host=";

    /** By the names of the system. */
    enum Signal {
        KILL,
        TERM,
        STOP,
        CONT
    }

    /** The JVM option that marks the process of a host. */
    static String option(String clusterId, String host) {
        return OPTION + clusterId + "/" + host;
    }

    static List<HostProcess> all() {
        return ProcessHandle.allProcesses()
                .flatMap(handle -> marks(words(handle))
                        .map(mark -> new HostProcess(
                                handle.pid(),
                                handle.parent().map(ProcessHandle::pid).orElse(0L),
                                mark)))
                .toList();
    }

    /** Of its command line. The JDK knows none of a command line that is longer than a page of the memory. */
    private static String[] words(ProcessHandle handle) {
        try {
            byte[] line = Files.readAllBytes(Path.of("/proc", String.valueOf(handle.pid()), "cmdline"));
            return new String(line, StandardCharsets.UTF_8).split("\0");
        } catch (IOException e) {
            // It has ended, or the system has no such files.
            return handle.info().arguments().orElse(new String[0]);
        }
    }

    static Stream<String> marks(String... words) {
        // It is about to start the host in its own place, and has no command line in that moment.
        boolean becomesHost = words.length > 0 && words[0].equals(ClusterHosts.SETSID);
        return Stream.of(becomesHost ? new String[0] : words)
                .filter(word -> word.startsWith(OPTION))
                .map(word -> word.substring(OPTION.length()));
    }

    /**
     * Those of a cluster, by the name of the host. A program that a host starts, such as {@code du}, has the mark too, for a
     * moment; its parent tells it apart.
     */
    static Map<String, HostProcess> of(String clusterId, List<HostProcess> all) {
        String prefix = clusterId + "/";
        Set<Long> pids = all.stream().map(HostProcess::pid).collect(Collectors.toSet());
        return all.stream()
                .filter(process -> process.mark.startsWith(prefix) && !pids.contains(process.parent))
                .collect(Collectors.toMap(
                        process -> process.mark.substring(prefix.length()), process -> process, (one, other) -> other));
    }

    /** Whether a signal has stopped it, and none has resumed it. */
    boolean stopped() throws IOException {
        if (!Files.exists(Path.of("/proc/self/stat"))) {
            Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", String.valueOf(pid)).start();
            return new String(ps.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1)
                    .strip()
                    .startsWith("T");
        }
        try {
            Path stat = Path.of("/proc", String.valueOf(pid), "stat");
            return isStopped(Files.readString(stat, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // It has ended.
            return false;
        }
    }

    /** @param stat content of {@code /proc/PID/stat}: {@code PID (name) state ...}, where the name may hold anything */
    static boolean isStopped(String stat) {
        return isIn("Tt", stat);
    }

    private static boolean isIn(String states, String stat) {
        return states.indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
    }

    /** Whether all of its threads have ended: until then, it has its ports, although it may have no command line any more. */
    boolean hasEnded() {
        return Files.exists(Path.of("/proc/self/task"))
                ? hasEnded(Path.of("/proc", String.valueOf(pid)))
                : ProcessHandle.of(pid).isEmpty();
    }

    /** @param process the folder {@code /proc/PID} */
    static boolean hasEnded(Path process) {
        String[] threads = process.resolve("task").toFile().list();
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The first thread stays as a zombie until the others have ended, and somebody has asked how.
            return threads == null || (threads.length <= 1 && isIn("ZX", stat));
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns whether the signal was sent: the process may have ended meanwhile. */
    boolean send(Signal signal) throws IOException, InterruptedException {
        return new ProcessBuilder("/bin/sh", "-c", "kill -" + signal.name() + " " + pid)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
