package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A NameNode and a DataNode in a process of their own, which can be killed. They force what they force in production. */
final class HdfsProcess implements AutoCloseable {

    static final int DATA_NODES = 1;

    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
    private static final String SERVING = "HDFS serves at port ";

    private final Path base;
    private final Path logs;
    private Process process;
    /** Also while it does not run: a gateway looks for it where it was. */
    private final HeldPort port = new HeldPort();

    private int starts;

    HdfsProcess(Path base, Path logs) throws IOException {
        this.base = base;
        this.logs = logs;
    }

    /** Arguments: the directory of all files, the NameNode's port, whether to begin with an empty file system. */
    public static void main(String[] arguments) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, arguments[0]);
        // So that a lease is recovered, and the safe mode left, in a second or two.
        configuration.set("dfs.heartbeat.interval", "1");
        configuration.set("dfs.namenode.safemode.extension", "0");
        MiniDFSCluster hdfs = new MiniDFSCluster.Builder(configuration)
                .nameNodePort(Integer.parseInt(arguments[1]))
                .format(Boolean.parseBoolean(arguments[2]))
                .numDataNodes(DATA_NODES)
                .skipFsyncForTesting(false)
                .build();
        hdfs.waitActive();
        System.out.println(SERVING + hdfs.getNameNodePort());
        System.in.read();
        hdfs.shutdown();
    }

    /** Starts it, at the same port as before; returns when it serves. */
    void start(List<String> options) throws IOException, InterruptedException {
        Path log = logs.resolve("hdfs-" + ++starts + ".log");
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), HdfsProcess.class.getName()));
        command.addAll(List.of(base.toString(), String.valueOf(port.number()), String.valueOf(starts == 1)));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long deadlineAtNanos = System.nanoTime() + START_TIMEOUT.toNanos();
        while (System.nanoTime() - deadlineAtNanos < 0 && !process.waitFor(50, TimeUnit.MILLISECONDS)) {
            if (Files.readString(log).contains(SERVING)) {
                return;
            }
        }
        throw new AssertionError("HDFS does not start:\n" + Files.readString(log));
    }

    String root() {
        return "hdfs://127.0.0.1:" + port.number() + "/talos";
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws InterruptedException, IOException {
        if (process != null) {
            kill();
        }
        port.close();
    }
}
