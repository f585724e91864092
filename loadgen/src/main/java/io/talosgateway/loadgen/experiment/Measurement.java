package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.talosgateway.loadgen.measure.Metric;
import io.talosgateway.loadgen.process.GcLog;
import io.talosgateway.loadgen.report.ResultFolder;
import io.talosgateway.loadgen.report.RunResult;
import org.jspecify.annotations.Nullable;

/**
 * What came of a trial in a round.
 *
 * @param round from 1
 * @param failure why there is nothing else; null if there is
 * @param values by the keys of metrics
 * @param pauses of the gateway's garbage collector while it counted
 * @param client what the client has written of itself, its {@code result.json}; null if it failed
 */
record Measurement(
        String load,
        String variant,
        int round,
        @Nullable String failure,
        Map<String, Double> values,
        List<GcLog.Pause> pauses,
        @Nullable JsonNode client) {

    /** What a client has left in its folder; more values can be added. */
    static Measurement read(Trial trial, int round, Path folder, List<GcLog.Pause> pauses) throws IOException {
        JsonNode client =
                new ObjectMapper().readTree(folder.resolve(ResultFolder.RESULT).toFile());
        return new Measurement(trial.load(), trial.variant(), round, null, Metric.values(client), pauses, client);
    }

    /** What the client has written; nothing if it failed. */
    RunResult result() {
        return new RunResult(client == null ? MissingNode.getInstance() : client);
    }

    /** NaN if it has none. */
    double value(String metric) {
        return values.getOrDefault(metric, Double.NaN);
    }

    /** Why it failed, in a line: what was said last is the reason. */
    String shortFailure() {
        List<String> lines =
                String.valueOf(failure).lines().filter(line -> !line.isBlank()).toList();
        return lines.size() < 2
                ? String.valueOf(failure).trim()
                : "%s ... %s".formatted(lines.get(0), lines.get(lines.size() - 1));
    }

    /** One of which there is nothing, because it failed. */
    static Measurement failed(Trial trial, int round, String reason) {
        return new Measurement(trial.load(), trial.variant(), round, reason, Map.of(), List.of(), null);
    }

    boolean isOf(Trial trial) {
        return load.equals(trial.load()) && variant.equals(trial.variant());
    }
}
