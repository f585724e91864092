package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.BooleanSupplier;

import io.talosgateway.rest.auth.AccessKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients ask of a rehearsal: see {@link WarmUp}. Each call blocks. */
final class RehearsalClient {

    private static final Logger log = LoggerFactory.getLogger(RehearsalClient.class);

    private static final String TOPIC = "/v1/topics/rehearsal";
    private static final String JSON = "application/json";
    private static final String BYTES = "application/octet-stream";
    /** The first requests are slow, and slower on a busy machine. */
    private static final int TIMEOUT_MS = 4_000;

    private static final int PARTITIONS = 4;
    /** A message in JSON for so many raw ones, which are what most clients send. */
    private static final int RAW_PUTS = 8;

    private static final byte[] RAW = "raw message ".repeat(85).getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MESSAGES =
            "{\"messages\":[{\"key\":\"k\",\"value\":\"some text\"},{\"value\":\"more\"}]}"
                    .getBytes(StandardCharsets.US_ASCII);

    private final String endpoint;
    private final String authorization;

    RehearsalClient(int port, AccessKey key) {
        this.endpoint = "http://127.0.0.1:" + port;
        byte[] pair = (key.id() + ":" + key.secret()).getBytes(StandardCharsets.UTF_8);
        this.authorization = "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    void createTopic() throws IOException {
        String body = "{\"name\":\"rehearsal\",\"partitions\":%d}".formatted(PARTITIONS);
        ask("/v1/topics", JSON, body.getBytes(StandardCharsets.US_ASCII));
    }

    /** Puts and gets while that is so. A request that fails ends it. */
    void putAndGet(int partition, BooleanSupplier mayGoOn) {
        String messages = TOPIC + "/partitions/" + partition % PARTITIONS + "/messages";
        try {
            for (long number = 0; mayGoOn.getAsBoolean(); number++) {
                ask(messages, BYTES, RAW);
                if (number % RAW_PUTS == 0) {
                    ask(TOPIC + "/messages", JSON, MESSAGES);
                    ask(messages + "?offset=" + number + "&max-messages=10", null, null);
                }
            }
        } catch (IOException e) {
            log.debug("The rehearsal ends early", e);
        }
    }

    private void ask(String path, @Nullable String type, byte @Nullable [] body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(endpoint + path).toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        connection.setRequestProperty("Authorization", authorization);
        if (body != null) {
            connection.setRequestProperty("Content-Type", type);
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
        }
        try (InputStream in = connection.getInputStream()) {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
