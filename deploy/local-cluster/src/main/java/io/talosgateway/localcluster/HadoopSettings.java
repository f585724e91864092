package io.talosgateway.localcluster;

import org.apache.hadoop.conf.Configuration;

/**
 * The options of HDFS, of its servers and of the gateways. A host that is gone is to be noticed, and what it leaves
 * recovered, in seconds instead of minutes; whatever decides whether data is durable is as HDFS has it.
 */
final class HadoopSettings {

    private HadoopSettings() {}

    /** Of the servers, and of the Hadoop client in a gateway: each reads what is for it. */
    static Configuration of(RunningCluster cluster, ClusterFolder folder, Host host) {
        Configuration options = new Configuration(false);
        options.set("fs.defaultFS", cluster.fileSystem());
        options.set("hadoop.tmp.dir", folder.data(host).resolve("tmp").toString());
        options.set("dfs.replication", String.valueOf(cluster.shape().replication()));
        options.set("dfs.http.policy", "HTTP_ONLY");
        options.set("dfs.heartbeat.interval", "1");
        // A file that is open reserves a block on each of its DataNodes, and here they share a disk.
        options.set("dfs.blocksize", "64m");
        options.set("dfs.client.socket-timeout", "5000");
        options.set("ipc.client.connect.timeout", "3000");
        options.set("ipc.client.connect.max.retries", "3");
        options.set("ipc.client.connect.retry.interval", "500");
        options.set("ipc.client.connect.max.retries.on.timeouts", "1");
        options.set("ipc.client.rpc-timeout.ms", "10000");

        // A lost DataNode is replaced if there is another one; if not, writing goes on with those that are left.
        options.set("dfs.client.block.write.replace-datanode-on-failure.enable", "true");
        options.set("dfs.client.block.write.replace-datanode-on-failure.policy", "DEFAULT");
        options.set("dfs.client.block.write.replace-datanode-on-failure.best-effort", "true");
        // So that a DataNode that is back is used again.
        options.set("dfs.client.write.exclude.nodes.cache.expiry.interval.millis", "10000");

        options.set("dfs.namenode.rpc-address", cluster.address(Host.NAMENODE, "rpc"));
        options.set("dfs.namenode.http-address", cluster.address(Host.NAMENODE, "http"));
        options.set(
                "dfs.namenode.name.dir",
                folder.data(Host.NAMENODE).resolve("name").toUri().toString());
        // All DataNodes are at one address.
        options.set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        // Stale after 3 s: not written to, and read from last. Dead after 2 x 2 s + 10 heartbeats.
        options.set("dfs.namenode.stale.datanode.interval", "3000");
        options.set("dfs.namenode.avoid.read.stale.datanode", "true");
        options.set("dfs.namenode.avoid.write.stale.datanode", "true");
        options.set("dfs.namenode.heartbeat.recheck-interval", "2000");
        options.set("dfs.namenode.redundancy.interval.seconds", "1");
        options.set("dfs.namenode.safemode.extension", "0");
        options.set("dfs.namenode.handler.count", "8");

        if (host.is(HostKind.DATANODE)) {
            options.set("dfs.datanode.hostname", cluster.ip(host));
            options.set("dfs.datanode.address", cluster.address(host, "data"));
            options.set("dfs.datanode.ipc.address", cluster.address(host, "ipc"));
            options.set("dfs.datanode.http.address", cluster.address(host, "http"));
            options.set(
                    "dfs.datanode.data.dir",
                    folder.data(host).resolve("blocks").toUri().toString());
            options.set("dfs.blockreport.initialDelay", "0");
            options.set("dfs.datanode.scan.period.hours", "-1");
            options.set("dfs.datanode.handler.count", "4");
        }
        return options;
    }
}
