package io.talosgateway.localcluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of HDFS, of its servers and of the gateways. A host that is gone is to be noticed, and what it leaves
 * recovered, in seconds instead of minutes; whatever decides whether data is durable is as HDFS has it.
 */
final class HadoopSettings {

    private HadoopSettings() {}

    private static Map<String, String> common(RunningCluster cluster) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("fs.defaultFS", cluster.fileSystem());
        options.put("dfs.replication", String.valueOf(cluster.shape().replication()));
        // A file that is open reserves a block on each of its DataNodes, and here they share a disk.
        options.put("dfs.blocksize", "64m");
        options.put("dfs.client.socket-timeout", "5000");
        options.put("ipc.client.connect.timeout", "3000");
        options.put("ipc.client.connect.max.retries", "3");
        options.put("ipc.client.connect.retry.interval", "500");
        options.put("ipc.client.connect.max.retries.on.timeouts", "1");
        options.put("ipc.client.rpc-timeout.ms", "10000");
        return options;
    }

    /** Of the Hadoop client in a gateway. */
    static Map<String, String> gateway(RunningCluster cluster) {
        Map<String, String> options = common(cluster);
        // A lost DataNode is replaced if there is another one; if not, writing goes on with those that are left.
        options.put("dfs.client.block.write.replace-datanode-on-failure.enable", "true");
        options.put("dfs.client.block.write.replace-datanode-on-failure.policy", "DEFAULT");
        options.put("dfs.client.block.write.replace-datanode-on-failure.best-effort", "true");
        // So that a DataNode that is back is used again.
        options.put("dfs.client.write.exclude.nodes.cache.expiry.interval.millis", "10000");
        return options;
    }

    private static Map<String, String> server(RunningCluster cluster, ClusterFolder folder, Host host) {
        Map<String, String> options = common(cluster);
        options.put("hadoop.tmp.dir", folder.data(host).resolve("tmp").toString());
        options.put("dfs.namenode.rpc-address", cluster.address(Host.NAMENODE, "rpc"));
        options.put("dfs.http.policy", "HTTP_ONLY");
        options.put("dfs.heartbeat.interval", "1");
        return options;
    }

    static Map<String, String> nameNode(RunningCluster cluster, ClusterFolder folder) {
        Map<String, String> options = server(cluster, folder, Host.NAMENODE);
        options.put("dfs.namenode.http-address", cluster.address(Host.NAMENODE, "http"));
        options.put(
                "dfs.namenode.name.dir",
                folder.data(Host.NAMENODE).resolve("name").toUri().toString());
        // All DataNodes are at one address.
        options.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        // Stale after 3 s: not written to, and read from last. Dead after 2 x 2 s + 10 heartbeats.
        options.put("dfs.namenode.stale.datanode.interval", "3000");
        options.put("dfs.namenode.avoid.read.stale.datanode", "true");
        options.put("dfs.namenode.avoid.write.stale.datanode", "true");
        options.put("dfs.namenode.heartbeat.recheck-interval", "2000");
        options.put("dfs.namenode.redundancy.interval.seconds", "1");
        options.put("dfs.namenode.safemode.extension", "0");
        options.put("dfs.namenode.handler.count", "8");
        return options;
    }

    static Map<String, String> dataNode(RunningCluster cluster, ClusterFolder folder, Host dataNode) {
        Map<String, String> options = server(cluster, folder, dataNode);
        options.put("dfs.datanode.hostname", cluster.ip(dataNode));
        options.put("dfs.datanode.address", cluster.address(dataNode, "data"));
        options.put("dfs.datanode.ipc.address", cluster.address(dataNode, "ipc"));
        options.put("dfs.datanode.http.address", cluster.address(dataNode, "http"));
        options.put(
                "dfs.datanode.data.dir",
                folder.data(dataNode).resolve("blocks").toUri().toString());
        options.put("dfs.blockreport.initialDelay", "0");
        options.put("dfs.datanode.scan.period.hours", "-1");
        options.put("dfs.datanode.handler.count", "4");
        return options;
    }

    /** As a Hadoop configuration file. */
    static String toXml(Map<String, String> options) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration>\n");
        new TreeMap<>(options)
                .forEach((name, value) -> xml.append("  <property><name>")
                        .append(escape(name))
                        .append("</name><value>")
                        .append(escape(value))
                        .append("</value></property>\n"));
        return xml.append("</configuration>\n").toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
