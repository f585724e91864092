package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.util.Map;

import io.talosgateway.loadgen.measure.GatewayMetrics;
import io.talosgateway.loadgen.measure.MetricsPage;
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

    static Snapshot at(Server.Running server, @Nullable ChildProcess hdfs) throws IOException, InterruptedException {
        return new Snapshot(
                System.nanoTime(),
                MachineSnapshot.now(),
                ProcessSnapshot.at(server.process()),
                hdfs == null ? null : ProcessSnapshot.at(hdfs),
                server.ops() == null ? null : MetricsPage.read(server.ops()));
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
        double put = seconds * rate(values, "put.messagesPerSecond");
        double messages = put + seconds * rate(values, "get.messagesPerSecond");
        addProcess(values, "server", before.server, server, seconds, requests);
        put(values, "server.cpuMicrosPerMessage", micros(before.server, server) / messages);
        if (hdfs != null && before.hdfs != null) {
            addProcess(values, "hdfs", before.hdfs, hdfs, seconds, requests);
        }
        if (page != null && before.page != null) {
            GatewayMetrics.between(before.page, page, new GatewayMetrics.Amount(seconds, requests, put, messages))
                    .forEach((name, value) -> put(values, "gateway." + name, value));
        }
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
        put(values, name + ".threads", (double) after.threads());
    }

    private static double micros(ProcessSnapshot before, ProcessSnapshot after) {
        return after.cpu().minus(before.cpu()).toNanos() / 1000.0;
    }

    /** What is not known, or makes no sense without requests, is left out. */
    private static void put(Map<String, Double> values, String key, double value) {
        if (Double.isFinite(value)) {
            values.put(key, Millis.rounded(value));
        }
    }
}
