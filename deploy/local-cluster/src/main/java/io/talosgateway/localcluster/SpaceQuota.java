package io.talosgateway.localcluster;

import java.io.IOException;
import java.net.URI;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** How many bytes the gateways may have in HDFS. Stateless. */
final class SpaceQuota {

    private SpaceQuota() {}

    /** @param bytes or {@link HdfsConstants#QUOTA_RESET} for as many as there is room for */
    static void set(OneHostCommand.Target target, long bytes) throws IOException {
        if (!target.host().is(HostKind.NAMENODE)) {
            throw new ClusterFailure(
                    "The quota is the NameNode's, so name 'namenode', not '%s'".formatted(target.host()));
        }
        target.hosts().log(target.host()).note("space quota " + bytes);
        RunningCluster cluster = target.cluster();
        Configuration configuration = new Configuration(false);
        HadoopSettings.gateway(cluster).forEach(configuration::set);
        try (FileSystem fileSystem = FileSystem.newInstance(URI.create(cluster.fileSystem()), configuration)) {
            ((DistributedFileSystem) fileSystem)
                    .setQuota(new Path(cluster.storageRoot()), HdfsConstants.QUOTA_DONT_SET, bytes);
        }
    }
}
