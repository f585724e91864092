package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;

/** Writes what the hosts of a cluster, and those who use it, need. */
final class ClusterFiles {

    private final RunningCluster cluster;
    private final ClusterFolder folder;
    private final Installation installation;

    ClusterFiles(RunningCluster cluster, ClusterFolder folder, Installation installation) {
        this.cluster = cluster;
        this.folder = folder;
        this.installation = installation;
    }

    /** Writes all; only while no host runs. */
    void write() throws IOException {
        Files.createDirectories(folder.logs());
        installation.copyTo(folder.programs());
        Trees.delete(folder.path().resolve("conf"));
        for (Host host : cluster.shape().hosts()) {
            Files.createDirectories(folder.data(host));
            Files.createDirectories(folder.configuration(host));
            writeConfiguration(host);
        }
        AccessKey key = key();
        ClusterFolder.writeSecret(
                folder.propertiesFile(), PropertiesText.of(ClusterProperties.of(cluster, installation.script(), key)));
        ClusterFolder.writeSecret(folder.curlFile(), "user = \"%s:%s\"%n".formatted(key.id(), key.secret()));
    }

    private AccessKey key() throws IOException {
        List<AccessKey> keys = KeyFile.read(folder.keyFile());
        for (AccessKey key : keys) {
            if (key.admin()) {
                return key;
            }
        }
        return KeyFile.create(folder.keyFile(), "root", true, InstantSource.system());
    }

    private void writeConfiguration(Host host) throws IOException {
        Path directory = folder.configuration(host);
        switch (host.kind()) {
            case ZOOKEEPER -> Files.writeString(directory.resolve("zoo.cfg"), PropertiesText.of(zookeeper()));
            case NAMENODE -> writeSite(directory, HadoopSettings.nameNode(cluster, folder));
            case DATANODE -> writeSite(directory, HadoopSettings.dataNode(cluster, folder, host));
            case GATEWAY -> {
                writeSite(directory, HadoopSettings.gateway(cluster));
                ClusterFolder.writeSecret(
                        directory.resolve("talos-gateway.properties"),
                        PropertiesText.of(GatewaySettings.of(cluster, folder, host)));
                Files.copy(
                        Installation.gatewayIn(folder.programs()).resolve("conf/logback.xml"),
                        directory.resolve("logback.xml"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static void writeSite(Path directory, Map<String, String> options) throws IOException {
        Map<String, String> core = new LinkedHashMap<>();
        Map<String, String> hdfs = new LinkedHashMap<>();
        options.forEach((name, value) -> (name.startsWith("dfs.") ? hdfs : core).put(name, value));
        Files.writeString(directory.resolve("core-site.xml"), HadoopSettings.toXml(core));
        Files.writeString(directory.resolve("hdfs-site.xml"), HadoopSettings.toXml(hdfs));
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
}
