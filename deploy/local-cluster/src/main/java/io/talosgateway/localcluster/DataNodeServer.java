package io.talosgateway.localcluster;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

import javax.management.ObjectName;
import javax.management.StandardMBean;

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Runs a DataNode with the configuration on the class path. Hadoop's own main method needs log4j.
 *
 * <p>It ends when the DataNode has given up, for example because its data are those of another HDFS.
 */
public final class DataNodeServer {

    /** Of the bean that tells whether the DataNode is registered. */
    static final String STATE = "io.talosgateway:service=LocalCluster,name=DataNodeState";

    private static final long POLL_MS = 500;

    /**
     * What the DataNode's page {@code /jmx} shows. Its own beans tell this too, but with a stack trace in the log when they
     * are asked too early.
     */
    public interface StateMXBean {

        /** Whether this process has registered: the NameNode still lists one that was killed seconds ago. */
        boolean isRegistered();
    }

    private DataNodeServer() {}

    public static void main(String[] arguments) throws Exception {
        DataNode dataNode = DataNode.createDataNode(arguments, new HdfsConfiguration());
        StateMXBean state = dataNode::isDatanodeFullyStarted;
        ManagementFactory.getPlatformMBeanServer()
                .registerMBean(new StandardMBean(state, StateMXBean.class, true), new ObjectName(STATE));
        Runtime.getRuntime().addShutdownHook(new Thread(dataNode::shutdown, "shutdown"));
        while (dataNode.isDatanodeUp()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        System.exit(1);
    }
}
