package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.report.ResultFolder;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * What a client has left in its folder.
 *
 * @param json its {@code result.json}
 * @param latencies in nanoseconds, by {@code put} and {@code get}; only of kinds that there were
 */
record ClientResult(JsonNode json, Map<String, Histogram> latencies) {

    static final List<String> KINDS = List.of("put", "get");
    /** Fields of {@code put} and {@code get} that are no measures: errors are counted together, as the metric of that name. */
    private static final String ERRORS = "errors";

    static ClientResult read(Path folder) throws IOException {
        Map<String, Histogram> latencies = new TreeMap<>();
        for (String kind : KINDS) {
            Path log = folder.resolve(kind + ".hlog");
            if (Files.exists(log)) {
                latencies.put(kind, sum(log));
            }
        }
        return new ClientResult(
                new ObjectMapper().readTree(folder.resolve(ResultFolder.RESULT).toFile()), latencies);
    }

    private static Histogram sum(Path log) throws IOException {
        Histogram sum = new Histogram(3);
        try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
            for (EncodableHistogram next = reader.nextIntervalHistogram();
                    next != null;
                    next = reader.nextIntervalHistogram()) {
                if (next instanceof Histogram histogram) {
                    sum.add(histogram);
                }
            }
        }
        return sum;
    }

    /** By the keys of metrics; what the client calls {@code values} is taken as it is. */
    Map<String, Double> values() {
        Map<String, Double> values = new TreeMap<>();
        double errors = 0;
        for (String kind : KINDS) {
            long count = json.path(kind).path("count").asLong();
            json.path(kind).forEachEntry((name, value) -> {
                boolean known = count > 0 || !name.endsWith("Ms");
                if (value.isNumber() && known && !name.equals(ERRORS)) {
                    values.put(kind + "." + name, value.asDouble());
                }
            });
            errors += json.path(kind).path(ERRORS).asDouble();
        }
        values.put(ERRORS, errors);
        if (json.has("cpuMicrosPerRequest")) {
            values.put("load.cpuMicros", json.path("cpuMicrosPerRequest").asDouble());
        }
        json.path("values").forEachEntry((name, value) -> values.put(name, value.asDouble()));
        return values;
    }
}
