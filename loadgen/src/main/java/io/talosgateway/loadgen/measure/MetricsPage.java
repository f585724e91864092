package io.talosgateway.loadgen.measure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** A gateway's metrics at one moment, as its {@code /metrics} shows them. */
public record MetricsPage(List<String> lines) {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    public static MetricsPage parse(String text) {
        return new MetricsPage(
                text.lines().filter(line -> !line.startsWith("#")).toList());
    }

    /**
     * Asks a gateway for it.
     *
     * @param ops address of the operations port, such as {@code http://127.0.0.1:8081}
     */
    public static MetricsPage read(URI ops) throws IOException, InterruptedException {
        return read(
                HttpClient.newHttpClient(),
                HttpRequest.newBuilder(ops.resolve("/metrics")).timeout(TIMEOUT).build());
    }

    /** @throws IOException with a sentence for the user */
    static MetricsPage read(HttpClient client, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response;
        try {
            response = client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            String fault = e.getMessage() == null ? "nothing answers there" : e.getMessage();
            throw new IOException("No metrics at %s: %s".formatted(request.uri(), fault), e);
        }
        if (response.statusCode() != 200) {
            boolean refused = response.statusCode() == 401 || response.statusCode() == 403;
            throw new IOException("No metrics at %s: the answer is %d%s"
                    .formatted(
                            request.uri(),
                            response.statusCode(),
                            refused ? "; name the key of an administrator (--key-file, $TALOS_KEY)" : ""));
        }
        return parse(response.body());
    }

    /**
     * The sum over the series of a metric.
     *
     * @param labels only of series that have these, such as {@code class="put"}
     * @return empty if there is no such series
     */
    public OptionalDouble value(String metric, String... labels) {
        double sum = 0;
        boolean found = false;
        for (String line : lines) {
            if (isOf(metric, line) && List.of(labels).stream().allMatch(line::contains)) {
                sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
                found = true;
            }
        }
        return found ? OptionalDouble.of(sum) : OptionalDouble.empty();
    }

    private static boolean isOf(String metric, String line) {
        return line.startsWith(metric)
                && line.length() > metric.length()
                && (line.charAt(metric.length()) == '{' || line.charAt(metric.length()) == ' ');
    }
}
