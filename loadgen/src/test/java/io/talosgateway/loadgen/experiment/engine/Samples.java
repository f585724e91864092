package io.talosgateway.loadgen.experiment.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Trials and measurements for tests. */
final class Samples {

    private Samples() {}

    static Trial trial(String load, String variant) {
        return Trial.of(load, variant, new GatewayServer(Map.of()), List.of(TrialClient.run("--size", "1KiB")));
    }

    static Measurement run(String load, String variant, int round, double puts, double meanMs) {
        Map<String, Double> values = new HashMap<>();
        values.put(Metrics.PUTS.key(), puts);
        values.put(Metrics.PUT_MEAN.key(), meanMs);
        return new Measurement(load, variant, round, null, values, Map.of(), List.of(), List.of());
    }

    static Measurement failed(String load, String variant, int round) {
        return Measurement.failed(trial(load, variant), round, "the disk is full");
    }
}
