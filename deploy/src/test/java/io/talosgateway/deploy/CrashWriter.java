package io.talosgateway.deploy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.Retry;
import io.talosgateway.client.RetryPolicy;

/** Puts one after another, through kills of the gateway, and keeps the books. */
final class CrashWriter implements Callable<List<CrashPut>> {

    /** How a writer deals with failures. */
    enum Manner {
        /** Puts with an idempotency key, again and again until it is acknowledged. */
        UNTIL_ACKNOWLEDGED,
        /** Puts with an idempotency key a few times, and gives up. */
        FEW_ATTEMPTS,
        /** Puts once, without a key. */
        ONCE
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PUT_TIMEOUT = Duration.ofSeconds(20);

    private final int id;
    private final Manner manner;
    private final CrashRun run;
    private final Random random;
    private final GatewayClient client;
    private final HttpClient rawClient;
    private final List<CrashPut> puts = new ArrayList<>();

    CrashWriter(int id, CrashRun run) {
        this.id = id;
        this.manner = Manner.values()[id % Manner.values().length];
        this.run = run;
        this.random = new Random(run.seed() + id);
        this.client = run.gateway()
                .client()
                .timeout(PUT_TIMEOUT)
                .retries(
                        manner == Manner.FEW_ATTEMPTS
                                ? new RetryPolicy(3, Duration.ofMillis(20), Duration.ofMillis(100))
                                : RetryPolicy.DEFAULT)
                .build();
        this.rawClient = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PUT_TIMEOUT)
                .build();
    }

    @Override
    public List<CrashPut> call() throws Exception {
        while (!run.isEnding()) {
            int count = manner == Manner.ONCE || random.nextBoolean() ? 1 : 1 + random.nextInt(4);
            CrashPut put = new CrashPut(id, puts.size(), random.nextInt(run.partitions()), count);
            puts.add(put);
            switch (manner) {
                case UNTIL_ACKNOWLEDGED -> putUntilAcknowledged(put);
                case FEW_ATTEMPTS -> putWithKey(put);
                case ONCE -> putOnce(put);
            }
            if (put.outcome() == CrashPut.Outcome.ACKNOWLEDGED) {
                run.countAcknowledged(put.count());
            } else {
                run.pauseWhileAway();
            }
        }
        return puts;
    }

    private void putUntilAcknowledged(CrashPut put) throws Exception {
        while (put.outcome() != CrashPut.Outcome.ACKNOWLEDGED) {
            putWithKey(put);
        }
    }

    private void putWithKey(CrashPut put) throws Exception {
        List<NewMessage> messages =
                put.payloads(run.seed()).stream().map(NewMessage::of).toList();
        try {
            put.acknowledged(client.put(run.topic(), put.partition(), messages, put.idempotencyKey())
                    .get(2 * PUT_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .firstOffset());
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof GatewayClientException reason) || reason.retry() == Retry.NEVER) {
                throw e;
            }
        }
    }

    /** With a client of its own, as the gateway's client gives every put a key. */
    private void putOnce(CrashPut put) throws Exception {
        String credentials =
                run.gateway().key().id() + ":" + run.gateway().key().secret();
        HttpRequest request = HttpRequest.newBuilder(URI.create("%s/v1/topics/%s/partitions/%d/messages"
                        .formatted(run.gateway().endpoint(), run.topic(), put.partition())))
                .timeout(PUT_TIMEOUT)
                .header("Content-Type", "application/octet-stream")
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
                .POST(HttpRequest.BodyPublishers.ofByteArray(
                        put.payloads(run.seed()).get(0)))
                .build();
        try {
            HttpResponse<byte[]> response = rawClient.send(request, HttpResponse.BodyHandlers.ofByteArray());
            note(put, response.statusCode(), JSON.readTree(response.body()));
        } catch (ConnectException e) {
            put.refused();
        } catch (IOException e) {
            // The gateway may have stored it, and died before it could say so.
        }
    }

    private static void note(CrashPut put, int status, JsonNode answer) {
        if (status == 200) {
            put.acknowledged(answer.get("firstOffset").longValue());
            return;
        }
        String retry = answer.path("retry").textValue();
        if (retry == null || retry.equals("never")) {
            throw new AssertionError(put + " was answered with " + status + " " + answer);
        }
        if (retry.equals("after-backoff")) {
            put.refused();
        }
    }
}
