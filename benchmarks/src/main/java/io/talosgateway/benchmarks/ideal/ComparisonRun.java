package io.talosgateway.benchmarks.ideal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.benchmarks.ideal.Measurement.Variant;
import io.talosgateway.benchmarks.process.ChildProcess;
import io.talosgateway.benchmarks.process.Directories;
import io.talosgateway.benchmarks.process.Distribution;
import io.talosgateway.benchmarks.process.MetricsPage;
import org.jspecify.annotations.Nullable;

/**
 * One run: fresh HDFS, fresh server, load, and everything ended and deleted. For one thread, but for {@link #close}, which ends
 * the processes whatever they are at.
 */
final class ComparisonRun implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration LOAD_MARGIN = Duration.ofMinutes(1);
    private static final Pattern HDFS_SERVES = Pattern.compile("HDFS serves at (hdfs://\\S+)");

    private final Installation installation;
    private final LoadSettings settings;
    private final Path directory;
    /** The last started first. */
    private final Deque<ChildProcess> processes = new ArrayDeque<>();

    private boolean closed;

    /** @param directory of this run; made now, deleted at the end */
    ComparisonRun(Installation installation, LoadSettings settings, Path directory) throws IOException {
        this.installation = installation;
        this.settings = settings;
        this.directory = Files.createDirectory(directory);
    }

    private synchronized ChildProcess started(ChildProcess process) throws IOException {
        if (closed) {
            process.close();
            throw new IOException("interrupted");
        }
        processes.push(process);
        return process;
    }

    Measurement measure(Variant variant, @Nullable String durability, int round)
            throws IOException, InterruptedException {
        ChildProcess hdfs = null;
        String storageRoot = null;
        if (durability != null) {
            hdfs = started(installation.hdfs(directory.resolve("hdfs"), settings.dataNodes()));
            storageRoot = hdfs.awaitLine(HDFS_SERVES, START_TIMEOUT).group(1) + "/talos";
        }
        ChildProcess server = started(server(variant, storageRoot, durability));
        Matcher serves = server.awaitLine(Distribution.SERVES, START_TIMEOUT);
        Path json = directory.resolve("load.json");
        ChildProcess load = started(installation.loadgen(
                settings.loadgen(variant, serves.group(1), directory.resolve("gateway/keys.json"), json)));
        load.awaitLine(Distribution.WARM, settings.warmup().plus(LOAD_MARGIN));

        String operations = serves.group(2);
        MetricsPage before = operations == null ? null : MetricsPage.read(operations);
        Duration serverBefore = server.cpu();
        Duration hdfsBefore = hdfs == null ? Duration.ZERO : hdfs.cpu();
        load.awaitSuccess(settings.duration().plus(LOAD_MARGIN));
        Duration serverCpu = server.cpu().minus(serverBefore);
        Duration hdfsCpu = hdfs == null ? Duration.ZERO : hdfs.cpu().minus(hdfsBefore);
        PutTimes times =
                operations == null || before == null ? null : PutTimes.between(before, MetricsPage.read(operations));

        JsonNode report = new ObjectMapper().readTree(json.toFile());
        JsonNode put = report.path("put");
        long puts = put.path("count").asLong();
        return new Measurement(
                variant,
                durability,
                round,
                put.path("perSecond").asDouble(),
                put.path("meanMs").asDouble(),
                put.path("p99Ms").asDouble(),
                put.path("errors").asLong(),
                microsPer(puts, serverCpu),
                microsPer(puts, hdfsCpu),
                report.path("cpuMicrosPerRequest").asDouble(),
                times);
    }

    private ChildProcess server(Variant variant, @Nullable String storageRoot, @Nullable String durability)
            throws IOException {
        Map<String, String> values = settings.server(storageRoot, durability);
        if (variant != Variant.GATEWAY) {
            return installation.ideal(values, settings.partitions(), storageRoot != null);
        }
        values.put("data.directory", directory.resolve("gateway").toString());
        values.put("ops.port", "0");
        return installation.gateway(values);
    }

    private static double microsPer(long puts, Duration cpu) {
        return puts == 0 ? 0 : cpu.toNanos() / 1000.0 / puts;
    }

    /** Ends what was started, the last first, and deletes what it left. Any thread; more than once. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        while (!processes.isEmpty()) {
            processes.pop().close();
        }
        Directories.delete(directory);
    }
}
