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
import io.talosgateway.loadgen.experiment.engine.StorageKind;
import io.talosgateway.loadgen.experiment.engine.SweepCharts;
import io.talosgateway.loadgen.experiment.engine.Timing;
import io.talosgateway.loadgen.experiment.engine.Trial;
import io.talosgateway.loadgen.experiment.engine.TrialClient;
import io.talosgateway.loadgen.experiment.engine.TrialComparison;
import io.talosgateway.loadgen.experiment.engine.TrialSettings;

/** Sizes of messages by threads for input and output. */
final class SizeSweep implements TrialComparison {

    private static final List<Integer> QUICK_SIZES = List.of(4, 64, 1_024, 16_384);
    private static final List<Integer> SIZES = List.of(4, 16, 64, 256, 1_024, 4_096, 16_384);
    private static final String PENDING = "1000";
    private static final int MANY = 16;
    private static final String FEW_HTTP_THREADS = "4";
    private static final String MANY_HTTP_THREADS = "100";

    @Override
    public String name() {
        return "size-sweep";
    }

    @Override
    public String question() {
        return "Do more threads for input and output help small messages, or hurt them?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "1,000 puts pending at any time, each on a connection of its own, to 120 partitions: messages of 4 bytes to 16 KiB. "
                        + "The load generator drives the connections with 1 thread, as many as there are processors, and 16. The gateway "
                        + "has its usual HTTP threads; with 1 and 16 also 4 (the fewest it starts with) and 100 of them.",
                "Context switches stand beside the throughput: a published report on a messaging layer found small messages slower "
                        + "than large ones until its threads were reduced.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(1, 6, 5) : Timing.of(3, 10, 15);
    }

    @Override
    public StorageKind storage() {
        return StorageKind.FILE;
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        GatewayServer usual = new GatewayServer(Map.of("journal.durability", "memory"));
        int cores = Runtime.getRuntime().availableProcessors();
        List<Trial> trials = new ArrayList<>();
        for (int size : settings.choose(QUICK_SIZES, SIZES)) {
            add(trials, size, 1, "few", usual.with(Map.of("http.threads", FEW_HTTP_THREADS)));
            add(trials, size, 1, "usual", usual);
            if (cores != 1 && cores != MANY) {
                add(trials, size, cores, "usual", usual);
            }
            add(trials, size, MANY, "usual", usual);
            add(trials, size, MANY, "100", usual.with(Map.of("http.threads", MANY_HTTP_THREADS)));
        }
        return trials;
    }

    private static void add(List<Trial> trials, int size, int threads, String http, GatewayServer server) {
        String variant = variant(threads, http);
        TrialClient client = TrialClient.run(
                "--topic",
                "size-sweep",
                "--pending",
                PENDING,
                "--io-threads",
                Integer.toString(threads),
                "--size",
                size + "B");
        trials.add(Trial.of("%,d B".formatted(size), variant, server, List.of(client))
                .at(variant, size));
    }

    private static String variant(int threads, String http) {
        return "%d I/O, %s HTTP".formatted(threads, http);
    }

    @Override
    public List<Metric> columns() {
        return List.of(
                Metrics.PUTS,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.SERVER_SWITCHES,
                Metrics.SERVER_SWITCHES_PER_REQUEST,
                Metrics.SERVER_CPU,
                Metrics.LOAD_CPU,
                Metrics.CPU_BUSY,
                Metrics.GROUP_PUTS,
                Metrics.ERRORS);
    }

    @Override
    public List<Contrast> contrasts() {
        return List.of(
                new Contrast(variant(MANY, "usual"), variant(1, "usual")),
                new Contrast(variant(MANY, MANY_HTTP_THREADS), variant(1, "few")));
    }

    @Override
    public List<Metric> contrasted() {
        return List.of(Metrics.PUTS, Metrics.PUT_P99, Metrics.SERVER_SWITCHES_PER_REQUEST);
    }

    @Override
    public List<LineChart> charts(Results results) {
        return Stream.of(
                        SweepCharts.of(results, Metrics.PUTS, "Puts a second", "bytes of a message"),
                        SweepCharts.of(
                                results,
                                Metrics.SERVER_SWITCHES,
                                "Context switches of the gateway a second",
                                "bytes of a message"))
                .flatMap(List::stream)
                .toList();
    }
}
