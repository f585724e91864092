package io.talosgateway.benchmarks.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.loadgen.process.Lifetime;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A NameNode and DataNodes on loopback in a process of their own. What they stored is deleted when they end. */
@Command(
        name = "hdfs-server",
        description = "Runs a NameNode and DataNodes on loopback until it is interrupted, then deletes their data.",
        mixinStandardHelpOptions = true)
public final class HdfsServer implements Callable<Integer> {

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            required = true,
            description = "Where its data is; made for it, and deleted at the end.")
    private @Nullable Path directory;

    @Option(names = "--data-nodes", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private int dataNodes;

    @Option(names = "--with-parent", description = "End when standard input does.")
    private boolean withParent;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new HdfsServer()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Path data = directory;
        if (data == null || Files.exists(data)) {
            System.err.println(
                    "hdfs-server: " + data + " exists; name a directory that does not, it is deleted at the end");
            return 1;
        }
        Files.createDirectories(data);
        Configuration configuration = new Configuration();
        configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, data.toString());
        configuration.setInt("dfs.replication", dataNodes);
        // A real NameNode forces its edit log, and so does this one.
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(configuration)
                .numDataNodes(dataNodes)
                .skipFsyncForTesting(false)
                .build();
        cluster.waitActive();
        System.out.printf(
                "HDFS serves at hdfs://127.0.0.1:%d (pages at %s)%n", cluster.getNameNodePort(), cluster.getHttpUri(0));
        Lifetime.live(withParent, () -> {
            cluster.shutdown(true);
            Directories.delete(data);
        });
        return 0;
    }
}
