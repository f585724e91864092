package io.talosgateway.rest.http;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.rest.http.HostileRequests.Proof;
import io.talosgateway.rest.http.HostileRequests.Request;
import io.talosgateway.rest.http.HostileRequests.Verdict;
import io.talosgateway.rest.http.RawAnswers.Answer;
import io.talosgateway.rest.peer.LogLines;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hostile clients on raw sockets of a running gateway. What each connection sends depends on {@code -Dfuzz.seed} and its number alone;
 * {@code -Dfuzz.sockets} says how many there are, {@code -Dfuzz.socket} picks one.
 */
@Timeout(3600)
final class RawSocketFuzzIT {

    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final int SOCKETS = Integer.getInteger("fuzz.sockets", 400);
    private static final int ONE = Integer.getInteger("fuzz.socket", -1);
    private static final int CLIENTS = 6;
    private static final int PATIENCE_MS = 120_000;
    private static final String LARGE_TOPIC = "large";
    private static final String FAILED_IN_JETTY = "Serialized invocation error";

    private static final Pattern OFFSET = Pattern.compile("\"firstOffset\":(\\d+)");
    private static final Set<Verdict> MAY_END = Set.of(Verdict.DENIED, Verdict.EITHER);
    private static final Set<Integer> REFUSALS = Set.of(400, 404, 405, 408, 413, 414, 417, 426, 431, 501, 505);

    @TempDir
    Path directory;

    private TestGateway gateway;
    private SSLContext trusting;
    private TopicAndPartition served;

    /** What is known of a request that stores a message. */
    private enum Fate {
        ACKNOWLEDGED,
        NOT_STORED,
        UNKNOWN
    }

    private final Map<String, Fate> fates = new ConcurrentHashMap<>();
    private final Map<String, Long> offsets = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> stalled = new ConcurrentLinkedQueue<>();

    private enum Delivery {
        WHOLE,
        IN_PARTS,
        BYTE_BY_BYTE,
        HALF_CLOSED,
        STOPS,
        CLOSED,
        RESET,
        RESET_WHILE_ANSWERED,
        NEVER_READS
    }

    /**
     * Seldom, a client goes in the moment in which Jetty writes an error to it. Jetty completes the stream twice then, which is null the
     * second time (as in jetty.project#14745, on another way). It says so in its log, and the connection ends as it would have.
     */
    private static boolean isRaceOfJetty(String trace) {
        return trace.startsWith(FAILED_IN_JETTY)
                && trace.contains("HttpChannelState.completeStream")
                && trace.contains("because \"stream\" is null");
    }

    @Test
    void nothingIsHiddenMixedUpOrLeftBehind() throws Exception {
        TestCertificates authority = new TestCertificates(directory, "authority");
        authority.issue("gateway", "EC").write(directory.resolve("c.pem"), directory.resolve("k.pem"));
        trusting = authority.trusting();
        asTheDistributionLogs();
        try (LogLines log = new LogLines("io.talosgateway.rest", "org.eclipse.jetty", "org.apache.thrift");
                TestGateway started = TestGateway.start(
                        directory,
                        Map.of(
                                "tls.port", "0",
                                "tls.certificate", directory.resolve("c.pem").toString(),
                                "tls.key", directory.resolve("k.pem").toString(),
                                "http.header-timeout", "20s",
                                "http.body-timeout", "20s",
                                "http.idle-timeout", "20s",
                                "http.max-body-size", "64KiB",
                                "http.max-connections", "2000",
                                "log.slow-request", "0s"))) {
            gateway = started;
            prepare();
            int threads = ManagementFactory.getThreadMXBean().getThreadCount();
            attack();
            assertThat(failures)
                    .as("the log: %s %s", log.texts(), log.withStackTrace())
                    .isEmpty();

            for (Socket socket : stalled) {
                // TLS ends its socket itself when a write fails.
                if (!socket.isClosed()) {
                    socket.setSoLinger(true, 0);
                    socket.close();
                }
            }
            for (String metric : List.of(
                    "talos_requests_in_flight", "talos_bytes_in_flight", "talos_gets_waiting", "talos_connections")) {
                Await.asLongAs(() -> gateway.metric(metric) > 0);
            }
            assertStored();
            assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(threads + 40);
            assertThat(gateway.ops("/metrics")
                            .body()
                            .lines()
                            .filter(line -> line.startsWith("talos_requests_total"))
                            .filter(line -> line.contains("outcome=\"internal") && !line.endsWith(" 0.0")))
                    .isEmpty();
            assertThat(log.withStackTrace())
                    .filteredOn(trace -> !isRaceOfJetty(trace))
                    .isEmpty();
            // Those with a stack trace were looked at.
            assertThat(log.texts())
                    .filteredOn(text -> !text.equals(FAILED_IN_JETTY))
                    .isEmpty();
        }
    }

