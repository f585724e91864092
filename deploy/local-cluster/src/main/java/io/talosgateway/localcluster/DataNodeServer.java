package io.talosgateway.localcluster;

import java.util.concurrent.TimeUnit;

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** Runs a DataNode with the configuration on the class path. Hadoop's own main method needs log4j. */
public final class DataNodeServer {

    private DataNodeServer() {}

    public static void main(String[] arguments) throws Exception {
        DataNode dataNode = DataNode.createDataNode(arguments, new HdfsConfiguration());
        Runtime.getRuntime().addShutdownHook(new Thread(dataNode::shutdown, "shutdown"));
        // Its threads are daemons: this one keeps the process alive.
        while (dataNode.isDatanodeUp()) {
            TimeUnit.SECONDS.sleep(1);
        }
    }
}
