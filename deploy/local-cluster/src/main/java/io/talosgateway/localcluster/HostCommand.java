package io.talosgateway.localcluster;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How the process of a host is started.
 *
 * @param environment in addition to our own
 */
record HostCommand(List<String> words, Map<String, String> environment) {

    // The collector with the fewest threads: ten JVMs share the cores.
    private static final List<String> ALL = List.of("-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
    // Only the quick compiler: what it gains at the start and in memory is worth more than what it loses later.
    private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1");

    static HostCommand of(RunningCluster cluster, ClusterFolder folder, Host host) {
        String mark = ProcessTable.mark(cluster.id(), host.name());
        return switch (host.kind()) {
            case ZOOKEEPER ->
                java(
                        folder,
                        host,
                        "96m",
                        mark,
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        folder.configuration(host).resolve("zoo.cfg").toString());
            case NAMENODE -> java(folder, host, "160m", mark, NameNodeServer.class.getName());
            case DATANODE -> java(folder, host, "128m", mark, DataNodeServer.class.getName());
            case GATEWAY -> gateway(cluster, folder, host, mark);
        };
    }

    private static HostCommand gateway(RunningCluster cluster, ClusterFolder folder, Host host, String mark) {
        List<String> options = new ArrayList<>(ALL);
        options.add("-Xmx" + cluster.shape().gatewayHeap());
        options.add(mark);
        options.add("-Dtalos.test.clock-shift-file=" + folder.clockShift(host));
        options.add(System.getenv().getOrDefault("TALOS_SERVER_JAVA_OPTS", ""));
        List<String> words = new ArrayList<>();
        Network network = cluster.network();
        if (network != null) {
            // It becomes the gateway, so the process stays the same; 'ip netns exec' would hide the limits of the
            // machine's
            // control groups from the JVM.
            words.addAll(List.of("nsenter", "--net=" + network.namespaceFile(host), "--"));
        }
        words.add(Installation.gatewayIn(folder.programs())
                .resolve("bin/talos-gateway")
                .toString());
        words.add("server");
        return new HostCommand(
                words,
                Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "TALOS_CONF",
                        folder.configuration(host).toString(),
                        "TALOS_SERVER_JAVA_OPTS",
                        String.join(" ", options)));
    }

    private static HostCommand java(
            ClusterFolder folder, Host host, String heap, String mark, String mainClass, String... arguments) {
        Path programs = Installation.hostsIn(folder.programs());
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ALL);
        words.addAll(QUICK);
        words.add("-Xmx" + heap);
        words.add(mark);
        words.add("-Dlogback.configurationFile=" + programs.resolve("conf/logback-host.xml"));
        words.add("-Dzookeeper.jmx.log4j.disable=true");
        words.add("-cp");
        words.add(String.join(
                File.pathSeparator,
                folder.configuration(host).toString(),
                programs.resolve("lib/*").toString(),
                Installation.gatewayIn(folder.programs()).resolve("lib/*").toString()));
        words.add(mainClass);
        words.addAll(List.of(arguments));
        return new HostCommand(words, Map.of());
    }
}
