package io.talosgateway.verifier;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
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
import io.talosgateway.loadgen.StubGateway;
import io.talosgateway.loadgen.http.Endpoint;

/** Two gateways that keep the messages of topics in memory, and do not always keep their promises. */
public final class StubCluster implements AutoCloseable {

    /** What it does to every fifth put, or always. */
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
        SHOWS_TWO_ORDERS,
        /** The second gateway does not know of the last message. */
        SHOWS_STALE_END,
        /** To the second gateway, the first message has expired. */
        SHOWS_TWO_STARTS,
        /** A topic that is made again has its old messages. */
        KEEPS_DELETED
    }

    private static final int EVERY = 5;
    private static final long LATE_MS = 300;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern MESSAGES = Pattern.compile("/v1/topics/([^/]+)/partitions/(\\d+)(/messages)?");

    private final Manner manner;
    private final List<HttpServer> servers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** By topic and number. */
    private final Map<String, List<byte[]>> partitions = new HashMap<>();

    /** Names to ids. */
    private final Map<String, String> topics = new HashMap<>();

    private final Map<String, Stored> keys = new HashMap<>();
    private int ids;
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

    /** A cluster of which only names are used. */
    static VerifiedCluster named(List<String> gateways) {
        Endpoint nowhere = new Endpoint(URI.create("http://127.0.0.1:1"));
        return new VerifiedCluster(
                null,
                true,
                gateways.stream()
                        .map(name -> new VerifiedCluster.Gateway(name, nowhere, null))
                        .toList(),
                List.of("datanode-1"),
                null);
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
                answer = topic(
                        exchange.getRequestMethod(), exchange.getRequestURI().getPath(), body);
            } else if (exchange.getRequestMethod().equals("POST")) {
                answer = put(exchange, messages.group(1), Integer.parseInt(messages.group(2)), body);
            } else {
                String query = exchange.getRequestURI().getQuery();
                answer = get(query == null ? "" : query, messages.group(1) + "/" + messages.group(2), second);
            }
            byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Answer topic(String method, String path, byte[] body) throws IOException {
        String name = method.equals("POST")
                ? JSON.readTree(body).path("name").textValue()
                : path.substring(path.lastIndexOf('/') + 1);
        if (method.equals("POST")) {
            topics.putIfAbsent(name, "id-" + ids++);
        }
        String id = method.equals("DELETE") ? topics.remove(name) : topics.get(name);
        if (method.equals("DELETE") && manner != Manner.KEEPS_DELETED) {
            partitions.keySet().removeIf(partition -> partition.startsWith(name + "/"));
        }
        return id == null
                ? problem(404, "topic-not-found", "never")
                : new Answer(
                        200,
                        StubGateway.topic(1_000)
                                .body()
                                .replaceFirst("\"resourceName\":\"[^\"]*", "\"resourceName\":\"" + id));
    }

    public synchronized boolean topicIsThere() {
        return !topics.isEmpty();
    }

    private static Answer problem(int status, String code, String retry) {
        return new Answer(status, """
                {"type":"t","title":"t","status":%d,"detail":"d","code":"%s","retry":"%s"}""".formatted(status, code, retry));
    }

    // --- put ---

    private Answer put(HttpExchange exchange, String topic, int partition, byte[] body)
            throws IOException, InterruptedException {
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
            answer = topics.containsKey(topic)
                    ? put(exchange.getRequestHeaders().getFirst("Idempotency-Key"), topic, partition, messages, odd)
                    : problem(404, "topic-not-found", "never");
            notifyAll();
        }
        if (odd && manner == Manner.ANSWERS_LATE) {
            closed.await(LATE_MS, TimeUnit.MILLISECONDS);
        }
        return answer;
    }

    private Answer put(String key, String topic, int partition, List<byte[]> messages, boolean odd) {
        Stored before = key == null ? null : keys.get(key);
        if (before != null) {
            return stored(before, true);
        }
        if (odd && manner == Manner.HONEST && puts % 2 == 0) {
            return problem(503, "overloaded", "after-backoff");
        }
        if (odd && manner == Manner.HONEST && puts % 3 == 0) {
            return problem(504, "outcome-unknown", "same-key");
        }
        List<byte[]> there = partitions.computeIfAbsent(topic + "/" + partition, name -> new ArrayList<>());
        Stored stored = new Stored(partition, there.size(), messages.size());
        boolean lost = odd && manner == Manner.LOSES_ACKNOWLEDGED;
        boolean refused = odd && manner == Manner.STORES_REFUSED;
        if (key != null && !refused && manner != Manner.FORGETS_KEYS) {
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

    private synchronized Answer get(String query, String partition, boolean second) throws InterruptedException {
        List<byte[]> all = partitions.computeIfAbsent(partition, name -> new ArrayList<>());
        int hidden = manner == Manner.SHOWS_STALE_END && second ? 1 : 0;
        int start = manner == Manner.SHOWS_TWO_STARTS && second ? Math.min(1, all.size()) : 0;
        ObjectNode answer = JSON.createObjectNode().put("topic", "t").put("partition", 0);
        if (!query.isEmpty()) {
            Matcher parameters = Pattern.compile("offset=(\\d+|latest)&max-messages=(\\d+).*wait=(\\d+)ms")
                    .matcher(query);
            if (!parameters.find()) {
                return problem(400, "malformed-request", "never");
            }
            int end = Math.max(0, all.size() - hidden);
            int from = parameters.group(1).equals("latest") ? end : Integer.parseInt(parameters.group(1));
            if (from > end) {
                return problem(416, "offset-out-of-range", "never");
            }
            await(all, from + hidden, Long.parseLong(parameters.group(3)));
            List<byte[]> there = all.subList(0, Math.max(0, all.size() - hidden));
            answer.put("nextOffset", messages(answer, there, from, Integer.parseInt(parameters.group(2)), second));
        }
        answer.put("logStartOffset", start).put("logEndOffset", Math.max(0, all.size() - hidden));
        return new Answer(200, answer.toString());
    }

    private void await(List<byte[]> there, int size, long waitMs) throws InterruptedException {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        for (long leftMs = waitMs; there.size() <= size && leftMs > 0; ) {
            wait(leftMs);
            leftMs = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
        }
    }

    /** Gives the next offset. */
    private int messages(ObjectNode answer, List<byte[]> there, int from, int most, boolean second) {
        ArrayNode messages = answer.putArray("messages");
        int offset = from;
        for (; offset < there.size() && offset - from < most; offset++) {
            boolean another =
                    manner == Manner.SHOWS_TWO_ORDERS && second && offset % EVERY == 0 && offset + 1 < there.size();
            messages.addObject()
                    .put("offset", offset)
                    .put("valueBase64", Base64.getEncoder().encodeToString(there.get(another ? offset + 1 : offset)));
        }
        return offset;
    }

    @Override
    public void close() {
        closed.countDown();
        servers.forEach(server -> server.stop(0));
        threads.shutdownNow();
    }
}
