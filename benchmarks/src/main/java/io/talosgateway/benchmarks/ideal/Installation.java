package io.talosgateway.benchmarks.ideal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.benchmarks.process.ChildProcess;
import io.talosgateway.benchmarks.process.Distribution;

/**
 * Where the programs are, and how they are started.
 *
 * @param distribution what users get
 * @param benchmarks the folder with our libraries, HDFS among them
 * @param serverOptions JVM options of gateway and ideal gateway alike
 */
record Installation(Distribution distribution, Path benchmarks, List<String> serverOptions) {

    private static final String HDFS_HEAP = "-Xmx1g";

    /** @throws IllegalArgumentException with a sentence for the user if something is not there */
    Installation {
        if (!Files.isDirectory(benchmarks.resolve("lib"))) {
            throw new IllegalArgumentException(
                    "There are no libraries in %s/lib; benchmarks/ideal-gateway.sh builds them".formatted(benchmarks));
        }
    }

    ChildProcess hdfs(Path directory, int dataNodes) throws IOException {
        return ChildProcess.start(
                "HDFS",
                List.of(
                        Distribution.java(),
                        HDFS_HEAP,
                        "-cp",
                        benchmarks.resolve("conf") + ":" + benchmarks.resolve("lib") + "/*",
                        HdfsServer.class.getName(),
                        "--directory",
                        directory.toString(),
                        "--data-nodes",
                        Integer.toString(dataNodes),
                        "--with-parent"),
                Map.of());
    }

    /** On the distribution's libraries, as the gateway. */
    ChildProcess ideal(Map<String, String> settings, int partitions, boolean storage) throws IOException {
        List<String> command = new ArrayList<>(List.of(Distribution.java(), "-XX:+ExitOnOutOfMemoryError"));
        command.add("-Dlogback.configurationFile=" + distribution.directory().resolve("conf/logback.xml"));
        command.addAll(serverOptions);
        command.addAll(List.of(
                "-cp",
                Distribution.jarOf(IdealGateway.class) + ":"
                        + distribution.directory().resolve("lib") + "/*",
                IdealGateway.class.getName()));
        command.addAll(List.of("--with-parent", "--partitions", Integer.toString(partitions)));
        if (!storage) {
            command.add("--no-storage");
        }
        command.addAll(Distribution.arguments(settings));
        return ChildProcess.start("ideal gateway", command, Map.of());
    }

    ChildProcess gateway(Map<String, String> settings) throws IOException {
        return distribution.gateway(settings, serverOptions);
    }

    ChildProcess loadgen(List<String> arguments) throws IOException {
        return distribution.loadgen(arguments);
    }
}
