package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.talosgateway.loadgen.chart.LineChart;
import io.talosgateway.loadgen.experiment.engine.Contrast;
import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.Metric;
import io.talosgateway.loadgen.experiment.engine.Metrics;
import io.talosgateway.loadgen.experiment.engine.Results;
import io.talosgateway.loadgen.experiment.engine.Scale;
import io.talosgateway.loadgen.experiment.engine.SweepCharts;
import io.talosgateway.loadgen.experiment.engine.Timing;
import io.talosgateway.loadgen.experiment.engine.Trial;
import io.talosgateway.loadgen.experiment.engine.TrialClient;
import io.talosgateway.loadgen.experiment.engine.TrialComparison;
import io.talosgateway.loadgen.experiment.engine.TrialSettings;

/** What partitions cost. */
final class PartitionScale implements TrialComparison {

    private static final List<Integer> PARTITIONS = List.of(120, 1_200, 12_000);
    private static final String GIVEN = "given load";
    private static final String FULL = "full load";

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public String question() {
        return "What do 100 times as many partitions cost, under the same load?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "120, 1,200 and 12,000 partitions, each with one connection that puts messages of 1 KiB. Given load: 2,000 puts a "
                        + "second in all, each at its time, so that with 12,000 partitions each has one every 6 seconds. Full load: "
                        + "120 connections, as fast as they are answered, on the first 120 partitions; the others are idle.",
                "Throughput, latency, memory and threads of gateway and HDFS, and files and directories in HDFS.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(2, 10, 10) : Timing.of(3, 20, 30);
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        GatewayServer server = new GatewayServer(Map.of("topic.max-partitions", "12000"));
        List<Trial> trials = new ArrayList<>();
        for (String load : List.of(GIVEN, FULL)) {
            for (int partitions : PARTITIONS) {
                trials.add(Trial.of(load, variant(partitions), server, List.of(client(load, partitions)))
                        .at(load, partitions));
            }
        }
        return trials;
    }

    private static String variant(int partitions) {
        return "%,d partitions".formatted(partitions);
    }

    private static TrialClient client(String load, int partitions) {
        TrialClient client =
                TrialClient.run("--topic", "scale", "--partitions", Integer.toString(partitions), "--size", "1KiB");
        return load.equals(GIVEN)
                ? client.with("--pending", Integer.toString(partitions), "--put-rate", "2000")
                : client.with("--pending", "120");
    }

    @Override
    public List<Metric> columns() {
        return List.of(
                Metrics.PUTS,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.PUT_P999,
                Metrics.SERVER_CPU,
                Metrics.HDFS_CPU,
                Metrics.SERVER_MEMORY,
                Metrics.SERVER_THREADS,
                Metrics.HDFS_MEMORY,
                Metrics.HDFS_THREADS,
                Metrics.STORED_FILES,
                Metrics.GROUP_PUTS,
                Metrics.GC_SHARE,
                Metrics.ERRORS);
    }

    @Override
    public List<Contrast> contrasts() {
        return List.of(
                new Contrast(variant(PARTITIONS.get(1)), variant(PARTITIONS.get(0))),
                new Contrast(variant(PARTITIONS.get(2)), variant(PARTITIONS.get(0))));
    }

    @Override
    public List<Metric> contrasted() {
        return List.of(
                Metrics.PUTS,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.SERVER_CPU,
                Metrics.SERVER_MEMORY,
                Metrics.STORED_FILES);
    }

    @Override
    public List<LineChart> charts(Results results) {
        return Stream.of(
                        SweepCharts.of(results, Metrics.PUT_MEAN, "Latency of puts, mean in ms", "partitions"),
                        SweepCharts.of(
                                results, Metrics.SERVER_CPU, "CPU time of the gateway for a put, µs", "partitions"),
                        SweepCharts.of(results, Metrics.SERVER_MEMORY, "Memory of the gateway, MiB", "partitions"))
                .flatMap(List::stream)
                .toList();
    }
}
