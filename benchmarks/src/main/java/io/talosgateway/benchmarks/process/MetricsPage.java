package io.talosgateway.benchmarks.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/** A gateway's metrics at one moment, in the Prometheus text format. */
public record MetricsPage(List<String> lines) {

    public static MetricsPage parse(String text) {
        return new MetricsPage(
                text.lines().filter(line -> !line.startsWith("#")).toList());
    }

    /** @param operations the operations port, such as {@code http://127.0.0.1:8081} */
    public static MetricsPage read(String operations) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(operations + "/metrics"))
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(request.uri() + " answers " + response.statusCode());
        }
        return parse(response.body());
    }

    /**
     * The sum over the series of a metric.
     *
     * @param labels only of series that have these, such as {@code class="put"}
     * @throws IllegalArgumentException if there is no such series
     */
    public double value(String metric, String... labels) {
        List<String> series = lines.stream()
                .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
                .filter(line -> List.of(labels).stream().allMatch(line::contains))
                .toList();
        if (series.isEmpty()) {
            throw new IllegalArgumentException("the gateway has no metric " + metric + " " + List.of(labels));
        }
        return series.stream()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
