package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.experiment.engine.Contrast;
import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.KitServer;
import io.talosgateway.loadgen.experiment.engine.Metric;
import io.talosgateway.loadgen.experiment.engine.Metrics;
import io.talosgateway.loadgen.experiment.engine.Scale;
import io.talosgateway.loadgen.experiment.engine.Timing;
import io.talosgateway.loadgen.experiment.engine.Trial;
import io.talosgateway.loadgen.experiment.engine.TrialClient;
import io.talosgateway.loadgen.experiment.engine.TrialComparison;
import io.talosgateway.loadgen.experiment.engine.TrialSettings;

/** What everything costs that the gateway does around its storage. */
final class Ideal implements TrialComparison {

    private static final String PARTITIONS = "120";
    private static final String SERVER = "io.talosgateway.benchmarks.ideal.IdealGateway";
    private static final String FLOOR = "floor";
    private static final String IDEAL = "ideal";
    private static final String GATEWAY = "gateway";

    @Override
    public String name() {
        return "ideal";
    }

    @Override
    public String question() {
        return "How far is the gateway from the least that a gateway on the same lanes can do?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "120 synchronous producers, each bound to a partition of its own, put messages of 10 KiB.",
                "floor: Jetty with a bare handler that reads the body and answers 20 bytes; what the load generator and Jetty "
                        + "can do on this machine. ideal: the same handler on the gateway's lanes, which answers when its lane "
                        + "has committed; no routes, credentials, message format, idempotency, deadlines, scheduler or metrics. "
                        + "gateway: as in the distribution.",
                "Durability is memory (hflush: in the memory of all replicas) and disk (hsync: forced to their disks).");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(2, 20, 8) : Timing.of(5, 30, 30);
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        List<TrialClient> clients = List.of(TrialClient.run(
                "--topic", "ideal", "--partitions", PARTITIONS, "--put-threads", "120", "--size", "10KiB"));
        List<Trial> trials = new ArrayList<>();
        trials.add(Trial.of(
                "no storage",
                FLOOR,
                new KitServer("ideal gateway", SERVER, Map.of(), List.of("--no-storage"), false),
                clients));
        for (String durability : List.of("memory", "disk")) {
            Map<String, String> values = Map.of("journal.durability", durability);
            trials.add(Trial.of(
                    durability,
                    IDEAL,
                    new KitServer("ideal gateway", SERVER, values, List.of("--partitions", PARTITIONS), true),
                    clients));
            trials.add(Trial.of(durability, GATEWAY, new GatewayServer(values), clients));
        }
        return trials;
    }

    @Override
    public List<Metric> columns() {
        return List.of(
                Metrics.PUTS,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.SERVER_CPU,
                Metrics.HDFS_CPU,
                Metrics.LOAD_CPU,
                Metrics.CPU_BUSY,
                Metrics.SERVER_SWITCHES_PER_REQUEST,
                Metrics.PUT_INSIDE,
                Metrics.PUT_QUEUE,
                Metrics.STORAGE,
                Metrics.LANE_WAIT,
                Metrics.GROUP_WRITE,
                Metrics.GROUP_SYNC,
                Metrics.ANSWER_WAIT,
                Metrics.GROUP_PUTS,
                Metrics.STORAGE_SHARE,
                Metrics.ERRORS);
    }

    @Override
    public List<Contrast> contrasts() {
        return List.of(new Contrast(GATEWAY, IDEAL));
    }

    @Override
    public List<Metric> contrasted() {
        return List.of(Metrics.PUTS, Metrics.PUT_MEAN, Metrics.PUT_P99, Metrics.SERVER_CPU);
    }
}
