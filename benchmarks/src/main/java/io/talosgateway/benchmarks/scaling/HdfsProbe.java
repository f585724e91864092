package io.talosgateway.benchmarks.scaling;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.AppendFile;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.hdfs.HadoopJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long each call of the storage takes on an HDFS inside this process, and which calls it makes to the NameNode. */
final class HdfsProbe implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HdfsProbe.class);
    private static final int TIMES = 40;
    /** A fence takes seconds. */
    private static final int FENCES = 6;

    /** The NameNode's metrics are renewed so often. */
    private static final long METRICS_MS = 10_500;

    private static final String SUFFIX = "NumOps";
    private static final byte[] BYTES = new byte[64 << 10];

    private final Path directory;
    private final MiniDFSCluster cluster;
    private final HadoopJournalStorage storage;
    private boolean counts;
    private Map<String, Long> counted = Map.of();
    private final Map<String, Step> steps = new LinkedHashMap<>();

    /**
     * What a call takes.
     *
     * @param calls calls to the NameNode by name
     */
    record Step(double ms, Map<String, Double> calls) {

        String text() {
            return calls.entrySet().stream()
                    .map(call -> "%s %.2g".formatted(call.getKey(), call.getValue()))
                    .collect(Collectors.joining(", "));
        }
    }

    private interface Call {
        void run(int number) throws IOException;
    }

    private HdfsProbe() throws IOException {
        directory = Files.createTempDirectory("talos-scaling-");
        Configuration configuration = new Configuration();
        configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
        configuration.setInt("dfs.replication", 1);
        cluster = new MiniDFSCluster.Builder(configuration)
                .numDataNodes(1)
                .skipFsyncForTesting(false)
                .build();
        cluster.waitActive();
        storage = HadoopJournalStorage.open(new StorageConfig(
                URI.create("hdfs://127.0.0.1:" + cluster.getNameNodePort() + "/talos"),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Map.of("dfs.replication", "1")));
    }

    static Map<String, Step> measure(Progress progress) throws IOException, InterruptedException, JMException {
        try (HdfsProbe probe = new HdfsProbe()) {
            probe.measureAll(progress);
            return probe.steps;
        }
    }

    private void measureAll(Progress progress) throws IOException, InterruptedException, JMException {
        List<AppendFile> open = new ArrayList<>();
        // Twice: the first time, classes are loaded.
        for (int round = 0; round < 2; round++) {
            counts = round == 1;
            counted = nameNodeCalls();
            String folder = "round" + round + "/";
            progress.begin("Measuring HDFS, round " + (round + 1) + " of 2: a minute or two");
            step("createWhole", TIMES, number -> storage.createWhole(folder + "whole" + number, new ByteSlice(BYTES)));
            step("exists", TIMES, number -> storage.exists(folder + "whole" + number));
            step("list", TIMES, number -> storage.list(folder));
            step("open", TIMES, number -> readFooter(storage, folder + "whole" + number));
            step("create, write and sync", FENCES, number -> {
                AppendFile file = storage.create(folder + "open" + number, 0);
                file.write(BYTES, 0, BYTES.length);
                file.sync(Durability.DISK);
                open.add(file);
            });
            step("fence", FENCES, number -> storage.fence(folder + "open" + number));
            step("force", FENCES, number -> storage.force(folder + "open" + number));
            step("delete", FENCES, number -> storage.delete(folder + "open" + number));
        }
        for (AppendFile file : open) {
            try {
                file.close();
            } catch (IOException e) {
                log.debug("It was fenced and deleted", e);
            }
        }
    }

    /** As a recovery reads one: trailer, then footer. */
    private static void readFooter(JournalStorage from, String path) throws IOException {
        try (ReadFile file = from.open(path)) {
            byte[] bytes = new byte[BYTES.length];
            file.read(file.length() - 20, bytes, 0, 20);
            file.read(file.length() / 2, bytes, 0, bytes.length / 2);
        }
    }

    private void step(String name, int times, Call call) throws IOException, InterruptedException, JMException {
        Map<String, Long> before = counted;
        long nanos = -System.nanoTime();
        for (int number = 0; number < times; number++) {
            call.run(number);
        }
        nanos += System.nanoTime();
        Map<String, Double> calls = new TreeMap<>();
        counted = nameNodeCalls();
        counted.forEach((kind, count) -> {
            long more = count - before.getOrDefault(kind, 0L);
            // Heartbeats and the like come now and then.
            if (more * 2 >= times) {
                calls.put(kind, (double) more / times);
            }
        });
        steps.put(name, new Step(nanos / 1e6 / times, calls));
    }

    private Map<String, Long> nameNodeCalls() throws InterruptedException, JMException {
        if (!counts) {
            return Map.of();
        }
        Thread.sleep(METRICS_MS);
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Map<String, Long> calls = new TreeMap<>();
        for (ObjectName name :
                beans.queryNames(new ObjectName("Hadoop:service=NameNode,name=RpcDetailedActivityForPort*"), null)) {
            for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
                if (attribute.getName().endsWith(SUFFIX) && !attribute.getName().startsWith("Overall")) {
                    String kind =
                            attribute.getName().substring(0, attribute.getName().length() - SUFFIX.length());
                    calls.merge(kind, ((Number) beans.getAttribute(name, attribute.getName())).longValue(), Long::sum);
                }
            }
        }
        return calls;
    }

    @Override
    public void close() throws IOException {
        try {
            storage.close();
        } finally {
            cluster.shutdown(true);
            Directories.delete(directory);
        }
    }
}
