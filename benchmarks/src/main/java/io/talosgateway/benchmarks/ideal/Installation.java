package io.talosgateway.benchmarks.ideal;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where the programs are, and how they are started.
 *
 * @param distribution the folder with {@code bin/talos-gateway}
 * @param benchmarks the folder with our libraries, HDFS among them
 * @param serverOptions JVM options of gateway and ideal gateway alike
 */
record Installation(Path distribution, Path benchmarks, List<String> serverOptions) {

    private static final String HDFS_HEAP = "-Xmx1g";

    /** @throws IllegalArgumentException with a sentence for the user if something is not there */
    Installation {
        if (!Files.isExecutable(distribution.resolve("bin/talos-gateway"))
                || !Files.isDirectory(benchmarks.resolve("lib"))) {
            throw new IllegalArgumentException(
                    "There is no distribution in %s, or no libraries in %s/lib; benchmarks/ideal-gateway.sh builds both"
                            .formatted(distribution, benchmarks));
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    ChildProcess hdfs(Path directory, int dataNodes) throws IOException {
        return ChildProcess.start(
                "HDFS",
                List.of(
                        java(),
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
        List<String> command = new ArrayList<>(List.of(java(), "-XX:+ExitOnOutOfMemoryError"));
        command.add("-Dlogback.configurationFile=" + distribution.resolve("conf/logback.xml"));
        command.addAll(serverOptions);
        command.addAll(
                List.of("-cp", ownJar() + ":" + distribution.resolve("lib") + "/*", IdealGateway.class.getName()));
        command.addAll(List.of("--with-parent", "--partitions", Integer.toString(partitions)));
        if (!storage) {
            command.add("--no-storage");
        }
        command.addAll(arguments(settings));
        return ChildProcess.start("ideal gateway", command, Map.of());
    }

    ChildProcess gateway(Map<String, String> settings) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(distribution.resolve("bin/talos-gateway").toString(), "server"));
        command.addAll(arguments(settings));
        return ChildProcess.start(
                "gateway",
                command,
                Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "TALOS_SERVER_JAVA_OPTS",
                        String.join(" ", serverOptions)));
    }

    ChildProcess loadgen(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(distribution.resolve("bin/talos-loadgen").toString(), "run"));
        command.addAll(arguments);
        return ChildProcess.start("load generator", command, Map.of("JAVA_HOME", System.getProperty("java.home")));
    }

    private static List<String> arguments(Map<String, String> settings) {
        List<String> arguments = new ArrayList<>();
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return arguments;
    }

    private static Path ownJar() {
        try {
            return Path.of(Installation.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
