package io.talosgateway.rest.http.ops;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.atomic.AtomicBoolean;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.bootstrap.TestGateway;

/** A producer and a member of a consumer group that is behind, until it is closed. */
final class ConsoleLoad implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOPIC = "/v1/topics/orders";
    private static final long PAUSE_MS = 40;

    private final TestGateway gateway;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Thread thread = new Thread(this::run, "console-load");

    ConsoleLoad(TestGateway gateway) {
        this.gateway = gateway;
    }

    ConsoleLoad start() throws IOException, InterruptedException {
        put(0);
        String group = TOPIC + "/groups/billing/members";
        String member = JSON.readTree(send("POST", group, "")).get("member").asText();
        for (int poll = 0; poll < 8; poll++) {
            JsonNode polled = JSON.readTree(send("POST", group + "/" + member + "/poll", ""));
            if (polled.has("nextOffset")) {
                send(
                        "POST",
                        group + "/" + member + "/commit",
                        "{\"partition\":%d,\"nextOffset\":%d}"
                                .formatted(
                                        polled.get("partition").asInt(),
                                        polled.get("nextOffset").asLong()));
            }
        }
        thread.start();
        return this;
    }

    private String send(String method, String path, String json) throws IOException, InterruptedException {
        return gateway.send(gateway.request(path)
                        .method(method, BodyPublishers.ofString(json))
                        .header("Content-Type", "application/json")
                        .build())
                .body();
    }

    private void put(int number) throws IOException, InterruptedException {
        String value = "{\\\"order\\\": %d, \\\"state\\\": \\\"paid\\\", \\\"total\\\": %d.50}"
                .formatted(number, 10 + number % 90);
        send(
                "POST",
                "%s/partitions/%d/messages".formatted(TOPIC, number % 8),
                "{\"messages\":[{\"key\":\"order-%d\",\"value\":\"%s\"}]}".formatted(number, value));
        send("GET", "%s/partitions/%d/messages?offset=earliest&max-messages=5".formatted(TOPIC, number % 8), "");
    }

    private void run() {
        for (int number = 1; !ended.get(); number++) {
            try {
                put(number);
                Thread.sleep(PAUSE_MS);
            } catch (IOException | IllegalArgumentException e) {
                // The host is down for a part of the test, and has no port then.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Override
    public void close() {
        ended.set(true);
        thread.interrupt();
    }
}
