package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.chart.LineChart;
import io.talosgateway.loadgen.experiment.engine.Contrast;
import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.Metric;
import io.talosgateway.loadgen.experiment.engine.Metrics;
import io.talosgateway.loadgen.experiment.engine.Results;
import io.talosgateway.loadgen.experiment.engine.Scale;
import io.talosgateway.loadgen.experiment.engine.Timing;
import io.talosgateway.loadgen.experiment.engine.Trial;
import io.talosgateway.loadgen.experiment.engine.TrialClient;
import io.talosgateway.loadgen.experiment.engine.TrialComparison;
import io.talosgateway.loadgen.experiment.engine.TrialSettings;

/** A producer, a queue, and consumers that are slower than the producer. */
final class Pipeline implements TrialComparison {

    private static final int COST_MS = 5;
    private static final int WINDOW = 50;
    private static final String UNBOUNDED = "unbounded";
    private static final String BOUNDED = "window of " + WINDOW;
    private static final String ONE = "1 consumer";

    private static final Metric CONSUMED = new Metric("consumed.perSecond", "consumed/s", Metric.Better.MORE);
    private static final Metric AGE_MEAN = new Metric("age.meanMs", "age mean ms", Metric.Better.LESS);
    private static final Metric AGE_P50 = new Metric("age.p50Ms", "age P50 ms", Metric.Better.LESS);
    private static final Metric AGE_P99 = new Metric("age.p99Ms", "age P99 ms", Metric.Better.LESS);
    private static final Metric BACKLOG_END = new Metric("backlog.end", "backlog at the end", Metric.Better.LESS);
    private static final Metric BACKLOG_PEAK = new Metric("backlog.peak", "longest backlog", Metric.Better.LESS);

    @Override
    public String name() {
        return "pipeline";
    }

    @Override
    public String question() {
        return "What becomes of a queue whose consumers are slower than its producer, and what do a window and more consumers "
                + "change?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "One producer puts messages of 1,000 bytes to a topic of 8 partitions; consumers take them out in order, %d ms for "
                                .formatted(COST_MS)
                        + "each message. 1, 2, 4 and 8 consumers, each with partitions of its own.",
                "unbounded: the producer puts as fast as it can, with 16 puts under way. %s: at most %d messages are put and not "
                                .formatted(BOUNDED, WINDOW)
                        + "yet acknowledged by the consumer that has worked on them.",
                "Age is the time from the put of a message until a consumer has acknowledged it; messages that are still in the "
                        + "queue at the end have none. The ratios over one consumer are the scale-out factor.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(2, 4, 12) : Timing.of(3, 10, 60);
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        List<Trial> trials = new ArrayList<>();
        for (int window : new int[] {0, WINDOW}) {
            for (int consumers : new int[] {1, 2, 4, 8}) {
                TrialClient client = TrialClient.command(
                        "pipeline",
                        "--partitions",
                        "8",
                        "--size",
                        "1000B",
                        "--cost",
                        COST_MS + "ms",
                        "--window",
                        Integer.toString(window),
                        "--consumers",
                        Integer.toString(consumers));
                trials.add(Trial.of(
                        window == 0 ? UNBOUNDED : BOUNDED,
                        variant(consumers),
                        new GatewayServer(Map.of()),
                        List.of(client)));
            }
        }
        return trials;
    }

    private static String variant(int consumers) {
        return consumers == 1 ? ONE : consumers + " consumers";
    }

    @Override
    public List<Metric> columns() {
        return List.of(
                CONSUMED,
                Metrics.PUTS,
                BACKLOG_END,
                BACKLOG_PEAK,
                AGE_MEAN,
                AGE_P50,
                AGE_P99,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.CPU_BUSY,
                Metrics.ERRORS);
    }

    @Override
    public List<Contrast> contrasts() {
        return List.of(new Contrast(variant(2), ONE), new Contrast(variant(4), ONE), new Contrast(variant(8), ONE));
    }

    @Override
    public List<Metric> contrasted() {
        return List.of(CONSUMED, AGE_MEAN);
    }

    @Override
    public List<LineChart> charts(Results results) {
        List<LineChart> charts = new ArrayList<>();
        charts.addAll(TimeCharts.ofLoads(results, "Messages in the queue, %s", "backlog", false));
        charts.addAll(
                TimeCharts.ofLoads(results, "Age of the messages that were consumed, mean ms, %s", "ageMeanMs", true));
        charts.addAll(TimeCharts.ofLoads(results, "Messages consumed a second, %s", "consumedPerSecond", false));
        return charts;
    }
}
