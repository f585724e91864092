package io.talosgateway.loadgen.experiment;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.measure.Metric;
import io.talosgateway.loadgen.plan.Warmup;

/** Trials and measurements for tests. */
final class Samples {

    static final Warmup WARMUP = Warmup.of(Duration.ofSeconds(2));

    private Samples() {}

    /** Three rounds of eight seconds that count. */
    static TrialSettings settings(Scale scale, StorageKind storage, int dataNodes, Warmup warmup) {
        return new TrialSettings(scale, storage, 3, warmup, Duration.ofSeconds(8), dataNodes, 7);
    }

    /** Two variants under a load. */
    static Experiment experiment() {
        return new Experiment(
                "sample",
                "Is the new one better?",
                List.of("Measures both."),
                List.of(trial("", "old"), trial("", "new")),
                List.of(Metric.of("put.perSecond"), Metric.of("put.meanMs"), Metric.of("get.perSecond")),
                List.of(new Experiment.Contrast("new", "old")),
                List.of(Metric.of("put.perSecond"), Metric.of("put.meanMs")),
                List.of(),
                List.of());
    }

    static Trial trial(String load, String variant) {
        return new Trial(load, variant, new Server(Map.of(), "", "", "", "", null), "run --size 1KiB", "", null);
    }

    static Measurement run(String load, String variant, int round, double puts, double meanMs) {
        Map<String, Double> values = new HashMap<>();
        values.put("put.perSecond", puts);
        values.put("put.meanMs", meanMs);
        return new Measurement(load, variant, round, null, values, List.of(), null);
    }

    static Measurement failed(String load, String variant, int round) {
        return Measurement.failed(trial(load, variant), round, "the disk is full");
    }
}
