package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Stored;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Many readers that follow many partitions while these are put to, within the gateway's default limits. */
final class FollowersIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOPIC = "followed";
    private static final int READERS = 64;
    private static final int PARTITIONS = 120;
    private static final int MESSAGES = Integer.getInteger("followers.messages", 4);

    @TempDir
    private Path directory;

    private GatewayProcess gateway;

    /** What is still to be seen by all readers. */
    private final CountDownLatch unseen = new CountDownLatch(READERS * PARTITIONS * MESSAGES);

    private final AtomicInteger emptyAnswers = new AtomicInteger();

    @BeforeEach
    void start() throws Exception {
        gateway = GatewayProcess.start(
                Files.createDirectory(directory.resolve("data")),
                Map.of(
                        // All gets are of one key and one address.
                        "admission.max-percent-per-key",
                        "100",
                        "admission.max-percent-per-address",
                        "100",
                        // Polls are not asked again.
                        "fetch.max-wait",
                        "9m",
                        "topic.owner-wait",
                        "60s",
                        "cluster.move-wait",
                        "60s",
                        "zookeeper.session-timeout",
                        "60s"));
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
    }

    @Test
    void everyReaderSeesEveryMessageOnceAndInOrder() throws Exception {
        GatewayClient client = gateway.client().build();
        client.createTopic(new NewTopic(TOPIC, PARTITIONS)).get();
        try (LongPolls polls = new LongPolls(gateway, TOPIC, PARTITIONS, this::answered)) {
            for (int reader = 0; reader < READERS; reader++) {
                polls.addReader(reader);
            }
            awaitAllWaiting(polls);
            assertThat(gateway.metric("talos_bytes_in_flight"))
                    .as("bytes that waiting gets hold")
                    .isZero();

            putAll(client);
            while (!unseen.await(20, TimeUnit.MILLISECONDS)) {
                failIfFailed(polls);
            }

            // Nothing follows: a message that came twice would be an answer to one of these.
            awaitAllWaiting(polls);
            failIfFailed(polls);
            assertThat(polls.answers()).isBetween(READERS * PARTITIONS, READERS * PARTITIONS * MESSAGES);
        }
        assertThat(emptyAnswers).as("polls that slept through a message").hasValue(0);
    }

    /** All polls wait, so that the next message is brought to all. */
    private void awaitAllWaiting(LongPolls polls) throws Exception {
        while (gateway.metric("talos_gets_waiting") < READERS * PARTITIONS) {
            failIfFailed(polls);
            gateway.runFor(Duration.ofMillis(20));
        }
    }

    private static void failIfFailed(LongPolls polls) throws Exception {
        if (polls.failure().isDone()) {
            polls.failure().get();
        }
    }

    private long answered(int reader, int partition, long offset, byte[] body) throws IOException {
        long next = offset;
        for (JsonNode message : JSON.readTree(body).get("messages")) {
            String where = "reader %d, partition %d, offset %d".formatted(reader, partition, next);
            assertThat(message.get("offset").longValue()).as(where).isEqualTo(next);
            assertThat(message.get("value").textValue()).as(where).isEqualTo(text(partition, next));
            next++;
            unseen.countDown();
        }
        if (next == offset) {
            emptyAnswers.incrementAndGet();
        }
        return next;
    }

    private static void putAll(GatewayClient client) throws Exception {
        CompletableFuture<?>[] writers = new CompletableFuture<?>[PARTITIONS];
        for (int partition = 0; partition < PARTITIONS; partition++) {
            writers[partition] = putFrom(client, partition, 0);
        }
        CompletableFuture.allOf(writers).get();
    }

    /** Puts the next message when the one before is acknowledged: one writer for each partition. */
    private static CompletableFuture<Stored> putFrom(GatewayClient client, int partition, int number) {
        CompletableFuture<Stored> put = client.put(TOPIC, partition, List.of(NewMessage.of(text(partition, number))));
        return number + 1 == MESSAGES ? put : put.thenCompose(stored -> putFrom(client, partition, number + 1));
    }

    private static String text(int partition, long number) {
        return "message " + number + " of partition " + partition;
    }
}
