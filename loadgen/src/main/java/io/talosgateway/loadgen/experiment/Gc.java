package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.chart.LineChart;
import io.talosgateway.loadgen.experiment.engine.Contrast;
import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.Measurement;
import io.talosgateway.loadgen.experiment.engine.Metric;
import io.talosgateway.loadgen.experiment.engine.Metrics;
import io.talosgateway.loadgen.experiment.engine.Results;
import io.talosgateway.loadgen.experiment.engine.Scale;
import io.talosgateway.loadgen.experiment.engine.Timing;
import io.talosgateway.loadgen.experiment.engine.Trial;
import io.talosgateway.loadgen.experiment.engine.TrialClient;
import io.talosgateway.loadgen.experiment.engine.TrialComparison;
import io.talosgateway.loadgen.experiment.engine.TrialSettings;

/** What garbage collection costs: with a backlog that grows, and with very many connections. */
final class Gc implements TrialComparison {

    private static final String BACKLOG = "growing backlog";
    private static final String IDLE = "256-byte puts";
    private static final String ROOMY = "roomy heap";
    private static final String TIGHT = "tight heap";
    private static final String ROOMY_HEAP = "-Xmx1g";
    private static final String TIGHT_HEAP = "-Xmx192m";
    private static final int CONNECTIONS = 16_384;
    private static final int FEW_CONNECTIONS = 64;
    private static final String FEW = "few connections";
    private static final String MANY = "many connections";
    private static final String PUTS_PER_SECOND = "2000";

    private static final Metric CONSUMED = new Metric("consumed.perSecond", "consumed/s", Metric.Better.MORE);
    private static final Metric BACKLOG_PEAK = new Metric("backlog.peak", "longest backlog", Metric.Better.NEITHER);

    @Override
    public String name() {
        return "gc";
    }

    @Override
    public String question() {
        return "What does garbage collection cost with a backlog that grows, in a roomy and a tight heap, and with thousands of idle "
                + "connections?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "%s: messages of 10 KiB, four a put, are put as fast as 16 puts under way allow. Nobody reads for the first half of the time; "
                                .formatted(BACKLOG)
                        + "then four consumers begin with the first message, and the puts go on. The gateway has a heap of "
                        + ROOMY_HEAP.substring(4) + " or of " + TIGHT_HEAP.substring(4) + ".",
                "%s: 2,000 puts a second in all, spread over %d connections or over %,d, each of which is idle most of the time then, "
                                .formatted(IDLE, FEW_CONNECTIONS, CONNECTIONS)
                        + "with a heap of 1g. After the load, the heap is collected with none and with all of so many idle "
                        + "connections open: that is what one takes. Where the limit of open files (ulimit -n) is lower, there are "
                        + "fewer; here %,d.".formatted(IdleConnections.atMost(CONNECTIONS)),
                "Pauses are those of the gateway's own GC log.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(2, 10, 24) : Timing.of(3, 15, 120);
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        List<Trial> trials = new ArrayList<>();
        long half = settings.timing().duration().toMillis() / 2;
        TrialClient pipeline = TrialClient.command(
                "pipeline",
                "--partitions",
                "16",
                "--size",
                "10KiB",
                "--batch",
                "4",
                "--puts-under-way",
                "16",
                "--cost",
                "0ms",
                "--consumers",
                "4",
                "--consumers-after",
                half + "ms");
        trials.add(Trial.of(BACKLOG, ROOMY, gateway(ROOMY_HEAP), List.of(pipeline)));
        trials.add(Trial.of(BACKLOG, TIGHT, gateway(TIGHT_HEAP), List.of(pipeline)));
        // Connections that were used are kept: most of them are silent for seconds.
        GatewayServer gateway = new GatewayServer(Map.of("http.idle-timeout", "10m"), List.of(ROOMY_HEAP));
        int many = IdleConnections.atMost(CONNECTIONS);
        trials.add(Trial.of(IDLE, FEW, gateway, List.of(puts(FEW_CONNECTIONS))));
        trials.add(Trial.of(IDLE, MANY, new IdleGateway(gateway, many), List.of(puts(many))));
        return trials;
    }

    private static TrialClient puts(int connections) {
        return TrialClient.run(
                "--topic",
                "gc",
                "--partitions",
                "120",
                "--pending",
                Integer.toString(connections),
                "--put-rate",
                PUTS_PER_SECOND,
                "--size",
                "256B");
    }

    private static GatewayServer gateway(String heap) {
        return new GatewayServer(Map.of(), List.of(heap));
    }

    @Override
    public List<Metric> columns() {
        return List.of(
                Metrics.PUTS,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.PUT_P999,
                Metrics.PUT_MAX,
                CONSUMED,
                BACKLOG_PEAK,
                Metrics.GC_SHARE,
                Metrics.GC_COUNT,
                Metrics.GC_LONGEST,
                Metrics.GC_FULL,
                Metrics.ALLOCATED,
                Metrics.ALLOCATED_PER_REQUEST,
                IdleGateway.HEAP,
                Metrics.SERVER_MEMORY,
                Metrics.ERRORS);
    }

    @Override
    public List<Contrast> contrasts() {
        return List.of(new Contrast(TIGHT, ROOMY), new Contrast(MANY, FEW));
    }

    @Override
    public List<Metric> contrasted() {
        return List.of(
                Metrics.PUTS,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                CONSUMED,
                Metrics.GC_SHARE,
                Metrics.ALLOCATED_PER_REQUEST);
    }

    @Override
    public List<LineChart> charts(Results results) {
        List<LineChart> charts = new ArrayList<>();
        for (Trial trial : results.under(BACKLOG)) {
            List<Measurement> runs = results.of(trial);
            if (!runs.isEmpty()) {
                Measurement run = runs.get(runs.size() - 1);
                charts.add(TimeCharts.ofRun(
                        run,
                        "Latency of puts, ms, " + trial.variant(),
                        List.of(
                                new TimeCharts.Field("slowest", "putMaxMs", "max"),
                                new TimeCharts.Field("P99", "putP99Ms", "p99"),
                                new TimeCharts.Field("mean", "putMeanMs", "put")),
                        true));
                charts.add(TimeCharts.ofRun(
                        run,
                        "Messages a second, " + trial.variant(),
                        List.of(
                                new TimeCharts.Field("put", "putPerSecond", "put"),
                                new TimeCharts.Field("consumed", "consumedPerSecond", "get")),
                        false));
            }
        }
        return charts;
    }
}
