package io.talosgateway.localcluster;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.process.ChildProcess;

/** How the process of a host is started. Stateless. */
final class HostCommand {

    // The collector with the fewest threads: ten JVMs share the cores.
    private static final String COLLECTOR = "-XX:+UseSerialGC";
    private static final String END_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError";
    // What it gains at the start and in memory is worth more than what it loses later.
    private static final String ONLY_QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

    private HostCommand() {}

    /** With its words and its environment. */
    static ProcessBuilder of(RunningCluster cluster, ClusterFolder folder, Host host) {
        String mark = HostProcess.option(cluster.id(), host.name());
        ProcessBuilder builder = new ProcessBuilder();
        builder.environment().keySet().removeIf(name -> name.startsWith("TALOS_"));
        switch (host.kind()) {
            case ZOOKEEPER ->
                builder.command(java(
                        folder,
                        host,
                        "96m",
                        mark,
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        folder.configuration(host).resolve("zoo.cfg").toString()));
            case NAMENODE -> builder.command(java(folder, host, "160m", mark, NameNodeServer.class.getName()));
            case DATANODE -> builder.command(java(folder, host, "128m", mark, DataNodeServer.class.getName()));
            case GATEWAY -> gateway(builder, cluster, folder, host, mark);
        }
        return builder;
    }

    private static void gateway(
            ProcessBuilder builder, RunningCluster cluster, ClusterFolder folder, Host host, String mark) {
        Network network = cluster.network();
        if (network != null) {
            // It becomes the gateway, so the process stays the same; 'ip netns exec' would hide the limits of the
            // machine's control groups from the JVM.
            builder.command().addAll(List.of("nsenter", "--net=" + network.namespaceFile(host), "--"));
        }
        builder.command()
                .addAll(List.of(
                        folder.gatewayProgram().resolve("bin/talos-gateway").toString(), "server"));
        String javaOptions = String.join(
                " ",
                COLLECTOR,
                END_WITHOUT_MEMORY,
                "-Xmx" + cluster.shape().gatewayHeap(),
                mark,
                "-Dtalos.test.clock-shift-file=" + folder.clockShift(host),
                System.getenv().getOrDefault("TALOS_SERVER_JAVA_OPTS", ""));
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("TALOS_CONF", folder.configuration(host).toString());
        environment.put("TALOS_SERVER_JAVA_OPTS", javaOptions);
    }

    private static List<String> java(
            ClusterFolder folder, Host host, String heap, String mark, String mainClass, String... arguments) {
        List<String> words = new ArrayList<>(List.of(
                ChildProcess.java(),
                COLLECTOR,
                END_WITHOUT_MEMORY,
                ONLY_QUICK_COMPILER,
                "-Xmx" + heap,
                mark,
                "-Dlogback.configurationFile=" + folder.hostPrograms().resolve("conf/logback-host.xml"),
                "-Dzookeeper.jmx.log4j.disable=true",
                "-cp",
                String.join(
                        File.pathSeparator,
                        // First, as when they were prepared.
                        folder.gatewayProgram().resolve("lib/*").toString(),
                        folder.configuration(host).toString(),
                        folder.hostPrograms().resolve("hdfs").toString(),
                        folder.hostPrograms().resolve("lib/*").toString()),
                mainClass));
        words.addAll(List.of(arguments));
        // The classes that it has in common with the gateway. If this is not of these libraries, the JVM does without.
        Path archive = folder.gatewayProgram().resolve("cache/classes.jsa");
        if (Files.isReadable(archive)) {
            words.addAll(1, List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off"));
        }
        return words;
    }
}
