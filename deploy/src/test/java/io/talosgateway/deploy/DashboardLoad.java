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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.GroupMember;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Polled;
import io.talosgateway.client.QuotaLimits;
import io.talosgateway.dashboards.DeployFiles;
import io.talosgateway.rest.auth.AccessKey;

import static org.assertj.core.api.Assertions.assertThat;

/** Uses gateways in all the ways that dashboards show. For one thread. */
final class DashboardLoad {

    static final int PARTITIONS = 8;

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String WARM_UP = "5s";
    private static final String SIZE = System.getProperty("dashboards.size", "1KiB");

    private final String endpoint;
    private final AccessKey key;
    private final Path keyFile;
    private final Path directory;
    private int runs;

    /** @param directory for results */
    DashboardLoad(String endpoint, AccessKey key, Path keyFile, Path directory) {
        this.endpoint = endpoint;
        this.key = key;
        this.keyFile = keyFile;
        this.directory = directory;
    }

    /** Topics, quotas, a consumer group that is behind, refusals. Partitions of all hosts are asked for at one. */
    void use() throws Exception {
        GatewayClient client = GatewayClient.builder(URI.create(endpoint))
                .key(key.id(), key.secret())
                .build();
        client.createTopic(new NewTopic("used", PARTITIONS)).get();
        client.createTopic(new NewTopic("limited", PARTITIONS)).get();
        client.setTopicQuota("limited", new QuotaLimits(null, null, 1L << 30, 1_000, null, null, null))
                .get();
        client.setOwnerQuota(key.owner(), new QuotaLimits(null, null, null, null, 100_000, null, null))
                .get();
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
        assertThat(status("/v1/topics/none")).isEqualTo(404);
    }

    private int status(String path) throws Exception {
        String credentials =
                Base64.getEncoder().encodeToString((key.id() + ":" + key.secret()).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint + path))
                .header("Authorization", "Basic " + credentials)
                .build();
        return HTTP.send(request, BodyHandlers.discarding()).statusCode();
    }

    /**
     * Puts and gets for so many seconds after a warm-up.
     *
     * @param pace options that say how puts are sent
     * @return what the load generator has measured
     */
    JsonNode run(long seconds, String... pace) throws Exception {
        Path result = directory.resolve("load-" + runs + ".json");
        Path output = directory.resolve("load-" + runs++ + ".txt");
        List<String> words = new ArrayList<>(List.of(
                "run",
                "--endpoint",
                endpoint,
                "--key-file",
                keyFile.toString(),
                "--topic",
                "used",
                "--partitions",
                String.valueOf(PARTITIONS),
                "--size",
                SIZE,
                "--get-threads",
                "2",
                "--warmup",
                WARM_UP,
                "--duration",
                seconds + "s",
                "--json",
                result.toString()));
        words.addAll(List.of(pace));
        Process process = GatewayProcess.run("talos-loadgen", output, words, Map.of());
        try {
            assertThat(process.waitFor(seconds + 480, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return DeployFiles.json(Files.readString(result));
    }

    /** The time that a result is about. */
    static PrometheusProcess.Window window(JsonNode result) {
        double seconds = result.path("seconds").asDouble();
        double end = Instant.parse(result.path("startedAt").asText()).toEpochMilli() / 1e3
                + result.path("warmupSeconds").asDouble()
                + seconds;
        return new PrometheusProcess.Window(Math.round(seconds), end);
    }
}
