package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway in this process, on ports of the system's choosing, with an admin key. */
public final class TestGateway implements AutoCloseable {

    /** Limits that a slow machine keeps, too; tests of a limit set their own. */
    private static final Map<String, String> PATIENT = Map.of(
            "http.request-timeout", "2m",
            "zookeeper.session-timeout", "60s",
            "forward.connect-timeout", "60s",
            "peer.handshake-timeout", "60s");

    private final Path directory;
    private final Map<String, String> settings = new HashMap<>();
    private final AccessKey key;
    private final HttpClient client = HttpClient.newHttpClient();
    private final JettyContractWatcher watcher = new JettyContractWatcher();
    private Gateway gateway;

    private TestGateway(Path directory, Map<String, String> settings, @Nullable AccessKey known) throws IOException {
        this.directory = directory;
        this.settings.put("data.directory", directory.toString());
        this.settings.put("http.port", "0");
        this.settings.put("ops.port", "0");
        this.settings.put("peer.port", "0");
        this.settings.putAll(PATIENT);
        this.settings.putAll(settings);
        this.key = known == null
                ? KeyFile.create(directory.resolve("keys.json"), "tester", true, InstantSource.system())
                : known;
        this.gateway = Gateway.start(GatewayConfig.of(this.settings), watcher::watch);
    }

    public static TestGateway start(Path directory, Map<String, String> settings) throws IOException {
        return new TestGateway(directory, settings, null);
    }

    /** One of several that have the same keys: {@code auth.key-file} names them. */
    public static TestGateway start(Path directory, Map<String, String> settings, AccessKey key) throws IOException {
        return new TestGateway(directory, settings, key);
    }

    public static TestGateway start(Path directory) throws IOException {
        return start(directory, Map.of());
    }

    /** Stops it properly and starts it again. */
    public void restart() throws IOException {
        gateway.close();
        startAgain();
    }

    /** Stops it properly; {@link #startAgain} or {@link #close} follows. */
    public void stop() {
        gateway.close();
    }

    public void startAgain() throws IOException {
        gateway = Gateway.start(GatewayConfig.of(settings), watcher::watch);
    }

    public AccessKey key() {
        return key;
    }

    public AccessKey addKey(String owner, boolean admin) throws IOException {
        return KeyFile.create(directory.resolve("keys.json"), owner, admin, InstantSource.system());
    }

    /** A key of a principal that belongs to an organization. */
    public AccessKey addKey(String owner, @Nullable String organization, boolean admin) throws IOException {
        return writeKey(directory.resolve("keys.json"), owner, organization, admin);
    }

    /** Writes a key to a file as an operator would, who knows the format; keys that are there stay. */
    public static AccessKey writeKey(Path file, String owner, @Nullable String organization, boolean admin)
            throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode document = Files.exists(file)
                ? (ObjectNode) json.readTree(file.toFile())
                : json.createObjectNode().set("keys", json.createArrayNode());
        String id = "TG" + owner + ((ArrayNode) document.get("keys")).size();
        document.withArray("keys")
                .addObject()
                .put("id", id)
                .put("secret", "secret-of-" + id)
                .put("owner", owner)
                .put("organization", organization)
                .put("admin", admin)
                .put("createdAtMs", 1_000L);
        Files.writeString(file, json.writeValueAsString(document));
        return KeyFile.read(file).stream()
                .filter(key -> key.id().equals(id))
                .findAny()
                .orElseThrow();
    }

    /** Grants a principal permissions on a topic, as the admin key. */
    public void grant(String topic, String principal, String... permissions) throws IOException, InterruptedException {
        String names = Arrays.stream(permissions).map(name -> '"' + name + '"').collect(Collectors.joining(","));
        HttpResponse<String> answer = send(request("/v1/topics/" + topic + "/permissions/" + principal)
                .PUT(HttpRequest.BodyPublishers.ofString("{\"permissions\":[" + names + "]}"))
                .build());
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
    }

    public int port() {
        return gateway.port();
    }

    public int tlsPort() {
        return gateway.tlsPort();
    }

    public int opsPort() {
        return gateway.opsPort();
    }

    public String endpoint() {
        return "http://127.0.0.1:" + gateway.port();
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(endpoint() + path)).header("Authorization", basic(key));
    }

    public static String basic(AccessKey key) {
        String credentials = key.id() + ":" + key.secret();
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    public CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a request; as JSON, if it has a body of no other type. */
    public HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        boolean untyped = request.bodyPublisher().isPresent()
                && request.headers().firstValue("Content-Type").isEmpty();
        HttpRequest typed = untyped
                ? HttpRequest.newBuilder(request, (name, value) -> true)
                        .header("Content-Type", "application/json")
                        .build()
                : request;
        return client.send(typed, HttpResponse.BodyHandlers.ofString());
    }

    public HttpClient client() {
        return client;
    }

    public HttpResponse<String> ops(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.opsPort() + path))
                .build());
    }

    /** The sum of the values of metrics, each of a family that is there; one without these labels counts as 0. */
    public double metric(String... namesAndLabels) throws IOException, InterruptedException {
        List<String> lines = ops("/metrics").body().lines().toList();
        for (String name : namesAndLabels) {
            String family = name.replaceAll("(_count|_sum|_bucket)?(\\{.*)?$", "");
            assertThat(lines)
                    .as("metrics of the family %s", family)
                    .anyMatch(line -> line.startsWith("# TYPE " + family + " "));
        }
        return lines.stream()
                .filter(line -> Stream.of(namesAndLabels).anyMatch(name -> line.startsWith(name + " ")))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** The number of its incarnation. */
    long incarnation() {
        return gateway.incarnation();
    }

    /** What the handler for clients says of itself. */
    InvocationType invocationType() {
        return watcher.invocationType();
    }

    /** Stops it, and fails if it broke Jetty's rules. */
    @Override
    public void close() {
        gateway.close();
        watcher.assertNoViolations();
    }
}
