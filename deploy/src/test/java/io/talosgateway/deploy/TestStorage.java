package io.talosgateway.deploy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** Where the gateway of a test keeps messages: in files of this host, or in a real HDFS on loopback. */
final class TestStorage implements AutoCloseable {

    private static final int DATA_NODES = 3;

    private final URI root;
    private final FileSystem fileSystem;
    private final Map<String, String> settings;
    /** Null if there is none. */
    private final MiniDFSCluster hdfs;

    private TestStorage(URI root, Map<String, String> settings, MiniDFSCluster hdfs) throws IOException {
        this.root = root;
        this.settings = settings;
        this.hdfs = hdfs;
        this.fileSystem = FileSystem.newInstance(root, new Configuration());
    }

    static TestStorage files(Path directory) throws IOException {
        URI root = directory.resolve("storage").toUri();
        return new TestStorage(root, Map.of("storage.root", root.toString()), null);
    }

    /** A NameNode and three DataNodes in this process; everything is on all three. */
    static TestStorage hdfs(Path directory) throws IOException {
        Configuration configuration = new Configuration();
        configuration.set(
                MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.resolve("hdfs").toString());
        // So that a lease is recovered in a second instead of three.
        configuration.set("dfs.heartbeat.interval", "1");
        MiniDFSCluster hdfs = new MiniDFSCluster.Builder(configuration)
                .numDataNodes(DATA_NODES)
                .build();
        hdfs.waitActive();
        String root = "hdfs://127.0.0.1:" + hdfs.getNameNodePort() + "/talos";
        return new TestStorage(
                URI.create(root),
                Map.of("storage.root", root, "hadoop.dfs.replication", String.valueOf(DATA_NODES)),
                hdfs);
    }

    /** What a gateway needs to know of it. */
    Map<String, String> settings() {
        return settings;
    }

    /** Bytes of the journal files that hold messages. */
    long journalBytes() throws IOException {
        long bytes = 0;
        RemoteIterator<LocatedFileStatus> files =
                fileSystem.listFiles(new org.apache.hadoop.fs.Path(root.resolve(root.getPath() + "/journals")), true);
        while (files.hasNext()) {
            bytes += files.next().getLen();
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        fileSystem.close();
        if (hdfs != null) {
            hdfs.shutdown(true);
        }
    }
}
