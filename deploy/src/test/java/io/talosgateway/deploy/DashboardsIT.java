package io.talosgateway.deploy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.dashboards.AlertRule;
import io.talosgateway.dashboards.Dashboard;
import io.talosgateway.dashboards.DeployFiles;
import io.talosgateway.dashboards.MetricsDocument;
import io.talosgateway.dashboards.Programs;
import io.talosgateway.dashboards.Queries;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * What dashboards, alert rules and {@code docs/metrics.md} say of metrics is what two gateways on HDFS have while they are used.
 * {@code -Ddashboards.seconds=300}: for how long the load of the test with Prometheus is measured.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class DashboardsIT extends StorageContract {

    private static final long SECONDS = Long.getLong("dashboards.seconds", 20);
    /** In a short run, the rate depends on when Prometheus asks. */
    private static final long COMPARED_SECONDS = 60;

    private static final String[] PACE = {"--put-threads", "8", "--put-rate", "150"};
    private static final String LAG = "talos_consumer_group_lag_messages";
    private static final String ALLOCATED = "jvm_memory_pool_allocated_bytes_total";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private static Path files;

    private TestingServer zooKeeper;
    private Map<String, String> settings;
    private DashboardLoad load;

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        Path auth = Files.writeString(directory.resolve("zookeeper.auth"), "hosts:of the tests");
        zooKeeper = new TestingServer(
                new InstanceSpec(directory.resolve("zookeeper").toFile(), -1, -1, -1, false, 1, 500, 1_000), true);
        settings = new HashMap<>(Map.of(
                "zookeeper.connect", zooKeeper.getConnectString(),
                "zookeeper.auth", "@" + auth,
                "cluster.join-delay", "200ms",
                "consumer-group.lease", "10m",
                "access.file", directory.resolve("access.log").toString(),
                "audit.file", directory.resolve("audit.log").toString(),
                // Nobody is there, which does not matter: spans may be lost, and no client has a token.
                "tracing.otlp-endpoint", "http://127.0.0.1:9",
                "auth.oidc.issuer", "http://127.0.0.1:9/",
                "auth.oidc.audience", "gateway",
                "auth.oidc.jwks", "http://127.0.0.1:9/keys"));
        PemCertificate certificate = PemCertificate.make(directory);
        settings.put("tls.port", "0");
        settings.put("tls.certificate", certificate.certificate().toString());
        settings.put("tls.key", certificate.key().toString());
        settings.put("peer.tls.certificate", certificate.certificate().toString());
        settings.put("peer.tls.private-key", certificate.key().toString());
        settings.put("peer.tls.trusted-certificates", certificate.certificate().toString());
        return TestStorage.hdfs(directory);
    }

    @Override
    Map<String, String> settings() {
        return settings;
    }

    @Override
    List<String> otherHosts() {
        return List.of("gateway-2");
    }

    @AfterAll
    void stopZooKeeper() throws Exception {
        zooKeeper.close();
    }

    @BeforeAll
    void use() throws Exception {
        load = new DashboardLoad(
                gateway().endpoint(), gateway().key(), gateway().directory().resolve("keys.json"), files);
        load.use();
        load.run(3, PACE);
        gateway().collectGarbage();
    }

    private List<GatewayProcess> hosts() {
        return Stream.concat(Stream.of(gateway()), others().stream()).toList();
    }

    private String metrics() throws Exception {
        StringBuilder pages = new StringBuilder();
        for (GatewayProcess host : hosts()) {
            URI page = URI.create("http://127.0.0.1:" + host.opsPort() + "/metrics");
            pages.append(HTTP.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
                    .body());
        }
        return pages.toString();
    }

    /** The lag of groups is found out after it was first asked for, and allocated memory after a collection of garbage. */
    private String allMetrics() throws Exception {
        while (true) {
            String metrics = metrics();
            if (metrics.contains(LAG + "{") && metrics.contains(ALLOCATED + "{")) {
                return metrics;
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    // --- Tests ---

    /** By title of the dashboard or name of the rule. */
    private static Map<String, List<String>> queries() throws Exception {
        Map<String, List<String>> queries = new TreeMap<>();
        for (Dashboard dashboard : Dashboard.readAll()) {
            queries.put(
                    dashboard.title(),
                    dashboard.queries().stream()
                            .map(Dashboard.Query::expression)
                            .toList());
        }
        for (AlertRule rule : AlertRule.readAll()) {
            queries.put(rule.name(), List.of(rule.expression()));
        }
        return queries;
    }

    @Test
    void everyQueryAsksForMetricsAndLabelsThatAreThere() throws Exception {
        List<Queries.Sample> samples = Queries.samples(allMetrics() + "up{job=\"talos-gateway\",} 1\n");
        Map<String, Set<String>> missing = new TreeMap<>();
        queries().forEach((where, expressions) -> {
            Set<String> ofOne = new TreeSet<>();
            expressions.forEach(expression -> ofOne.addAll(Queries.missing(expression, samples)));
            if (!ofOne.isEmpty()) {
                missing.put(where, ofOne);
            }
        });
        assertThat(missing).isEmpty();
    }

    @Test
    void groupIsBehindByWhatItHasNotCommitted() throws Exception {
        allMetrics();
        // A partition that did not answer in time is left out, once.
        while (lag() != 2 * DashboardLoad.PARTITIONS - 1) {
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private double lag() throws Exception {
        double lag = 0;
        for (GatewayProcess host : hosts()) {
            if (host.metric("talos_consumer_groups") > 0) {
                lag += host.metric(LAG, "group=\"workers\"", "topic=\"limited\"");
            }
        }
        return lag;
    }

    private double sum(String name) throws Exception {
        double sum = 0;
        for (GatewayProcess host : hosts()) {
            sum += host.metric(name);
        }
        return sum;
    }

    @Test
    void hostsServeWhatTheyHaveTakenAndNotReleased() throws Exception {
        double taken = sum("talos_partitions_taken_total");

        assertThat(taken).isGreaterThanOrEqualTo(2 * DashboardLoad.PARTITIONS);
        assertThat(sum("talos_partitions_hosted")).isEqualTo(taken - sum("talos_partitions_released_total"));
        assertThat(sum("talos_take_over_seconds_count")).isEqualTo(taken);
        assertThat(sum("talos_controller")).isEqualTo(1);
        assertThat(sum("talos_ready")).isEqualTo(2);
        assertThat(sum("talos_stored_bytes")).isGreaterThanOrEqualTo(sum("talos_journal_committed_bytes_total"));
    }

    @Test
    void metricsAreThoseOfTheDocument() throws Exception {
        String document = MetricsDocument.of(allMetrics());
        Path written = Files.writeString(Path.of("target/metrics.md").toAbsolutePath(), document);
        assertThat(DeployFiles.file("../docs/metrics.md"))
                .as("copy " + written + " to docs/metrics.md")
                .hasContent(document);
    }

    /** None without Prometheus. */
    @TestFactory
    Stream<DynamicTest> everyQueryHasDataAndFiguresAgreeWithThoseOfTheLoadGenerator() {
        return Programs.find("prometheus").stream()
                .map(program -> DynamicTest.dynamicTest(program.toString(), this::askPrometheus));
    }

    private void askPrometheus() throws Exception {
        try (PrometheusProcess prometheus = PrometheusProcess.start(
                files.resolve("prometheus"),
                hosts().stream().map(GatewayProcess::opsPort).toList())) {
            JsonNode result = load.run(SECONDS, PACE);
            PrometheusProcess.Window window = DashboardLoad.window(result);

            assertThat(prometheus.queriesWithoutData(window)).isEmpty();
            assertThat(prometheus.rulesThatFail()).isEmpty();
            PutFigures seen = PutFigures.of(prometheus, window);
            PutFigures sent = PutFigures.of(result);
            System.out.printf("Prometheus: %s%nload generator: %s%n", seen, sent);
            if (SECONDS >= COMPARED_SECONDS) {
                assertThat(seen.perSecond()).isCloseTo(sent.perSecond(), withinPercentage(5));
            }
        }
    }
}
