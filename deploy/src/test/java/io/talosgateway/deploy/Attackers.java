package io.talosgateway.deploy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.GZIPOutputStream;

import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.GetPartitionsOffsetRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.transport.TMemoryBuffer;

/**
 * Attacks on a gateway, all at once, from 127.0.0.2: those that need no key, or those of a key that owns none of the topics that
 * matter. A process of its own, so that its share of the machine can be told. Arguments: port, seconds, {@code none}
 * or the attacker's key as {@code ID:SECRET}, the topic of the victim, a pattern of the attacks' names. Prints what was answered to each attack.
 */
final class Attackers {

    private static final byte[] ATTACKER = {127, 0, 0, 2};
    private static final byte[] GATEWAY = {127, 0, 0, 1};
    private static final String API = "/v1/api/";
    private static final String COMPACT = "Content-Type: application/x-thrift-compact\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final int ANNOUNCED = 24 << 20;
    private static final int TIMEOUT_MS = 30_000;

    private final int port;
    private final long endAtNanos;
    private final String authorization;
    private final String victim;
    private final String only;
    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentMap<String, ConcurrentMap<String, LongAdder>> answers = new ConcurrentHashMap<>();

    private Attackers(int port, long seconds, String key, String victim, String only) {
        this.port = port;
        this.endAtNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        this.authorization = key.equals("none")
                ? ""
                : "Authorization: Basic "
                        + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.ISO_8859_1)) + "\r\n";
        this.victim = victim;
        this.only = only;
    }

    /** One attempt on a connection; what came of it, for the table. */
    @FunctionalInterface
    private interface Attempt {
        String make(Connection connection) throws IOException;
    }

    private static final class Connection implements AutoCloseable {
        private final Socket socket = new Socket();

        Connection(int port) throws IOException {
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(ATTACKER), 0));
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(GATEWAY), port), TIMEOUT_MS);
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        void send(String text) throws IOException {
            send(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Reads an answer and forgets it; its status. */
        String answer() throws IOException {
            InputStream in = socket.getInputStream();
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    return "closed";
                }
                head.write(next);
            }
            String text = head.toString(StandardCharsets.ISO_8859_1);
            long length = text.lines()
                    .filter(line -> line.regionMatches(true, 0, "Content-Length:", 0, 15))
                    .mapToLong(line -> Long.parseLong(line.substring(15).trim()))
                    .findFirst()
                    .orElse(0);
            in.skipNBytes(length);
            if (text.contains("Connection: close")) {
                close();
            }
            return text.substring(9, 12);
        }

        /** Does nothing until the gateway ends the connection. */
        String stall() throws IOException {
            return socket.getInputStream().read() < 0 ? "closed" : "answered";
        }

        boolean isClosed() {
            return socket.isClosed();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private boolean isOver() {
        return System.nanoTime() - endAtNanos >= 0;
    }

    private void start(String name, int clients, Attempt attempt) {
        if (!name.matches(only)) {
            return;
        }
        ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();
        answers.put(name, counts);
        for (int client = 0; client < clients; client++) {
            Thread thread = new Thread(() -> attack(attempt, counts), name);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    private void attack(Attempt attempt, Map<String, LongAdder> counts) {
        while (!isOver()) {
            try (Connection connection = new Connection(port)) {
                while (!isOver() && !connection.isClosed()) {
                    String outcome = attempt.make(connection);
                    counts.computeIfAbsent(outcome, absent -> new LongAdder()).increment();
                    if (outcome.equals("closed")) {
                        break;
                    }
                }
            } catch (IOException e) {
                counts.computeIfAbsent("no connection", absent -> new LongAdder())
                        .increment();
            }
        }
    }

    private String head(String line, String headers, long length) {
        return line + " HTTP/1.1\r\nHost: x\r\n" + authorization + headers + "Content-Length: " + length + "\r\n\r\n";
    }

    private Attempt request(String line, String headers, byte[] body) {
        String head = head(line, headers, body.length);
        return connection -> {
            connection.send(head);
            connection.send(body);
            return connection.answer();
        };
    }

    /** Announces a body that never comes. */
    private Attempt silent(String line, String headers) {
        String head = head(line, headers, ANNOUNCED);
        return connection -> {
            connection.send(head);
            return connection.stall();
        };
    }

    private void withoutKey() {
        byte[] one = {1};
        start("bad query, Talos", 4, request("POST " + API + "topic?type=%zz", COMPACT, one));
        start("bad query, REST", 4, request("GET /openapi.yaml?%zz", "", new byte[0]));
        start("24 MiB announced, Talos", 30, silent("POST " + API + "message", COMPACT));
        start("24 MiB announced, REST", 30, silent("POST " + messages(victim), ""));
        start("endless headers", 300, connection -> {
            connection.send("GET / HTTP/1.1\r\nX: ");
            return connection.stall();
        });
        start("two lengths", 4, connection -> {
            connection.send(head("POST " + messages(victim), "Transfer-Encoding: chunked\r\n", 5));
            connection.send("0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
            connection.answer();
            return connection.stall();
        });
        start("put without a key", 4, request("POST " + messages(victim), "", new byte[10_000]));
        start("wrong key", 4, connection -> {
            connection.send("GET /v1/topics HTTP/1.1\r\nHost: x\r\nAuthorization: Basic eDp5\r\n\r\n");
            return connection.answer();
        });
        start("idle connections", 1_000, Connection::stall);
    }

    private void withKey() throws Exception {
        String own = "mallory-0";
        try (Connection connection = new Connection(port)) {
            request("POST /v1/topics", JSON, utf8("{\"name\":\"" + own + "\",\"partitions\":4}"))
                    .make(connection);
            byte[] nuls = gzip("", "\u0000", 10 << 20, "");
            String status = request(
                            "POST " + messages(own),
                            "Content-Encoding: gzip\r\nContent-Type: application/octet-stream\r\n",
                            nuls)
                    .make(connection);
            if (!status.equals("200")) {
                throw new IllegalStateException("the message of large answers was answered with " + status);
            }
        }
        start("offsets of 1.9 million partitions", 2, request("POST " + API + "message", COMPACT, manyPartitions()));
        start(
                "millions of parts, gzip",
                2,
                request(
                        "POST " + messages(own),
                        JSON + "Content-Encoding: gzip\r\n",
                        gzip("{\"messages\":[{}", ",{}", 8 << 20, "]}")));
        start("large answer, never read", 20, connection -> {
            connection.send(head("GET " + messages(own) + "?offset=0&max-bytes=33554432", "", 0));
            await(Math.min(TimeUnit.SECONDS.toNanos(20), endAtNanos - System.nanoTime()));
            return "closed";
        });
        AtomicInteger made = new AtomicInteger();
        start("topics with long names", 2, connection -> {
            String name = "%s%010d".formatted("x".repeat(70), made.getAndIncrement());
            return request("POST /v1/topics", JSON, utf8("{\"name\":\"" + name + "\"}"))
                    .make(connection);
        });
        start("topic of 1.2 MB", 2, request("POST " + API + "topic", COMPACT, largeTopic()));
        start("waiting gets", 1_000, request("GET " + messages(own) + "?offset=latest&wait=60s", "", new byte[0]));
        start("24 MiB announced", 30, silent("POST " + messages(own), ""));
        start("put to a foreign topic", 2, request("POST " + messages(victim), "", new byte[1_000]));
        start("get of a foreign topic", 2, request("GET " + messages(victim) + "?offset=0", "", new byte[0]));
        start("delete of a foreign topic", 2, request("DELETE /v1/topics/" + victim, "", new byte[0]));
    }

    private static void await(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String messages(String topic) {
        return "/v1/topics/" + topic + "/partitions/0/messages";
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(String start, String repeated, int times, String end) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] part = utf8(repeated.repeat(1024));
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(utf8(start));
            for (int done = 0; done < times; done += 1024) {
                out.write(part);
            }
            out.write(utf8(end));
        }
        return bytes.toByteArray();
    }

    private static <A> byte[] encode(ThriftMethod<A, ?> method, A argument) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        method.writeCall(ThriftFormat.COMPACT.writing(buffer), 1, argument);
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    private static byte[] manyPartitions() throws Exception {
        TopicAndPartition small = new TopicAndPartition("", new TopicTalosResourceName(""), 0);
        return encode(
                MessageMethods.GET_PARTITIONS_OFFSET,
                new GetPartitionsOffsetRequest(Collections.nCopies(1_900_000, small)));
    }

    private static byte[] largeTopic() throws Exception {
        Map<String, String> attributes = new HashMap<>();
        for (int number = 0; number < 100; number++) {
            attributes.put("a" + number, "\u0001".repeat(2_000));
        }
        return encode(
                TopicMethods.CREATE_TOPIC,
                new CreateTopicRequest(
                        "mallory-large",
                        new TopicAttribute().setPartitionNumber(1).setAttributes(attributes)));
    }

    private void run() throws InterruptedException {
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endAtNanos - System.nanoTime())));
        }
        new TreeMap<>(answers)
                .forEach((name, counts) -> System.out.println("  " + name + ": " + new TreeMap<>(counts)));
    }

    public static void main(String[] arguments) throws Exception {
        Attackers attackers = new Attackers(
                Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]), arguments[2], arguments[3], arguments[4]);
        if (arguments[2].equals("none")) {
            attackers.withoutKey();
        } else {
            attackers.withKey();
        }
        attackers.run();
    }
}
