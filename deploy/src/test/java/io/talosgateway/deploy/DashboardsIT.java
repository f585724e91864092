package io.talosgateway.deploy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.GroupMember;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Polled;
import io.talosgateway.client.QuotaLimits;
import io.talosgateway.dashboards.AlertRule;
import io.talosgateway.dashboards.Dashboard;
import io.talosgateway.dashboards.DeployFiles;
import io.talosgateway.dashboards.MetricsDocument;
import io.talosgateway.dashboards.Programs;
import io.talosgateway.dashboards.Queries;
import io.talosgateway.rest.auth.AccessKey;
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
import static org.assertj.core.api.Assertions.within;

/**
 * What dashboards, alert rules and {@code docs/metrics.md} say of metrics is what two gateways on HDFS have while they are used.
 * {@code -Ddashboards.seconds=300 -Ddashboards.rate=20 -Ddashboards.size=256KiB}: for how long the load of the test with Prometheus is
 * measured, the puts a second, and their size.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class DashboardsIT extends StorageContract {

    private static final int PARTITIONS = 8;
    private static final long SECONDS = Long.getLong("dashboards.seconds", 20);
    /** In a short run, the rate depends on when Prometheus asks. */
    private static final long COMPARED_SECONDS = 60;

    private static final String RATE = System.getProperty("dashboards.rate", "150");
    private static final String SIZE = System.getProperty("dashboards.size", "1KiB");
    private static final String LAG = "talos_consumer_group_lag_messages";
    private static final String WARM_UP = "5s";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private static Path files;

    private TestingServer zooKeeper;
    private Map<String, String> settings;
    private int runs;

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
                // Nobody is there, which does not matter: no request is recorded, and no client has a token.
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

    // --- Use ---

    @BeforeAll
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void use() throws Exception {
        GatewayClient client = gateway().client().build();
        client.createTopic(new NewTopic("used", PARTITIONS)).get();
        client.createTopic(new NewTopic("limited", PARTITIONS)).get();
        client.setTopicQuota("limited", new QuotaLimits(null, null, 1L << 30, 1_000, null, null, null))
                .get();
        client.setOwnerQuota("tester", new QuotaLimits(null, null, null, null, 100_000, null, null))
                .get();
        useTopics(client);
        assertThat(status("/v1/topics/none")).isEqualTo(404);
        load("used", 3);
    }

    /** Both hosts are asked, and one of them for partitions of both. */
    private void useTopics(GatewayClient client) throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (String topic : List.of("used", "limited")) {
                client.put(topic, partition, List.of(NewMessage.of("1"), NewMessage.of("2")))
                        .get();
            }
            assertThat(status("/v1/topics/used/partitions/" + partition + "/messages?offset=99"))
                    .isEqualTo(416);
        }
        GroupMember member = client.member("limited", "workers");
        Polled polled = member.poll(GetOptions.DEFAULT.withMaxMessages(1)).get();
        member.commit(polled).get();
    }

    private int status(String path) throws Exception {
        AccessKey key = gateway().key();
        String credentials =
                Base64.getEncoder().encodeToString((key.id() + ":" + key.secret()).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway().endpoint() + path))
                .header("Authorization", "Basic " + credentials)
                .build();
        return HTTP.send(request, BodyHandlers.discarding()).statusCode();
    }

    /** Puts and gets for so many seconds after a warm-up; what the load generator has measured. */
    private JsonNode load(String topic, long seconds) throws Exception {
        Path result = files.resolve("load-" + runs + ".json");
        Path output = files.resolve("load-" + runs++ + ".txt");
        Process process = GatewayProcess.run(
                "talos-loadgen",
                output,
                List.of(
                        "run",
                        "--endpoint",
                        gateway().endpoint(),
                        "--key-file",
                        gateway().directory().resolve("keys.json").toString(),
                        "--topic",
                        topic,
                        "--partitions",
                        String.valueOf(PARTITIONS),
                        "--put-threads",
                        "8",
                        "--put-rate",
                        RATE,
                        "--size",
                        SIZE,
                        "--get-threads",
                        "2",
                        "--warmup",
                        WARM_UP,
                        "--duration",
                        seconds + "s",
                        "--json",
                        result.toString()),
                Map.of());
        try {
            assertThat(process.waitFor(seconds + 60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return DeployFiles.json(Files.readString(result));
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

    /** The lag of groups is found out after it was first asked for. */
    private String metricsWithLags() throws Exception {
        while (true) {
            String metrics = metrics();
            if (metrics.contains(LAG + "{")) {
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
        List<Queries.Sample> samples = Queries.samples(metricsWithLags() + "up{job=\"talos-gateway\",} 1\n");
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
        metricsWithLags();
        double lag = 0;
        for (GatewayProcess host : hosts()) {
            if (host.metric("talos_consumer_groups") > 0) {
                lag += host.metric(LAG, "group=\"workers\"", "topic=\"limited\"");
            }
        }
        assertThat(lag).isEqualTo(2 * PARTITIONS - 1);
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

        assertThat(taken).isGreaterThanOrEqualTo(2 * PARTITIONS);
        assertThat(sum("talos_partitions_hosted")).isEqualTo(taken - sum("talos_partitions_released_total"));
        assertThat(sum("talos_take_over_seconds_count")).isEqualTo(taken);
        assertThat(sum("talos_controller")).isEqualTo(1);
        assertThat(sum("talos_ready")).isEqualTo(2);
        assertThat(sum("talos_stored_bytes")).isGreaterThanOrEqualTo(sum("talos_journal_committed_bytes_total"));
    }

    @Test
    void metricsAreThoseOfTheDocument() throws Exception {
        String document = MetricsDocument.of(metricsWithLags());
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
            JsonNode load = load("used", SECONDS);
            PrometheusProcess.Window window = new PrometheusProcess.Window(SECONDS, end(load));

            List<String> without = new ArrayList<>();
            for (Map.Entry<String, List<String>> where : queries().entrySet()) {
                boolean isDashboard = where.getKey().contains("/");
                for (String expression : isDashboard ? where.getValue() : List.<String>of()) {
                    if (!prometheus.hasData(expression, window)) {
                        without.add(where.getKey() + ": " + expression);
                    }
                }
            }
            assertThat(without).isEmpty();
            assertThat(prometheus.rulesThatFail()).isEmpty();
            compare(prometheus, window, load.path("put"));
        }
    }

    /** When the load that was measured ended, in seconds since 1970. */
    private static double end(JsonNode load) {
        return Instant.parse(load.path("startedAt").asText()).toEpochMilli() / 1e3
                + load.path("warmupSeconds").asDouble()
                + load.path("seconds").asDouble();
    }

    /** The load generator measures from the client, so that its latencies have the connection, too. */
    private static void compare(PrometheusProcess prometheus, PrometheusProcess.Window window, JsonNode put)
            throws Exception {
        Dashboard overview = Dashboard.readAll().get(0);
        Map<String, Double> figures = new TreeMap<>();
        for (Dashboard.Query query : overview.queries().stream()
                .filter(one -> one.expression().contains("class=\"put\""))
                .filter(one -> Set.of("mean", "P75", "P99", "P999").contains(one.legend()))
                .toList()) {
            figures.putIfAbsent(query.legend(), prometheus.value(query.expression(), window));
        }
        double qps = prometheus.value(
                "sum(rate(talos_request_seconds_count{class=\"put\",instance=~\"$host\"}[$__rate_interval]))", window);
        System.out.printf(
                "Prometheus: %.1f puts/s, %s s; load generator: %.1f puts/s, mean %.3f, P75 %.3f, P99 %.3f, P999 %.3f"
                        + " ms%n",
                qps,
                figures.entrySet().stream()
                        .map(figure -> figure.getKey() + " " + figure.getValue())
                        .collect(Collectors.joining(", ")),
                put.path("perSecond").asDouble(),
                put.path("meanMs").asDouble(),
                put.path("p75Ms").asDouble(),
                put.path("p99Ms").asDouble(),
                put.path("p999Ms").asDouble());
        double sent = put.path("perSecond").asDouble();
        if (SECONDS >= COMPARED_SECONDS) {
            assertThat(qps).isCloseTo(sent, within(sent * 0.05));
        }
    }
}
