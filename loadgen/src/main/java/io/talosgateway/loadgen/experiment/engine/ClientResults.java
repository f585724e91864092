package io.talosgateway.loadgen.experiment.engine;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.measure.Millis;
import io.talosgateway.loadgen.report.ResultFolder;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * The results of all clients of a trial, as one.
 *
 * @param clients their {@code result.json}
 * @param latencies of all of them, in nanoseconds, by {@code put} and {@code get}; only of kinds that there were
 */
record ClientResults(List<JsonNode> clients, Map<String, Histogram> latencies) {

    private static final List<String> KINDS = List.of("put", "get");
    private static final List<String> RATES = List.of("perSecond", "messagesPerSecond", "bytesPerSecond");
    private static final Map<String, Double> PERCENTILES =
            Map.of("p50Ms", 50.0, "p75Ms", 75.0, "p90Ms", 90.0, "p99Ms", 99.0, "p999Ms", 99.9, "maxMs", 100.0);

    /** @param folders one of each client */
    static ClientResults read(List<Path> folders) throws IOException {
        List<JsonNode> clients = new ArrayList<>();
        Map<String, Histogram> latencies = new TreeMap<>();
        for (Path folder : folders) {
            clients.add(new ObjectMapper()
                    .readTree(folder.resolve(ResultFolder.RESULT).toFile()));
            for (String kind : KINDS) {
                Path log = folder.resolve(kind + ".hlog");
                if (Files.exists(log)) {
                    add(latencies.computeIfAbsent(kind, any -> new Histogram(3)), log);
                }
            }
        }
        return new ClientResults(clients, latencies);
    }

    private static void add(Histogram sum, Path log) throws FileNotFoundException {
        try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
            for (EncodableHistogram next = reader.nextIntervalHistogram();
                    next != null;
                    next = reader.nextIntervalHistogram()) {
                if (next instanceof Histogram histogram) {
                    sum.add(histogram);
                }
            }
        }
    }

    /** Rates are added up; latencies are those of all requests; what a client calls {@code values} is taken as it is. */
    void addTo(Map<String, Double> values) {
        double errors = 0;
        for (String kind : KINDS) {
            List<JsonNode> summaries = clients.stream()
                    .map(client -> client.path(kind))
                    .filter(JsonNode::isObject)
                    .toList();
            if (summaries.isEmpty()) {
                continue;
            }
            for (String rate : RATES) {
                values.put(kind + "." + rate, sum(summaries, rate));
            }
            errors += sum(summaries, "errors");
            Histogram latency = latencies.get(kind);
            if (latency != null && latency.getTotalCount() > 0) {
                values.put(kind + ".meanMs", Millis.mean(latency));
                PERCENTILES.forEach(
                        (name, percent) -> values.put(kind + "." + name, Millis.percentile(latency, percent)));
            }
        }
        values.put(Metrics.ERRORS.key(), errors);
        clients.forEach(
                client -> client.path("values").forEachEntry((name, value) -> values.put(name, value.asDouble())));
        addCpu(values);
    }

    /** As each client has measured it of itself, by how many requests it had. */
    private void addCpu(Map<String, Double> values) {
        double micros = 0;
        double requests = 0;
        for (JsonNode client : clients) {
            double of = KINDS.stream()
                    .mapToDouble(kind -> client.path(kind).path("count").asDouble())
                    .sum();
            micros += of * client.path("cpuMicrosPerRequest").asDouble();
            requests += of;
        }
        if (requests > 0) {
            values.put(Metrics.LOAD_CPU.key(), Millis.rounded(micros / requests));
        }
    }

    private static double sum(List<JsonNode> summaries, String field) {
        return summaries.stream()
                .mapToDouble(summary -> summary.path(field).asDouble())
                .sum();
    }
}
