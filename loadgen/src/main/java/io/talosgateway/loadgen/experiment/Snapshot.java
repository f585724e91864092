package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.net.URI;
import java.util.Map;

import io.talosgateway.loadgen.measure.MetricsPage;
import io.talosgateway.loadgen.measure.MetricsRise;
import io.talosgateway.loadgen.measure.Millis;
import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.MachineSnapshot;
import io.talosgateway.loadgen.process.ProcessSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A look at everything that takes part in a trial, at one moment.
 *
 * @param hdfs null without one
 * @param page null if the server has no metrics
 */
record Snapshot(
        long atNanos,
        MachineSnapshot machine,
        ProcessSnapshot server,
        @Nullable ProcessSnapshot hdfs,
        @Nullable MetricsPage page) {

    private static final double BYTES_PER_MIB = 1 << 20;

    static Snapshot at(ChildProcess server, @Nullable ChildProcess hdfs, @Nullable URI ops)
            throws IOException, InterruptedException {
        return new Snapshot(
                System.nanoTime(),
                MachineSnapshot.now(),
                ProcessSnapshot.at(server),
                hdfs == null ? null : ProcessSnapshot.at(hdfs),
                ops == null ? null : MetricsPage.read(ops));
    }

    /**
     * Adds what happened from an earlier look on.
     *
     * @param values holds the rates of the requests
     */
    void addTo(Map<String, Double> values, Snapshot before) {
        double seconds = (atNanos - before.atNanos) / 1e9;
        double requests = seconds * (rate(values, "put.perSecond") + rate(values, "get.perSecond"));
        put(values, "machine.cpuBusyPercent", before.machine.busyPercentUntil(machine));
        addProcess(values, "server", before.server, server, seconds, requests);
        if (hdfs != null && before.hdfs != null) {
            addProcess(values, "hdfs", before.hdfs, hdfs, seconds, requests);
        }
        if (page != null && before.page != null) {
            addGateway(values, new MetricsRise(before.page, page), seconds, requests);
        }
        double messages = seconds * (rate(values, "put.messagesPerSecond") + rate(values, "get.messagesPerSecond"));
        put(values, "server.cpuMicrosPerMessage", micros(before.server, server) / messages);
    }

    private static double rate(Map<String, Double> values, String metric) {
        return values.getOrDefault(metric, 0.0);
    }

    private static void addProcess(
            Map<String, Double> values,
            String name,
            ProcessSnapshot before,
            ProcessSnapshot after,
            double seconds,
            double requests) {
        double switches = Math.max(0, after.contextSwitches() - before.contextSwitches());
        put(values, name + ".cpuMicros", micros(before, after) / requests);
        put(values, name + ".switchesPerSecond", switches / seconds);
        put(values, name + ".switchesPerRequest", switches / requests);
        put(values, name + ".residentMiB", after.residentBytes() / BYTES_PER_MIB);
        put(values, name + ".threads", after.threads());
    }

    private static double micros(ProcessSnapshot before, ProcessSnapshot after) {
        return after.cpu().minus(before.cpu()).toNanos() / 1000.0;
    }

    private static void addGateway(Map<String, Double> values, MetricsRise rise, double seconds, double requests) {
        put(values, "gateway.putQueueMs", rise.meanMs("talos_pool_wait_seconds", "pool=\"put\""));
        put(values, "gateway.getQueueMs", rise.meanMs("talos_pool_wait_seconds", "pool=\"get\""));
        Double inside = rise.meanMs("talos_request_seconds", "class=\"put\"");
        Double storage = rise.meanMs("talos_put_storage_seconds");
        put(values, "gateway.putMs", inside);
        put(values, "gateway.storageMs", storage);
        if (inside != null && storage != null && inside > 0) {
            put(values, "gateway.storageSharePercent", 100 * storage / inside);
        }
        put(values, "gateway.laneWaitMs", rise.meanMs("talos_journal_lane_wait_seconds"));
        put(values, "gateway.writeMs", rise.meanMs("talos_journal_write_seconds"));
        put(values, "gateway.syncMs", rise.meanMs("talos_journal_sync_seconds"));
        put(values, "gateway.answerWaitMs", rise.meanMs("talos_put_answer_wait_seconds"));
        put(values, "gateway.groupPuts", rise.mean("talos_journal_group_puts"));
        put(values, "gateway.gcPercent", per(rise.of("jvm_gc_collection_seconds_sum"), seconds / 100));
        put(values, "gateway.gcPerMinute", per(rise.of("jvm_gc_collection_seconds_count"), seconds / 60));
        Double allocated = rise.of("jvm_memory_pool_allocated_bytes_total");
        put(values, "gateway.allocatedMiB", per(allocated, seconds * BYTES_PER_MIB));
        put(values, "gateway.allocatedBytes", per(allocated, requests));
        double put = seconds * rate(values, "put.messagesPerSecond");
        double got = seconds * rate(values, "get.messagesPerSecond");
        put(values, "gateway.receivedBytesPerMessage", per(rise.of("talos_received_bytes_total"), put));
        put(values, "gateway.sentBytesPerMessage", per(rise.of("talos_sent_bytes_total"), put + got));
    }

    private static @Nullable Double per(@Nullable Double value, double divisor) {
        return value == null ? null : value / divisor;
    }

    /** What is not known, or makes no sense without requests, is left out. */
    private static void put(Map<String, Double> values, String key, @Nullable Double value) {
        if (value != null && Double.isFinite(value)) {
            values.put(key, Millis.rounded(value));
        }
    }

    private static void put(Map<String, Double> values, String key, long value) {
        put(values, key, (Double) (double) value);
    }
}
