package io.talosgateway.loadgen.measure;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.loadgen.cli.YamlFile;

/**
 * Something that runs are compared by; {@code experiments/metrics.yaml} in the jar has all of them.
 *
 * @param key in {@code result.json} of experiments
 * @param title of a column, or of a row
 */
public record Metric(String key, String title, Better better) {

    /** Which of two values is the better one. */
    public enum Better {
        MORE,
        LESS,
        NEITHER;

        /** Whether the first of two is better, by their ratio. */
        public boolean holds(double ratio) {
            return this == MORE ? ratio > 1 : this == LESS && ratio < 1;
        }
    }

    private record Definition(String title, Better better) {}

    private static final Map<String, Definition> DEFINITIONS =
            YamlFile.MAPPER.convertValue(YamlFile.read("metrics"), new TypeReference<>() {});

    private static final String ERRORS = "errors";

    /** All of them, in the order of the file. */
    public static List<Metric> all() {
        return DEFINITIONS.keySet().stream().map(Metric::of).toList();
    }

    /** @throws IllegalArgumentException if there is none with that key */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Metric of(String key) {
        Definition definition = DEFINITIONS.get(key);
        if (definition == null) {
            throw new IllegalArgumentException("there is no metric '%s'".formatted(key));
        }
        return new Metric(key, definition.title, definition.better);
    }

    /**
     * What a run has measured, by the keys of metrics, and more. Of what the gateway has said of itself, these are the means over the
     * seconds.
     *
     * @param result the run's {@code result.json}
     */
    public static Map<String, Double> values(JsonNode result) {
        Map<String, Double> values = new TreeMap<>();
        double errors = 0;
        for (Kind kind : Kind.values()) {
            JsonNode total = result.path(kind.text());
            boolean timed = total.path("count").asLong() > 0;
            total.forEachEntry((name, value) -> {
                if (value.isNumber() && (timed || !name.endsWith("Ms"))) {
                    values.put(kind.text() + "." + name, value.asDouble());
                }
            });
            errors += total.path(ERRORS).asDouble();
        }
        values.put(ERRORS, errors);
        if (result.has("cpuMicrosPerRequest")) {
            values.put("load.cpuMicros", result.path("cpuMicrosPerRequest").asDouble());
        }
        Map<String, DoubleSummaryStatistics> server = new TreeMap<>();
        for (JsonNode second : result.path("server")) {
            second.forEachEntry((name, value) -> {
                if (value.isNumber()) {
                    server.computeIfAbsent(name, any -> new DoubleSummaryStatistics())
                            .accept(value.asDouble());
                }
            });
        }
        server.forEach((name, seconds) -> values.put("gateway." + name, seconds.getAverage()));
        return values;
    }
}
