package io.talosgateway.loadgen;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** Two gateways that keep the messages of one topic in memory, and do not always keep their promises. */
public final class StubCluster implements AutoCloseable {

    /** What it does to every fifth put. */
    public enum Manner {
        /** Refuses it, or says that it does not know, and is right. */
        HONEST,
        LOSES_ACKNOWLEDGED,
        STORES_TWICE,
        CHANGES_ORDER,
        CHANGES_BYTES,
        STORES_REFUSED,
        FORGETS_KEYS,
        ANSWERS_LATE,
        ANSWERS_TO_ANOTHER_REQUEST,
        /** The second gateway leaves out a message. */
        SHOWS_TWO_ORDERS
    }

    private static final int EVERY = 5;
    private static final long LATE_MS = 300;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern MESSAGES = Pattern.compile("/v1/topics/[^/]+/partitions/(\\d+)/messages");

    private final Manner manner;
    private final List<HttpServer> servers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);

    private final Map<Integer, List<byte[]>> partitions = new HashMap<>();
    private final Map<String, Stored> keys = new HashMap<>();
    private boolean topicIsThere;
    private int puts;

    private record Stored(int partition, int firstOffset, int count) {}

    private record Answer(int status, String body) {}

    public StubCluster(Manner manner) throws IOException {
        this.manner = manner;
        for (int number = 0; number < 2; number++) {
            boolean second = number == 1;
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(threads);
            server.createContext("/", exchange -> handle(exchange, second));
            server.start();
            servers.add(server);
        }
    }

    public List<String> endpoints() {
        return servers.stream()
                .map(server -> "http://127.0.0.1:" + server.getAddress().getPort())
                .toList();
    }

    private void handle(HttpExchange exchange, boolean second) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Matcher messages = MESSAGES.matcher(exchange.getRequestURI().getPath());
            Answer answer;
            if (!messages.matches()) {
                answer = topic(exchange.getRequestMethod());
            } else if (exchange.getRequestMethod().equals("POST")) {
                answer = put(exchange, Integer.parseInt(messages.group(1)), body);
            } else {
                answer = get(exchange.getRequestURI().getQuery(), Integer.parseInt(messages.group(1)), second);
            }
            byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Answer topic(String method) {
        boolean wasThere = topicIsThere;
        topicIsThere = method.equals("POST") || (topicIsThere && !method.equals("DELETE"));
        return wasThere || topicIsThere
                ? new Answer(200, StubGateway.topic(1_000).body())
                : problem(404, "topic-not-found", "never");
    }

    public synchronized boolean topicIsThere() {
        return topicIsThere;
    }

    private static Answer problem(int status, String code, String retry) {
        return new Answer(status, """
                {"type":"t","title":"t","status":%d,"detail":"d","code":"%s","retry":"%s"}""".formatted(status, code, retry));
    }

    // --- put ---

    private Answer put(HttpExchange exchange, int partition, byte[] body) throws IOException, InterruptedException {
        boolean json = exchange.getRequestHeaders().getFirst("Content-Type").equals("application/json");
        List<byte[]> messages = new ArrayList<>();
        if (json) {
            for (JsonNode message : JSON.readTree(body).path("messages")) {
                messages.add(
                        Base64.getDecoder().decode(message.path("valueBase64").textValue()));
            }
        } else {
            messages.add(body);
        }
        boolean odd;
        Answer answer;
        synchronized (this) {
            odd = ++puts % EVERY == 0;
            answer = put(exchange.getRequestHeaders().getFirst("Idempotency-Key"), partition, messages, odd);
            notifyAll();
        }
        if (odd && manner == Manner.ANSWERS_LATE) {
            closed.await(LATE_MS, TimeUnit.MILLISECONDS);
        }
        return answer;
    }

    private Answer put(String key, int partition, List<byte[]> messages, boolean odd) {
        Stored before = keys.get(key);
        if (before != null) {
            return stored(before, true);
        }
        if (odd && manner == Manner.HONEST && puts % 2 == 0) {
            return problem(503, "overloaded", "after-backoff");
        }
        if (odd && manner == Manner.HONEST && puts % 3 == 0) {
            return problem(504, "outcome-unknown", "same-key");
        }
        List<byte[]> there = partitions.computeIfAbsent(partition, number -> new ArrayList<>());
        Stored stored = new Stored(partition, there.size(), messages.size());
        boolean lost = odd && manner == Manner.LOSES_ACKNOWLEDGED;
        boolean refused = odd && manner == Manner.STORES_REFUSED;
        if (!refused && manner != Manner.FORGETS_KEYS) {
            keys.put(key, stored);
        }
        if (!lost) {
            there.addAll(messages);
        }
        if (odd) {
            misbehave(there, messages);
        }
        if (odd && manner == Manner.HONEST) {
            return problem(504, "outcome-unknown", "same-key");
        }
        return refused ? problem(503, "overloaded", "after-backoff") : stored(stored, false);
    }

    private void misbehave(List<byte[]> there, List<byte[]> messages) {
        switch (manner) {
            case STORES_TWICE -> there.addAll(messages);
            case CHANGES_ORDER -> there.add(0, there.remove(there.size() - 1));
            case CHANGES_BYTES -> {
                byte[] changed = there.remove(there.size() - 1).clone();
                changed[changed.length - 1] ^= 1;
                there.add(changed);
            }
            default -> {}
        }
    }

    private Answer stored(Stored stored, boolean repeat) {
        boolean other = manner == Manner.ANSWERS_TO_ANOTHER_REQUEST && puts % EVERY == 0;
        return new Answer(200, """
                {"topic":"t","partition":%d,"firstOffset":%d,"count":%d,"durability":"disk","repeat":%s,"appendedAtMs":1}""".formatted(
                        other ? stored.partition + 1 : stored.partition, stored.firstOffset, stored.count, repeat));
    }

    // --- get ---

    private synchronized Answer get(String query, int partition, boolean second) throws InterruptedException {
        Matcher parameters = Pattern.compile("offset=(\\d+)&max-messages=(\\d+).*wait=(\\d+)ms")
                .matcher(query);
        if (!parameters.find()) {
            return problem(400, "malformed-request", "never");
        }
        int from = Integer.parseInt(parameters.group(1));
        int most = Integer.parseInt(parameters.group(2));
        long waitMs = Long.parseLong(parameters.group(3));
        List<byte[]> there = partitions.computeIfAbsent(partition, number -> new ArrayList<>());
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        for (long leftMs = waitMs; there.size() <= from && leftMs > 0; ) {
            wait(leftMs);
            leftMs = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
        }
        ObjectNode answer = JSON.createObjectNode().put("topic", "t").put("partition", partition);
        ArrayNode messages = answer.putArray("messages");
        int end = there.size();
        int offset = from;
        for (; offset < end && offset - from < most; offset++) {
            boolean another = manner == Manner.SHOWS_TWO_ORDERS && second && offset % EVERY == 0 && offset + 1 < end;
            messages.addObject()
                    .put("offset", offset)
                    .put("valueBase64", Base64.getEncoder().encodeToString(there.get(another ? offset + 1 : offset)));
        }
        answer.put("nextOffset", offset).put("logStartOffset", 0).put("logEndOffset", end);
        return new Answer(200, answer.toString());
    }

    @Override
    public void close() {
        closed.countDown();
        servers.forEach(server -> server.stop(0));
        threads.shutdownNow();
    }
}
