package io.talosgateway.localcluster;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Runs a NameNode with the configuration on the class path; formats its directory before the first time. Hadoop's own main
 * method needs log4j.
 */
public final class NameNodeServer {

    private NameNodeServer() {}

    public static void main(String[] arguments) throws Exception {
        HdfsConfiguration configuration = new HdfsConfiguration();
        Path directory = Path.of(URI.create(configuration.getTrimmed("dfs.namenode.name.dir")));
        if (!Files.exists(directory.resolve("current/VERSION"))) {
            // Formatting registers metrics, which the start does again.
            DefaultMetricsSystem.setMiniClusterMode(true);
            NameNode.format(configuration);
        }
        NameNode nameNode = NameNode.createNameNode(arguments, configuration);
        Runtime.getRuntime().addShutdownHook(new Thread(nameNode::stop, "shutdown"));
        nameNode.join();
    }
}
