package io.talosgateway.rest.bootstrap.rehearsal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.talosgateway.rest.auth.AccessKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients ask of a rehearsal, on both interfaces. Safe for use by any thread. Each call blocks. */
public final class RehearsalClient {

    private static final Logger log = LoggerFactory.getLogger(RehearsalClient.class);

    private static final String NAME = "rehearsal";
    private static final String TOPIC = "/v1/topics/" + NAME;
    private static final String JSON = "application/json";
    private static final String BYTES = "application/octet-stream";
    /** The first requests are slow, and slower on a busy machine. */
    private static final int TIMEOUT_MS = 4_000;

    private static final int PARTITIONS = 4;
    /** A get for so many puts. */
    private static final int PUTS_PER_GET = 4;
    /** Messages in JSON for so many raw ones, which are what most clients send. */
    private static final int RAW_PUTS = 8;

    private static final byte[] RAW = "raw message ".repeat(85).getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MESSAGES =
            "{\"messages\":[{\"key\":\"k\",\"value\":\"some text\"},{\"value\":\"more\"}]}"
                    .getBytes(StandardCharsets.US_ASCII);

    private final String endpoint;
    private final Map<String, String> authorization;
    private final RehearsalCalls calls;

    /** @param port of the gateway that is rehearsed, on loopback */
    public RehearsalClient(int port, AccessKey key) {
        this.endpoint = "http://127.0.0.1:" + port;
        byte[] pair = (key.id() + ":" + key.secret()).getBytes(StandardCharsets.UTF_8);
        this.authorization =
                Map.of("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
        this.calls = new RehearsalCalls(endpoint, key);
    }

    /**
     * Before all else.
     *
     * @throws IOException if the gateway refuses, or does not answer
     */
    public void createTopic() throws IOException {
        String body = "{\"name\":\"%s\",\"partitions\":%d}".formatted(NAME, PARTITIONS);
        ask("/v1/topics", JSON, body.getBytes(StandardCharsets.US_ASCII));
        calls.findTopic(NAME);
    }

    /**
     * Puts to a partition and gets from it. A request that fails ends it.
     *
     * @param client its number, from 0
     * @param mayGoOn asked before each round of a few requests
     */
    public void putAndGet(int client, BooleanSupplier mayGoOn) {
        int partition = client % PARTITIONS;
        String messages = TOPIC + "/partitions/" + partition + "/messages";
        try {
            for (long number = 0; mayGoOn.getAsBoolean(); number++) {
                ask(messages, BYTES, RAW);
                calls.put(partition, "rehearsal" + client + "#" + number);
                if (number % PUTS_PER_GET == 0) {
                    ask(messages + "?offset=" + number + "&max-messages=10", null, null);
                    calls.get(partition, number);
                }
                if (number % RAW_PUTS == 0) {
                    ask(TOPIC + "/messages", JSON, MESSAGES);
                }
            }
        } catch (IOException e) {
            log.debug("The rehearsal ends early", e);
        }
    }

    private void ask(String path, @Nullable String type, byte @Nullable [] body) throws IOException {
        ask(endpoint + path, type, body, authorization);
    }

    /** Returns the body of the answer. */
    static byte[] ask(String url, @Nullable String type, byte @Nullable [] body, Map<String, String> headers)
            throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        headers.forEach(connection::setRequestProperty);
        if (body != null) {
            connection.setRequestProperty("Content-Type", type);
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
        }
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
        }
    }
}
