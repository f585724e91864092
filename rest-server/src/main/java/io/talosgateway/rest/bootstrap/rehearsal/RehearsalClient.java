package io.talosgateway.rest.bootstrap.rehearsal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.talosgateway.rest.auth.AccessKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one client asks of a rehearsal, on both interfaces. For one thread at a time. Each call blocks. */
public final class RehearsalClient {

    private static final Logger log = LoggerFactory.getLogger(RehearsalClient.class);

    private static final String NAME = "rehearsal";
    private static final String TOPIC = "/v1/topics/" + NAME;
    private static final String JSON = "application/json";
    private static final String BYTES = "application/octet-stream";

    private static final int PARTITIONS = 4;
    /** A get for so many puts. */
    private static final int PUTS_PER_GET = 4;
    /** Messages in JSON, and then a new connection, for so many raw ones, which are what most clients send. */
    private static final int RAW_PUTS = 8;

    private static final byte[] RAW = "raw message ".repeat(85).getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MESSAGES =
            "{\"messages\":[{\"key\":\"k\",\"value\":\"some text\"},{\"value\":\"more\"}]}"
                    .getBytes(StandardCharsets.US_ASCII);

    private final int number;
    private final RehearsalConnection connection;
    private final Map<String, String> authorization;
    private final RehearsalCalls calls;

    /**
     * @param number of the client, from 0
     * @param endpoint of the gateway that is rehearsed, {@code http} or {@code https}, on loopback
     */
    public RehearsalClient(int number, String endpoint, AccessKey key) {
        this.number = number;
        this.connection = new RehearsalConnection(endpoint);
        byte[] pair = (key.id() + ":" + key.secret()).getBytes(StandardCharsets.UTF_8);
        this.authorization =
                Map.of("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
        this.calls = new RehearsalCalls(connection, key);
    }

    /**
     * One of the clients does so before all else.
     *
     * @throws IOException if the gateway refuses, or does not answer
     */
    public void createTopic() throws IOException {
        String body = "{\"name\":\"%s\",\"partitions\":%d}".formatted(NAME, PARTITIONS);
        ask("/v1/topics", JSON, body.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Puts to a partition and gets from it. A request that fails ends it.
     *
     * @param mayGoOn asked before each round of a few requests
     */
    public void putAndGet(BooleanSupplier mayGoOn) {
        int partition = number % PARTITIONS;
        String messages = TOPIC + "/partitions/" + partition + "/messages";
        try {
            calls.findTopic(NAME);
            for (long round = 0; mayGoOn.getAsBoolean(); round++) {
                ask(messages, BYTES, RAW);
                calls.put(partition, "rehearsal" + number + "#" + round);
                if (round % PUTS_PER_GET == 0) {
                    ask(messages + "?offset=" + round + "&max-messages=10", null, null);
                    calls.get(partition, round);
                }
                if (round % RAW_PUTS == 0) {
                    connection.askAndClose(TOPIC + "/messages", JSON, MESSAGES, authorization);
                }
            }
        } catch (IOException e) {
            log.debug("The rehearsal ends early", e);
        }
    }

    private void ask(String path, @Nullable String type, byte @Nullable [] body) throws IOException {
        connection.ask(path, type, body, authorization);
    }
}
