package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.talosgateway.powercut.CutDisk.Rule;

/** A gateway and its storage, which lose their power together. The disk is that of the storage. */
final class PowerCutMachine implements AutoCloseable {

    /** Of the embedded ZooKeeper, which forces no directories, and not its first snapshot. */
    private static final Rule ZOOKEEPER_RULE = Rule.valueOf(System.getProperty("powercut.zookeeper", "SPARED"));
    /** A NameNode does not force the directory after it has renamed an image. */
    private static final Rule HDFS_RULE = Rule.JOURNALED;
    /** ZooKeeper's log grows by so many KiB, where it would grow by 64 MiB; this test has all of it in memory. */
    private static final String JVM_OPTIONS = "-Xmx512m -XX:TieredStopAtLevel=1 -Dzookeeper.preAllocSize=64";

    private final Path disk;
    private final Path data;
    private final Path logs;
    private final Map<String, String> settings = new TreeMap<>();
    /** Null if messages are in local files. */
    private final HdfsProcess hdfs;
    /** Null until HDFS has started. */
    private GatewayProcess gateway;

    private PowerCutMachine(Path directory, boolean onHdfs) throws IOException {
        this.disk = Files.createDirectory(directory.resolve("disk"));
        this.logs = Files.createDirectory(directory.resolve("logs"));
        this.data = (onHdfs ? directory : disk).resolve("data");
        this.hdfs = onHdfs ? new HdfsProcess(Files.createDirectory(disk.resolve("hdfs")), logs) : null;
        settings.put("data.directory", data.toString());
        settings.put("auth.key-file", logs.resolve("keys.json").toString());
        settings.put("journal.file-size", "256KiB");
        settings.put("journal.tail-cache-size", "1MiB");
    }

    /** Messages in local files: the disk is that of the gateway. */
    static PowerCutMachine onFiles(Path directory) throws IOException {
        PowerCutMachine machine = new PowerCutMachine(directory, false);
        machine.settings.put(
                "storage.root", machine.disk.resolve("storage").toUri().toString());
        machine.gateway = GatewayProcess.notStarted(machine.logs, machine.settings);
        return machine;
    }

    /** Messages in HDFS: the disk is that of the NameNode and the DataNodes. The embedded ZooKeeper has another. */
    static PowerCutMachine onHdfs(Path directory) throws IOException, InterruptedException {
        PowerCutMachine machine = new PowerCutMachine(directory, true);
        // A NameNode does not force the image that it makes when it is formatted: the power goes later.
        machine.hdfs.start(List.of());
        machine.hdfs.kill();
        return machine;
    }

    Path disk() {
        return disk;
    }

    GatewayProcess gateway() {
        return gateway;
    }

    Rule rule(Path path) {
        if (path.startsWith(data)) {
            return ZOOKEEPER_RULE;
        }
        return hdfs == null ? Rule.POSIX : HDFS_RULE;
    }

    /** Whether the process that uses the disk may end by itself. */
    boolean mayHalt() {
        return hdfs == null;
    }

    /**
     * Starts all; false if the gateway ended before it served.
     *
     * @param options for the JVM that uses the disk
     */
    boolean start(List<String> options) throws Exception {
        if (hdfs == null) {
            return gateway.tryStart(JVM_OPTIONS + " " + String.join(" ", options));
        }
        hdfs.start(options);
        if (gateway == null) {
            settings.put("storage.root", hdfs.root());
            settings.put("hadoop.dfs.replication", String.valueOf(HdfsProcess.DATA_NODES));
            gateway = GatewayProcess.notStarted(logs, settings);
        }
        return gateway.tryStart(JVM_OPTIONS);
    }

    /** {@code kill -9} of all. */
    void kill() throws InterruptedException {
        if (hdfs != null) {
            hdfs.kill();
        }
        gateway.kill();
    }

    @Override
    public void close() throws InterruptedException, IOException {
        if (hdfs != null) {
            hdfs.close();
        }
        if (gateway != null) {
            gateway.close();
        }
    }
}
