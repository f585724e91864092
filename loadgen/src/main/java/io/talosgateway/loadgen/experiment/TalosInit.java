package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.talosgateway.loadgen.chart.LineChart;
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

/** How the rate grows with partitions and with the messages of a put. */
final class TalosInit implements TrialComparison {

    private static final List<Integer> QUICK_PARTITIONS = List.of(1, 16, 128);
    private static final List<Integer> PARTITIONS = List.of(1, 8, 16, 32, 64, 128);
    private static final List<Integer> BATCHES = List.of(1, 10, 100);

    @Override
    public String name() {
        return "talos-init";
    }

    @Override
    public String question() {
        return "How do rate and latency of small messages grow with the number of partitions and the messages of a put?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "A topic of 1 to 128 partitions, with one synchronous producer for each partition: puts of 1, 10 and 100 messages "
                        + "of 100 bytes. Write only, and with one reader for each partition that follows its end.",
                "The gateway answers when the messages are in the memory of all replicas (hflush), as the original did.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(1, 5, 5) : Timing.of(3, 10, 10);
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        GatewayServer server = new GatewayServer(Map.of("journal.durability", "memory"));
        List<Trial> trials = new ArrayList<>();
        for (boolean reads : List.of(false, true)) {
            for (int batch : BATCHES) {
                for (int partitions : settings.choose(QUICK_PARTITIONS, PARTITIONS)) {
                    String line = "batch %d, %s".formatted(batch, reads ? "read and write" : "write only");
                    String load = "%s, %d partition%s".formatted(line, partitions, partitions == 1 ? "" : "s");
                    trials.add(Trial.of(load, "gateway", server, List.of(client(partitions, batch, reads)))
                            .at(line, partitions));
                }
            }
        }
        return trials;
    }

    private static TrialClient client(int partitions, int batch, boolean reads) {
        String threads = Integer.toString(partitions);
        return TrialClient.run(
                "--topic",
                "talos-init",
                "--partitions",
                threads,
                "--format",
                "thrift",
                "--batch",
                Integer.toString(batch),
                "--put-threads",
                threads,
                "--get-threads",
                reads ? threads : "0",
                "--size",
                "100B");
    }

    @Override
    public List<Metric> columns() {
        return List.of(
                Metrics.PUTS,
                Metrics.PUT_MESSAGES,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.GET_MESSAGES,
                Metrics.GET_MEAN,
                Metrics.GET_P99,
                Metrics.STORAGE_SHARE,
                Metrics.CPU_BUSY,
                Metrics.ERRORS);
    }

    @Override
    public List<LineChart> charts(Results results) {
        return Stream.of(
                        SweepCharts.of(results, Metrics.PUT_MESSAGES, "Messages put a second", "partitions"),
                        SweepCharts.of(results, Metrics.PUT_MEAN, "Latency of puts, mean in ms", "partitions"))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<String> remarks() {
        return List.of(
                "Published, on 8 servers and 8 clients, batch 1, write only: 531 puts a second at 1.88 ms with 1 partition, "
                        + "43,537 at 2.94 ms with 128.");
    }
}
