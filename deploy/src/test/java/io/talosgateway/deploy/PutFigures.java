package io.talosgateway.deploy;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.dashboards.Dashboard;

/**
 * How fast puts were.
 *
 * @param latencies in ms, by the legends of the Overview: mean, P75, P99 and P999
 */
record PutFigures(double perSecond, Map<String, Double> latencies) {

    private static final Map<String, String> FIELDS =
            Map.of("mean", "meanMs", "P75", "p75Ms", "P99", "p99Ms", "P999", "p999Ms");

    /** As the load generator, which has the connections in its latencies, too. */
    static PutFigures of(JsonNode result) {
        JsonNode put = result.path("put");
        Map<String, Double> latencies = new TreeMap<>();
        FIELDS.forEach((legend, field) -> latencies.put(legend, put.path(field).asDouble()));
        return new PutFigures(put.path("perSecond").asDouble(), latencies);
    }

    /** As the Overview shows them. */
    static PutFigures of(PrometheusProcess prometheus, PrometheusProcess.Window window) throws Exception {
        Map<String, Double> latencies = new TreeMap<>();
        for (Dashboard.Query query : Dashboard.readAll().get(0).queries()) {
            if (query.expression().contains("class=\"put\"") && FIELDS.containsKey(query.legend())) {
                latencies.putIfAbsent(query.legend(), 1_000 * prometheus.value(query.expression(), window));
            }
        }
        return new PutFigures(
                prometheus.value(
                        "sum(rate(talos_request_seconds_count{class=\"put\",instance=~\"$host\"}[$__rate_interval]))",
                        window),
                latencies);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("%.1f puts/s".formatted(perSecond));
        latencies.forEach((legend, ms) -> text.append(String.format(Locale.ROOT, ", %s %.3f ms", legend, ms)));
        return text.toString();
    }
}
