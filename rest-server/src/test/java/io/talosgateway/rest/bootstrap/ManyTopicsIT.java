package io.talosgateway.rest.bootstrap;

import java.lang.management.ManagementFactory;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * As many topics and partitions as the default settings allow, over HTTP on the embedded ZooKeeper: created, there after a restart,
 * listed page by page, deleted. Prints what {@code docs/limits.md} says. {@code -Dmany.divisor=10} takes a tenth.
 */
@Tag("by-hand")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class ManyTopicsIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int AT_ONCE = 64;

    @TempDir
    Path directory;

    private TestGateway gateway;

    private void atOnce(int count, int expected, IntFunction<HttpRequest> request) throws Exception {
        Semaphore slots = new Semaphore(AT_ONCE);
        AtomicReference<Object> wrong = new AtomicReference<>();
        List<CompletableFuture<?>> pending = new ArrayList<>();
        for (int number = 0; number < count && wrong.get() == null; number++) {
            slots.acquire();
            pending.add(gateway.client()
                    .sendAsync(request.apply(number), HttpResponse.BodyHandlers.ofString())
                    .whenComplete((answer, failure) -> {
                        slots.release();
                        if (failure != null || answer.statusCode() != expected) {
                            wrong.compareAndSet(null, failure == null ? answer.statusCode() + answer.body() : failure);
                        }
                    }));
            if (pending.size() == 1_000) {
                CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new))
                        .exceptionally(failure -> null)
                        .join();
                pending.clear();
            }
        }
        CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null)
                .join();
        assertThat(wrong.get()).isNull();
    }

    private static String name(int number) {
        return "many-" + number;
    }

    private int listed() throws Exception {
        int count = 0;
        String after = "";
        while (true) {
            JsonNode page = JSON.readTree(gateway.send(
                            gateway.request("/v1/topics?limit=1000" + after).build())
                    .body());
            count += page.get("topics").size();
            if (page.get("next") == null || page.get("next").isNull()) {
                return count;
            }
            after = "&after=" + page.get("next").asText();
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void timed(String what, Step step) throws Exception {
        long beganNanos = System.nanoTime();
        step.run();
        System.out.printf(
                "%s: %d ms, heap %d MiB%n",
                what, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos), heapMiB());
    }

    private static long heapMiB() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }

    @ParameterizedTest
    @CsvSource({"100000, 1", "1000, 256"})
    void topicsAreCreatedFoundAfterARestartListedAndDeleted(int atFull, int partitions) throws Exception {
        int topics = atFull / Integer.getInteger("many.divisor", 1);
        System.out.printf("%d topics of %d partitions%n", topics, partitions);
        try (TestGateway started = TestGateway.start(
                directory,
                Map.of(
                        "http.request-timeout",
                        "120s",
                        "topic.max-topics",
                        "100100",
                        "topic.max-topics-per-owner",
                        "100000",
                        "topic.max-partitions-per-owner",
                        "300000"))) {
            gateway = started;
            timed(
                    "create",
                    () -> atOnce(
                            topics,
                            201,
                            number -> gateway.request("/v1/topics")
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString(
                                            "{\"name\":\"%s\",\"partitions\":%d}".formatted(name(number), partitions)))
                                    .build()));
            timed("create one more, and delete it", () -> {
                atOnce(
                        1,
                        201,
                        number -> gateway.request("/v1/topics")
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"last\",\"partitions\":1}"))
                                .build());
                atOnce(
                        1,
                        200,
                        number -> gateway.request("/v1/topics/last").DELETE().build());
            });
            timed("restart", gateway::restart);
            // A gateway is ready after a minute, whatever is left to be taken over.
            timed(
                    "take over what is left",
                    () -> Await.until(() -> gateway.metric("talos_partitions_hosted") >= (double) topics * partitions));
            timed("list", () -> assertThat(listed()).isEqualTo(topics));
            timed(
                    "delete",
                    () -> atOnce(
                            topics,
                            200,
                            number -> gateway.request("/v1/topics/" + name(number))
                                    .DELETE()
                                    .build()));
            assertThat(gateway.metric("talos_partitions_hosted")).isZero();
            assertThat(listed()).isZero();
        }
    }
}
