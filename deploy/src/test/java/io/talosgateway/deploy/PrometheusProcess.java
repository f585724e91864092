package io.talosgateway.deploy;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.dashboards.Dashboard;
import io.talosgateway.dashboards.DeployFiles;
import io.talosgateway.dashboards.Programs;

import static org.assertj.core.api.Assertions.assertThat;

/** A Prometheus on loopback that asks gateways every second, with the alert rules. */
final class PrometheusProcess implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final HeldPort port;
    private final String endpoint;

    private PrometheusProcess(Process process, HeldPort port) {
        this.process = process;
        this.port = port;
        this.endpoint = "http://127.0.0.1:" + port.number();
    }

    /** Returns when it answers. */
    static PrometheusProcess start(Path directory, List<Integer> opsPorts) throws Exception {
        Files.createDirectories(directory);
        Path configuration = Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: talos-gateway
                    static_configs: [{targets: [%s]}]
                """.formatted(
                        DeployFiles.file("prometheus/rules/talos-gateway.yml"),
                        String.join(
                                ", ",
                                opsPorts.stream()
                                        .map(port -> "\"127.0.0.1:" + port + "\"")
                                        .toList())));
        HeldPort port = new HeldPort();
        Path output = directory.resolve("prometheus.log");
        Process process = new ProcessBuilder(List.of(
                        Programs.find("prometheus").orElseThrow().toString(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port.number()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        PrometheusProcess prometheus = new PrometheusProcess(process, port);
        try {
            prometheus.awaitReady(output);
            return prometheus;
        } catch (Exception | AssertionError e) {
            prometheus.close();
            throw e;
        }
    }

    private void awaitReady(Path output) throws Exception {
        while (true) {
            assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
            try {
                if (HTTP.send(request("/-/ready"), BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException e) {
                // It does not listen yet.
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(endpoint + path)).build();
    }

    private JsonNode get(String path) throws Exception {
        String body = HTTP.send(request(path), BodyHandlers.ofString()).body();
        JsonNode answer = DeployFiles.json(body);
        assertThat(answer.path("status").asText()).as(body).isEqualTo("success");
        return answer.path("data");
    }

    /**
     * When, and over which time before, panels show rates.
     *
     * @param end seconds since 1970
     */
    record Window(long seconds, double end) {}

    private JsonNode query(String expression, Window window) throws Exception {
        String asked =
                expression.replace("$__rate_interval", window.seconds + "s").replace("$host", ".*");
        return get("/api/v1/query?query=" + URLEncoder.encode(asked, StandardCharsets.UTF_8)
                        + "&time=%.3f".formatted(window.end))
                .path("result");
    }

    /** Of all dashboards; empty if each has something to show. */
    List<String> queriesWithoutData(Window window) throws Exception {
        List<String> without = new ArrayList<>();
        for (Dashboard dashboard : Dashboard.readAll()) {
            for (Dashboard.Query query : dashboard.queries()) {
                if (query(query.expression(), window).isEmpty()) {
                    without.add(dashboard.title() + ": " + query.expression());
                }
            }
        }
        return without;
    }

    /** What a panel shows of the time of a window: series, each with its labels ({@code metric}) and {@code values}. */
    JsonNode range(String expression, Window window) throws Exception {
        String asked = expression.replace("$__rate_interval", "15s").replace("$host", ".*");
        return get("/api/v1/query_range?query=%s&start=%.3f&end=%.3f&step=%.3f"
                        .formatted(
                                URLEncoder.encode(asked, StandardCharsets.UTF_8),
                                window.end - window.seconds,
                                window.end,
                                window.seconds / 150.0))
                .path("result");
    }

    double value(String expression, Window window) throws Exception {
        JsonNode result = query(expression, window);
        assertThat(result).as(expression).hasSize(1);
        return Double.parseDouble(result.get(0).path("value").get(1).asText());
    }

    /** Rules that could not be evaluated, and why. */
    List<String> rulesThatFail() throws Exception {
        List<String> failed = new ArrayList<>();
        for (JsonNode group : get("/api/v1/rules").path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                if (!rule.path("health").asText().equals("ok")) {
                    failed.add(rule.path("name").asText() + ": "
                            + rule.path("lastError").asText());
                }
            }
        }
        return failed;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        port.close();
    }
}
