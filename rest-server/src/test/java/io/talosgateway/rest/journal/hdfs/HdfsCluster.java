package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;
import java.nio.file.Path;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A real NameNode and DataNodes on loopback, in this process. */
public final class HdfsCluster implements AutoCloseable {

    private final MiniDFSCluster cluster;

    private HdfsCluster(MiniDFSCluster cluster) {
        this.cluster = cluster;
    }

    public static HdfsCluster start(Path directory, int dataNodes) throws IOException {
        Configuration configuration = new Configuration();
        configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
        // So that a lease is recovered in a second instead of three.
        configuration.set("dfs.heartbeat.interval", "1");
        configuration.set("dfs.blocksize", String.valueOf(16 << 20));
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(configuration)
                .numDataNodes(dataNodes)
                .build();
        cluster.waitActive();
        return new HdfsCluster(cluster);
    }

    public String uri() {
        return "hdfs://127.0.0.1:" + cluster.getNameNodePort();
    }

    public MiniDFSCluster mini() {
        return cluster;
    }

    @Override
    public void close() {
        cluster.shutdown(true);
    }
}
