package io.talosgateway.localcluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;

/** Writes what the hosts of a cluster, and those who use it, need. */
final class ClusterFiles {

    private final RunningCluster cluster;
    private final ClusterFolder folder;

    ClusterFiles(RunningCluster cluster, ClusterFolder folder) {
        this.cluster = cluster;
        this.folder = folder;
    }

    /** Writes all; only while no host runs. */
    void write() throws IOException {
        Files.createDirectories(folder.logs());
        Directories.delete(folder.programs());
        Files.createDirectories(folder.programs());
        provide(Path.of(LocalCluster.property("programs")), folder.hostPrograms());
        provide(Path.of(LocalCluster.property("gateway")), folder.gatewayProgram());
        Directories.delete(folder.path().resolve("conf"));
        for (Host host : cluster.shape().hosts()) {
            Files.createDirectories(folder.data(host));
            Files.createDirectories(folder.configuration(host));
            writeConfiguration(host);
        }
        AccessKey key = key();
        ClusterFolder.writeSecret(
                folder.propertiesFile(), toText(properties(cluster, LocalCluster.property("script"), key)));
        ClusterFolder.writeSecret(folder.curlFile(), "user = \"%s:%s\"%n".formatted(key.id(), key.secret()));
    }

    /** A build would take away the jars of the processes that run, if they were no copies. */
    private static void provide(Path from, Path to) throws IOException {
        if ("never".equals(System.getenv("TALOS_LOCAL_CLUSTER_BUILD"))) {
            Files.createSymbolicLink(to, from.toRealPath());
            return;
        }
        try (Stream<Path> tree = Files.walk(from, FileVisitOption.FOLLOW_LINKS)) {
            for (Path one : (Iterable<Path>) tree::iterator) {
                Files.copy(one, to.resolve(from.relativize(one)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private AccessKey key() throws IOException {
        for (AccessKey key : KeyFile.read(folder.keyFile())) {
            if (key.admin()) {
                return key;
            }
        }
        return KeyFile.create(folder.keyFile(), "root", true, InstantSource.system());
    }

    private void writeConfiguration(Host host) throws IOException {
        Path directory = folder.configuration(host);
        switch (host.kind()) {
            case ZOOKEEPER -> Files.writeString(directory.resolve("zoo.cfg"), toText(zookeeper()));
            case NAMENODE, DATANODE -> writeHadoopOptions(host);
            case GATEWAY -> {
                writeHadoopOptions(host);
                ClusterFolder.writeSecret(
                        directory.resolve("talos-gateway.properties"),
                        toText(GatewaySettings.of(cluster, folder, host)));
                Files.copy(
                        folder.gatewayProgram().resolve("conf/logback.xml"),
                        directory.resolve("logback.xml"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** The same in both files: Hadoop reads some options before it knows of the second. */
    private void writeHadoopOptions(Host host) throws IOException {
        for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
            try (OutputStream out =
                    Files.newOutputStream(folder.configuration(host).resolve(name))) {
                HadoopSettings.of(cluster, folder, host).writeXml(out);
            }
        }
    }

    private Map<String, String> zookeeper() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("dataDir", folder.data(Host.ZOOKEEPER).toString());
        settings.put("clientPort", String.valueOf(cluster.port(Host.ZOOKEEPER, "client")));
        settings.put("clientPortAddress", cluster.ip(Host.ZOOKEEPER));
        settings.put("tickTime", "1000");
        settings.put("minSessionTimeout", "1000");
        settings.put("maxSessionTimeout", "120000");
        // All clients are at one address.
        settings.put("maxClientCnxns", "0");
        settings.put("admin.enableServer", "false");
        settings.put("4lw.commands.whitelist", "ruok,srvr,mntr,dump");
        settings.put("autopurge.purgeInterval", "1");
        return settings;
    }

    /**
     * What other programs, such as {@code talos-loadgen verify}, read about the cluster.
     *
     * @param script the absolute path of {@code local-cluster.sh}
     */
    static Map<String, String> properties(RunningCluster cluster, String script, AccessKey key) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("cluster.script", script);
        properties.put("zookeeper.connect", cluster.zookeeperConnect());
        properties.put("storage.root", cluster.storageRoot());
        properties.put("networks", String.valueOf(cluster.network() != null));
        properties.put("gateways", names(cluster, HostKind.GATEWAY));
        properties.put("datanodes", names(cluster, HostKind.DATANODE));
        for (Host gateway : cluster.shape().hosts(HostKind.GATEWAY)) {
            properties.put(gateway + ".endpoint", cluster.endpoint(gateway));
            properties.put(gateway + ".ops", "http://" + cluster.address(gateway, "ops"));
        }
        properties.put("access.key-id", key.id());
        properties.put("access.secret", key.secret());
        return properties;
    }

    private static String names(RunningCluster cluster, HostKind kind) {
        return cluster.shape().hosts(kind).stream().map(Host::name).collect(Collectors.joining(","));
    }

    /** In their file format, in order and without a date, which {@link java.util.Properties} cannot write. */
    static String toText(Map<String, String> properties) {
        return properties.entrySet().stream()
                .map(entry -> escape(entry.getKey(), "^[ #!]|[:= ]") + "=" + escape(entry.getValue(), "^[ #!]") + "\n")
                .collect(Collectors.joining());
    }

    private static String escape(String text, String special) {
        return text.replace("\\", "\\\\").replaceAll(special, "\\\\$0").replace("\n", "\\n");
    }
}