    /** Sets Jetty's loggers to the levels that the distribution gives them. */
    private static void asTheDistributionLogs() throws IOException {
        Path file = Path.of("deploy/src/main/distribution/conf/logback.xml");
        String text = Files.readString(Files.exists(file) ? file : Path.of("..").resolve(file));
        Matcher logger = Pattern.compile("<logger name=\"(org\\.eclipse\\.jetty\\.[^\"]+)\" level=\"(\\w+)\"")
                .matcher(text);
        while (logger.find()) {
            ((Logger) LoggerFactory.getLogger(logger.group(1))).setLevel(Level.valueOf(logger.group(2)));
        }
    }

    private void prepare() throws Exception {
        for (String topic : List.of(
                HostileRequests.SERVED_TOPIC,
                HostileRequests.MUTATED_TOPIC,
                HostileRequests.HIDDEN_TOPIC,
                HostileRequests.EMPTY_TOPIC,
                LARGE_TOPIC,
                "watched")) {
            gateway.send(gateway.request("/v1/topics")
                    .POST(BodyPublishers.ofString("{\"name\":\"" + topic + "\",\"partitions\":1}"))
                    .build());
        }
        for (int put = 0; put < 20; put++) {
            gateway.send(gateway.request(path(LARGE_TOPIC))
                    .header("Content-Type", "application/octet-stream")
                    .POST(BodyPublishers.ofByteArray(new byte[60 << 10]))
                    .build());
        }
        TMemoryBuffer call = new TMemoryBuffer(256);
        TopicMethods.DESCRIBE_TOPIC.writeCall(
                ThriftFormat.BINARY.writing(call), 1, new DescribeTopicRequest(HostileRequests.SERVED_TOPIC));
        byte[] described = gateway.client()
                .send(
                        gateway.request("/v1/api/topic?type=describeTopic")
                                .header("Content-Type", ThriftFormat.BINARY.contentType())
                                .POST(BodyPublishers.ofByteArray(call.getArray(), 0, call.length()))
                                .build(),
                        java.net.http.HttpResponse.BodyHandlers.ofByteArray())
                .body();
        TopicInfo topic = TopicMethods.DESCRIBE_TOPIC
                .readReply(ThriftFormat.BINARY.reading(new ByteSlice(described)))
                .getTopicInfo();
        served = new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), 0);
    }

    private static String path(String topic) {
        return "/v1/topics/" + topic + "/partitions/0/messages";
    }

    private void attack() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger next = new AtomicInteger(Math.max(0, ONE));
        int end = ONE < 0 ? SOCKETS : ONE + 1;
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> wellBehaved = threads.submit(() -> {
                putAndGetUntil(over);
                return null;
            });
            List<Future<?>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                clients.add(threads.submit(() -> {
                    for (int number = next.getAndIncrement(); number < end; number = next.getAndIncrement()) {
                        connect(number);
                    }
                }));
            }
            try {
                for (Future<?> client : clients) {
                    client.get();
                }
            } finally {
                next.set(end);
                over.set(true);
            }
            wellBehaved.get();
        } finally {
            threads.shutdown();
        }
    }

    // --- the client that is served all the time ---

    private void putAndGetUntil(AtomicBoolean over) throws IOException {
        String head = " HTTP/1.1\r\nHost: x\r\nAuthorization: " + TestGateway.basic(gateway.key()) + "\r\n";
        try (Socket socket = open(false)) {
            RawAnswers answers = new RawAnswers(socket.getInputStream());
            for (int round = 0; !over.get(); round++) {
                String value = "w" + round;
                send(
                        socket,
                        "POST " + path("watched") + head + "Content-Type: application/octet-stream\r\nContent-Length: "
                                + value.length() + "\r\n\r\n" + value);
                Answer put = answers.next(false);
                assertThat(put).as("the well-behaved client").isNotNull();
                Matcher offset = OFFSET.matcher(put.text());
                assertThat(offset.find()).as(put.toString() + put.text()).isTrue();
                send(socket, "GET " + path("watched") + "?value=text&offset=" + offset.group(1) + head + "\r\n");
                Answer got = answers.next(false);
                assertThat(got).as("the well-behaved client").isNotNull();
                assertThat(got.text()).contains("\"value\":\"" + value + "\"");
            }
        }
    }

    // --- the others ---

    private Socket open(boolean tls) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        socket.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), tls ? gateway.tlsPort() : gateway.port()));
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void connect(int number) {
        HostileRequests source = new HostileRequests(SEED, number, TestGateway.basic(gateway.key()), served);
        List<Request> requests = source.connection();
        SplittableRandom random = source.random();
        Delivery[] all = Delivery.values();
        // Most are answered; those who stop take a second.
        int drawn = random.nextInt(60);
        Delivery delivery =
                drawn < 4 ? all[4 + random.nextInt(5)] : drawn < 12 ? all[5 + random.nextInt(3)] : all[drawn % 4];
        boolean tls = random.nextInt(4) == 0;
        foresee(requests);
        Connection connection = new Connection(requests, delivery, tls, random);
        try {
            connection.run();
        } catch (Exception | AssertionError e) {
            failures.add("-Dfuzz.seed=%d -Dfuzz.socket=%d, %s%s, %s: %s"
                    .formatted(SEED, number, delivery, tls ? " with TLS" : "", connection, e));
        }
    }

    /** What is refused, and what follows it, must not be stored, whatever becomes of the connection. */
    private void foresee(List<Request> requests) {
        Fate fate = Fate.UNKNOWN;
        boolean known = true;
        for (Request request : requests) {
            if (request.stored() != null) {
                fates.put(request.stored(), request.verdict() == Verdict.REFUSED && known ? Fate.NOT_STORED : fate);
            }
            known &= request.verdict() != Verdict.UNKNOWN;
            if (known && (request.verdict() == Verdict.REFUSED || request.verdict() == Verdict.SERVED_LAST)) {
                fate = Fate.NOT_STORED;
            }
        }
    }

    private final class Connection {
        private final List<Request> requests;
        private final Delivery delivery;
        private final boolean tls;
        private final SplittableRandom random;
        private final StringBuilder seen = new StringBuilder();

        Connection(List<Request> requests, Delivery delivery, boolean tls, SplittableRandom random) {
            this.requests = requests;
            this.delivery = delivery;
            this.tls = tls;
            this.random = random;
        }

        @Override
        public String toString() {
            return requests.stream().map(Request::shape).toList() + ", answered " + seen;
        }

        void run() throws Exception {
            Socket plain = open(tls);
            Socket socket = plain;
            try {
                if (tls) {
                    SSLSocket secured = (SSLSocket)
                            trusting.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), true);
                    secured.startHandshake();
                    socket = secured;
                }
                converse(plain, socket);
            } finally {
                if (delivery != Delivery.NEVER_READS) {
                    socket.close();
                }
            }
        }

        private void converse(Socket plain, Socket socket) throws Exception {
            StringBuilder all = new StringBuilder();
            requests.forEach(request -> all.append(request.wire()));
            byte[] bytes = all.toString().getBytes(StandardCharsets.ISO_8859_1);
            switch (delivery) {
                case WHOLE -> {
                    write(socket, bytes, 0, bytes.length);
                    answers(socket, bytes.length);
                }
                case IN_PARTS -> {
                    for (int from = 0; from < bytes.length; ) {
                        int to = Math.min(bytes.length, from + 1 + random.nextInt(Math.max(2, bytes.length / 4)));
                        if (!write(socket, bytes, from, to)) {
                            break;
                        }
                        from = to;
                        // The gateway has the time to come and look.
                        gateway.send(gateway.request("/").build());
                    }
                    answers(socket, bytes.length);
                }
                case BYTE_BY_BYTE -> {
                    boolean taken = true;
                    for (int at = 0; at < bytes.length && taken; at++) {
                        taken = write(socket, bytes, at, at + 1);
                    }
                    answers(socket, bytes.length);
                }
                case HALF_CLOSED -> {
                    write(socket, bytes, 0, bytes.length);
                    if (!tls) {
                        try {
                            socket.shutdownOutput();
                        } catch (SocketException e) {
                            // The gateway was faster.
                        }
                    }
                    answers(socket, bytes.length);
                }
                case STOPS -> {
                    int length = random.nextInt(bytes.length);
                    write(socket, bytes, 0, length);
                    answers(socket, length);
                }
                case CLOSED -> write(socket, bytes, 0, random.nextInt(bytes.length + 1));
                case RESET -> {
                    write(socket, bytes, 0, random.nextInt(bytes.length + 1));
                    plain.setSoLinger(true, 0);
                    plain.close();
                }
                case RESET_WHILE_ANSWERED -> {
                    write(socket, bytes, 0, bytes.length);
                    try {
                        socket.getInputStream().readNBytes(1 + random.nextInt(300));
                    } catch (SocketException | SSLException e) {
                        // The gateway was faster.
                    }
                    plain.setSoLinger(true, 0);
                    plain.close();
                }
                case NEVER_READS -> {
                    plain.setReceiveBufferSize(4096);
                    String get = "GET " + path(LARGE_TOPIC) + "?offset=0 HTTP/1.1\r\nHost: x\r\nAuthorization: "
                            + TestGateway.basic(gateway.key()) + "\r\n\r\n";
                    write(socket, get.repeat(20).getBytes(StandardCharsets.ISO_8859_1), 0, 20 * get.length());
                    stalled.add(plain);
                }
            }
        }

        /** False if the gateway has ended the connection. */
        private boolean write(Socket socket, byte[] bytes, int from, int to) {
            try {
                OutputStream out = socket.getOutputStream();
                out.write(bytes, from, to - from);
                out.flush();
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        /** Reads to the end of the connection, and compares with what has to be answered. */
        private void answers(Socket socket, int sent) throws Exception {
            RawAnswers answers = new RawAnswers(socket.getInputStream());
            int end = 0;
            for (int index = 0; index < requests.size(); index++) {
                Request request = requests.get(index);
                end += request.wire().length();
                if (request.verdict() == Verdict.UNKNOWN) {
                    unknown(answers, index);
                    return;
                }
                Answer answer = next(answers, request);
                if (answer == null) {
                    boolean mayEnd = end > sent
                            || request.verdict() == Verdict.REFUSED
                            || request.verdict() == Verdict.EITHER
                            || (delivery == Delivery.HALF_CLOSED && request.waits())
                            || isLostByJetty(index)
                            || (index > 0
                                    && MAY_END.contains(requests.get(index - 1).verdict()));
                    assertThat(mayEnd).as("no answer to " + request.shape()).isTrue();
                    notStored(index);
                    return;
                }
                if (end > sent) {
                    // What came of it is refused: its end is missing. What the headers deny is denied before.
                    if (answer.status() != request.status() || request.verdict() != Verdict.DENIED) {
                        assertThat(REFUSALS).as(request.shape()).contains(answer.status());
                    }
                    assertEnd(answers, index);
                    return;
                }
                boolean isServed = answer.status() == request.status();
                switch (request.status() == 0 ? Verdict.REFUSED : request.verdict()) {
                    case SERVED, SERVED_LAST, DENIED ->
                        assertThat(answer.status())
                                .as(request.shape() + ": " + answer.text())
                                .isEqualTo(request.status());
                    case REFUSED ->
                        assertThat(REFUSALS)
                                .as(request.shape() + ": " + answer.text())
                                .contains(answer.status());
                    default ->
                        assertThat(isServed || REFUSALS.contains(answer.status()))
                                .as(request.shape() + ": " + answer.status() + " " + answer.text())
                                .isTrue();
                }
                if (isServed) {
                    prove(request, answer);
                } else if (request.stored() != null) {
                    fates.put(request.stored(), Fate.NOT_STORED);
                }
                if (request.verdict() == Verdict.SERVED_LAST
                        || request.verdict() == Verdict.REFUSED
                        || answer.endsTheConnection()) {
                    assertThat(request.verdict()).isNotEqualTo(Verdict.SERVED);
                    assertEnd(answers, isServed ? index + 1 : index);
                    return;
                }
            }
            assertEnd(answers, requests.size());
        }

        /**
         * Jetty itself refuses what it cannot parse. If that comes together with the request before it, it may end the connection
         * before the answer is written.
         */
        private boolean isLostByJetty(int index) {
            return index > 0 && requests.get(index).status() == 0;
        }

        private @Nullable Answer next(RawAnswers answers, Request request) throws IOException {
            try {
                Answer answer = answers.next(request.isHead());
                if (answer != null && answer.status() == 100) {
                    assertThat(request.mayHaveContinue())
                            .as("100 for " + request.shape())
                            .isTrue();
                    seen.append("100 ");
                    answer = answers.next(request.isHead());
                }
                seen.append(answer == null ? "end" : answer.status() + " ");
                return answer;
            } catch (SocketException | SSLException e) {
                seen.append(e.getMessage());
                return null;
            }
        }

        /** No further answer comes. */
        private void assertEnd(RawAnswers answers, int index) throws IOException {
            Answer further = next(answers, requests.get(requests.size() - 1));
            assertThat(further)
                    .as(() -> "one answer too many: " + further.status() + " " + further.text())
                    .isNull();
            notStored(index);
        }

        private void notStored(int index) {
            for (Request request : requests.subList(index, requests.size())) {
                if (request.stored() != null) {
                    fates.put(request.stored(), Fate.NOT_STORED);
                }
            }
        }

        /** Shows that the answer belongs to this request, now or when the messages are read. */
        private void prove(Request request, Answer answer) throws Exception {
            if (request.proof() == Proof.NAME) {
                assertThat(answer.text()).contains("n" + request.id() + "n");
            }
            if (request.proof() == Proof.SEQUENCE_ID) {
                ThriftFormat format = ThriftFormat.ofContentType(answer.fields().get("content-type"));
                assertThat(format).as(answer.text()).isNotNull();
                TProtocol reply = format.reading(answer.body());
                assertThat(reply.readMessageBegin().seqid).isEqualTo(request.id());
                MessageMethods.PUT_MESSAGE.readReply(format.reading(answer.body()));
            }
            if (request.stored() != null) {
                Matcher offset = OFFSET.matcher(answer.text());
                if (request.proof() == Proof.OFFSET) {
                    assertThat(offset.find()).as(answer.text()).isTrue();
                    offsets.put(request.stored(), Long.parseLong(offset.group(1)));
                }
                fates.put(request.stored(), Fate.ACKNOWLEDGED);
            }
        }

        /** The answers to changed bytes, and to what follows them. */
        private void unknown(RawAnswers answers, int index) throws IOException {
            Request request = requests.get(index);
            int most = requests.size() - index + 1;
            for (int count = 0; ; count++) {
                Answer answer = next(answers, request);
                if (answer == null) {
                    return;
                }
                assertThat(count).as("answers").isLessThan(most);
                assertThat(answer.status())
                        .as(answer.text())
                        .isIn(200, 400, 401, 404, 405, 406, 408, 413, 414, 415, 417, 426, 431, 501, 505);
            }
        }
    }

    // --- what is stored ---

    private Map<Long, String> stored(String topic) throws Exception {
        Map<Long, String> values = new HashMap<>();
        while (true) {
            String body = gateway.send(
                            gateway.request(path(topic) + "?value=text&max-messages=1000&offset=" + values.size())
                                    .build())
                    .body();
            JsonNode messages = new ObjectMapper().readTree(body).get("messages");
            assertThat(messages).as(body).isNotNull();
            if (messages.isEmpty()) {
                return values;
            }
            for (JsonNode message : messages) {
                values.put(message.get("offset").asLong(), message.path("value").asText());
            }
        }
    }

    private void assertStored() throws Exception {
        assertThat(stored(HostileRequests.HIDDEN_TOPIC))
                .as("requests inside bodies that were carried out")
                .isEmpty();
        Map<Long, String> values = stored(HostileRequests.SERVED_TOPIC);
        Set<String> once = new HashSet<>();
        values.values().forEach(value -> {
            assertThat(once.add(value)).as("stored twice: " + value).isTrue();
            assertThat(fates.get(value)).as("stored: " + value).isIn(Fate.ACKNOWLEDGED, Fate.UNKNOWN);
        });
        fates.forEach((value, fate) -> {
            if (fate == Fate.ACKNOWLEDGED) {
                assertThat(once).as("acknowledged").contains(value);
            }
        });
        offsets.forEach((value, offset) -> assertThat(values.get(offset)).isEqualTo(value));
        System.out.printf(
                "fuzz sockets, seed %d: %,d connections, %,d puts acknowledged, %,d refused%n",
                SEED,
                SOCKETS,
                fates.values().stream().filter(Fate.ACKNOWLEDGED::equals).count(),
                fates.values().stream().filter(Fate.NOT_STORED::equals).count());
    }
}
