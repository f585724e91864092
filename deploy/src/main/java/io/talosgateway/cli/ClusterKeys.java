package io.talosgateway.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.talosgateway.rest.auth.KeyScope;
import io.talosgateway.rest.auth.KeySettings;
import io.talosgateway.rest.auth.NewKey;
import org.jspecify.annotations.Nullable;

/** The keys of a cluster, through the JSON interface of one of its gateways. */
final class ClusterKeys implements Keys {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String KEYS = "/v1/keys";

    private final URI endpoint;
    private final String authorization;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private record Listed(List<Row> keys, @Nullable String next) {}

    ClusterKeys(URI endpoint, String[] key) {
        this.endpoint = endpoint;
        this.authorization = ClientOptions.basic(key);
    }

    @Override
    public String place() {
        return "the cluster of " + endpoint;
    }

    @Override
    public Secret create(NewKey wanted) throws IOException {
        KeyScope scope = wanted.settings().scope();
        ObjectNode body = MAPPER.createObjectNode();
        body.put("owner", wanted.owner());
        body.put("organization", wanted.organization());
        body.put("admin", wanted.admin());
        body.set("permissions", MAPPER.valueToTree(scope.permissionNames()));
        body.set("topics", MAPPER.valueToTree(scope.topics()));
        body.put("expiresAtMs", wanted.settings().expiresAtMs());
        body.put("description", wanted.settings().description());
        return send("POST", KEYS, body, Secret.class);
    }

    @Override
    public List<Row> list() throws IOException {
        List<Row> all = new ArrayList<>();
        Listed page = send("GET", KEYS, null, Listed.class);
        all.addAll(page.keys);
        while (page.next != null) {
            page = send(
                    "GET", KEYS + "?after=" + URLEncoder.encode(page.next, StandardCharsets.UTF_8), null, Listed.class);
            all.addAll(page.keys);
        }
        return all;
    }

    @Override
    public void change(String id, UnaryOperator<KeySettings> change) throws IOException {
        Row now = send("GET", path(id), null, Row.class);
        KeySettings before = new KeySettings(KeyScope.ALL, now.disabled(), now.expiresAtMs(), null);
        KeySettings after = change.apply(before);
        ObjectNode body = MAPPER.createObjectNode();
        // Only the difference: somebody else may change the rest.
        if (after.disabled() != before.disabled()) {
            body.put("disabled", after.disabled());
        }
        if (!Objects.equals(after.expiresAtMs(), before.expiresAtMs())) {
            body.put("expiresAtMs", after.expiresAtMs());
        }
        send("PATCH", path(id), body, JsonNode.class);
    }

    @Override
    public Secret rotate(String id, Duration keepOldFor) throws IOException {
        return send(
                "POST",
                path(id) + "/rotate",
                MAPPER.createObjectNode().put("keepOldForMs", keepOldFor.toMillis()),
                Secret.class);
    }

    @Override
    public void delete(String id) throws IOException {
        send("DELETE", path(id), null, JsonNode.class);
    }

    private static String path(String id) {
        if (!id.matches("[A-Za-z0-9_.-]{1,128}")) {
            throw new CommandFailure("'" + id + "' is not the id of a key");
        }
        return KEYS + "/" + id;
    }

    private <T> T send(String method, String path, @Nullable ObjectNode body, Class<T> type) throws IOException {
        HttpRequest.Builder request;
        try {
            request = HttpRequest.newBuilder(endpoint.resolve(path));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure("'" + endpoint + "' is not an address like http://host:8080", e);
        }
        request.timeout(TIMEOUT)
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
        HttpResponse<String> response;
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted", e);
        } catch (IOException e) {
            throw new CommandFailure(
                    "No gateway answers at %s (%s). Is it running, and is the address right?"
                            .formatted(endpoint, e.getMessage()),
                    e);
        }
        try {
            if (response.statusCode() >= 300) {
                throw new CommandFailure(
                        MAPPER.readTree(response.body()).path("detail").asText("status " + response.statusCode()));
            }
            return MAPPER.readValue(response.body(), type);
        } catch (JsonProcessingException e) {
            throw new CommandFailure("What answers at " + endpoint + " is not a gateway", e);
        }
    }
}
