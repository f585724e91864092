package io.talosgateway.localcluster;

import org.apache.hadoop.conf.Configuration;

/** The options of HDFS, of its servers and of the gateways: those of {@code hdfs-site.xml} beside this class, and those of a host. */
final class HadoopSettings {

    private HadoopSettings() {}

    /** Of the servers, and of the Hadoop client in a gateway: each reads what is for it. */
    static Configuration of(RunningCluster cluster, ClusterFolder folder, Host host) {
        Configuration options = new Configuration(false);
        options.addResource(HadoopSettings.class.getResource("hdfs-site.xml"));
        options.set("fs.defaultFS", cluster.fileSystem());
        options.set("hadoop.tmp.dir", folder.data(host).resolve("tmp").toString());
        options.set("dfs.replication", String.valueOf(cluster.shape().replication()));
        options.set("dfs.namenode.rpc-address", cluster.address(Host.NAMENODE, "rpc"));
        options.set("dfs.namenode.http-address", cluster.address(Host.NAMENODE, "http"));
        options.set(
                "dfs.namenode.name.dir",
                folder.data(Host.NAMENODE).resolve("name").toUri().toString());
        if (host.is(HostKind.DATANODE)) {
            options.set("dfs.datanode.hostname", cluster.ip(host));
            options.set("dfs.datanode.address", cluster.address(host, "data"));
            options.set("dfs.datanode.ipc.address", cluster.address(host, "ipc"));
            options.set("dfs.datanode.http.address", cluster.address(host, "http"));
            options.set(
                    "dfs.datanode.data.dir",
                    folder.data(host).resolve("blocks").toUri().toString());
        }
        return options;
    }
}
