package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** All processes of this machine. */
final class ProcessTable {

    private static final Path PROC = Path.of("/proc");

    private ProcessTable() {}

    static List<SystemProcess> read() throws IOException {
        return Files.exists(PROC.resolve("self/cmdline")) ? readProc() : readPs();
    }

    private static List<SystemProcess> readProc() throws IOException {
        List<SystemProcess> processes = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path directory : directories) {
                SystemProcess process = readProc(directory);
                if (process != null) {
                    processes.add(process);
                }
            }
        }
        return processes;
    }

    /** Null if it has ended meanwhile, or others must not see it. */
    private static @Nullable SystemProcess readProc(Path directory) {
        try {
            return SystemProcess.ofProc(
                    Long.parseLong(directory.getFileName().toString()),
                    Files.readString(directory.resolve("stat"), StandardCharsets.ISO_8859_1),
                    Files.readString(directory.resolve("cmdline"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return null;
        }
    }

    private static List<SystemProcess> readPs() throws IOException {
        Process ps = new ProcessBuilder("ps", "-axww", "-o", "pid=,ppid=,stat=,command=")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var lines = ps.inputReader(StandardCharsets.ISO_8859_1)) {
            return lines.lines()
                    .filter(line -> line.strip().split("\\s+").length > 3)
                    .map(SystemProcess::ofPs)
                    .toList();
        }
    }

    /**
     * Those that run hosts of a cluster, by the name of the host. Nothing else is taken for one, however old what we know
     * of it is: the mark with the cluster's id is on its command line. So it is, for a moment, on that of a program that a
     * host starts, such as {@code du}; its parent tells it apart.
     */
    static Map<String, SystemProcess> hostsOf(String clusterId, List<SystemProcess> processes) {
        Map<Long, String> marked = new HashMap<>();
        String mark = mark(clusterId, "");
        for (SystemProcess process : processes) {
            for (String word : process.words()) {
                if (word.startsWith(mark)) {
                    marked.put(process.pid(), word.substring(mark.length()));
                }
            }
        }
        Map<String, SystemProcess> hosts = new HashMap<>();
        for (SystemProcess process : processes) {
            String host = marked.get(process.pid());
            if (host != null && !marked.containsKey(process.parent())) {
                hosts.put(host, process);
            }
        }
        return hosts;
    }

    /** The JVM option that marks the process of a host. */
    static String mark(String clusterId, String host) {
        return "-Dtalos.local-cluster.host=" + clusterId + "/" + host;
    }
}
