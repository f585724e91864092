package io.talosgateway.verifier;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.http.Connection;
import io.talosgateway.loadgen.http.HttpAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the gateways of a cluster, one at a time, over a connection to each that is opened when it is needed. Every
 * request is answered, fails, or is given up some time after it should have been answered. For one thread.
 */
final class Calls implements AutoCloseable {

    /** A server may close a connection that nobody has used for a while, and a request would meet that. */
    private static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** So much later than an answer that is late, a request is given up. */
    private static final long LAST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_BODY_BYTES = 32 << 20;
    private static final int MAX_GET_MESSAGES = 500;
    private static final int MAX_GET_BYTES = 256 << 10;
    private final VerifyContext context;
    private final Namespace names;
    private final Bounds bounds;
    private final CallLog log;
    private final List<Lane> lanes = new ArrayList<>();

    /** A connection, and what every request on it begins with. */
    private static final class Lane {
        private final Connection connection;
        private final String headers;
        private long usedAtNanos;

        private Lane(Connection connection, String headers) {
            this.connection = connection;
            this.headers = headers;
        }
    }

    /** To the partitions of the run. */
    Calls(VerifyContext context) {
        this(context, context.names(), context.books().bounds(), context.books());
    }

    /**
     * To other partitions.
     *
     * @param bounds what is known of these
     */
    Calls(VerifyContext context, Namespace names, Bounds bounds, CallLog log) {
        this.context = context;
        this.names = names;
        this.bounds = bounds;
        this.log = log;
        for (VerifiedCluster.Gateway gateway : context.cluster().gateways()) {
            Connection connection = new Connection(
                    gateway.endpoint().address(),
                    patienceNanos((int) context.plan().timeout().toMillis()),
                    HttpAnswer.keepingBodies(MAX_BODY_BYTES));
            context.watch().add(connection);
            lanes.add(new Lane(
                    connection, gateway.endpoint().headers(context.cluster().credentials())));
        }
    }

    private long patienceNanos(int timeoutMs) {
        return TimeUnit.MILLISECONDS.toNanos(timeoutMs)
                + context.plan().tolerance().toNanos()
                + LAST_PATIENCE_NANOS;
    }

    // --- put ---

    /** Attempts a put, and writes down what came of it. */
    PutAnswer put(Put put, int gateway, int timeoutMs) {
        long startNanos = context.nowNanos();
        PutAnswer answer;
        try {
            Lane lane = open(gateway);
            ByteBuffer[] request = request(lane, put, timeoutMs);
            startNanos = context.nowNanos();
            HttpAnswer http = lane.connection.exchange(request, patienceNanos(timeoutMs));
            answer = PutAnswer.of(
                    http.status(), http.body(), http.retryAfterSeconds(), names.number(put.partition()), put.count());
        } catch (ConnectException e) {
            answer = PutAnswer.none(Outcome.NOT_STORED, PutAnswer.NOT_CONNECTED);
        } catch (SocketTimeoutException e) {
            answer = PutAnswer.none(Outcome.UNKNOWN, PutAnswer.NO_ANSWER);
        } catch (IOException e) {
            answer = PutAnswer.none(Outcome.UNKNOWN, PutAnswer.CONNECTION_BROKEN);
        }
        long endNanos = context.nowNanos();
        learn(gateway, answer.isAnswer(), endNanos);
        Attempt attempt = new Attempt(
                put.writer(),
                put.number(),
                put.partition(),
                put.count(),
                gateway,
                startNanos,
                endNanos,
                timeoutMs,
                answer);
        bounds.attempted(attempt);
        log.attempted(attempt);
        return answer;
    }

    private ByteBuffer[] request(Lane lane, Put put, int timeoutMs) {
        boolean raw = put.count() == 1;
        byte[] body = raw ? message(put, 0) : json(put);
        String head = "POST " + names.path(put.partition()) + "/messages HTTP/1.1\r\n" + lane.headers
                + "Talos-Timeout-Ms: " + timeoutMs
                + "\r\nContent-Type: " + (raw ? "application/octet-stream" : "application/json")
                + "\r\nContent-Length: " + body.length
                + (put.keyed() ? "\r\nIdempotency-Key: \"" + key(put) + "\"" : "")
                + "\r\n\r\n";
        return new ByteBuffer[] {ascii(head), ByteBuffer.wrap(body)};
    }

    private String key(Put put) {
        return context.names().topic() + "-" + put.writer() + "-" + put.number();
    }

    private byte[] message(Put put, int index) {
        return context.content().bytes(new MessageId(put.writer(), put.number(), index), put.count());
    }

    private byte[] json(Put put) {
        StringBuilder json = new StringBuilder("{\"messages\":[");
        for (int index = 0; index < put.count(); index++) {
            json.append(index == 0 ? "" : ",")
                    .append("{\"valueBase64\":\"")
                    .append(Base64.getEncoder().encodeToString(message(put, index)))
                    .append("\"}");
        }
        return json.append("]}").toString().getBytes(StandardCharsets.US_ASCII);
    }

    // --- get ---

    /** Gets messages, and writes down what came of it. */
    GetAnswer get(int partition, From from, Duration wait, int gateway) {
        int timeoutMs = (int) (wait.toMillis() + context.plan().timeout().toMillis());
        return get(partition, from, gateway, timeoutMs, messages(names.path(partition), from, wait), false);
    }

    static String messages(String path, From from, Duration wait) {
        return path + "/messages?offset=" + from + "&max-messages=" + MAX_GET_MESSAGES + "&max-bytes=" + MAX_GET_BYTES
                + "&wait=" + wait.toMillis() + "ms";
    }

    /** Asks where a partition ends: as a get from there would be answered, with no messages. */
    GetAnswer status(int partition, int gateway) {
        int timeoutMs = (int) context.plan().timeout().toMillis();
        return get(partition, From.LATEST, gateway, timeoutMs, names.path(partition), true);
    }

    private GetAnswer get(int partition, From from, int gateway, int timeoutMs, String target, boolean ofStatus) {
        Bounds.Known known = bounds.known(partition);
        long startNanos = context.nowNanos();
        GetAnswer answer;
        try {
            Lane lane = open(gateway);
            ByteBuffer request = ByteBuffer.wrap(getRequest(lane.headers, target, timeoutMs));
            startNanos = context.nowNanos();
            HttpAnswer http = lane.connection.exchange(new ByteBuffer[] {request}, patienceNanos(timeoutMs));
            answer = GetAnswer.of(http.status(), http.body(), ofStatus);
        } catch (ConnectException e) {
            answer = GetAnswer.failed(false, PutAnswer.NOT_CONNECTED, "");
        } catch (SocketTimeoutException e) {
            answer = GetAnswer.failed(false, PutAnswer.NO_ANSWER, "");
        } catch (IOException e) {
            answer = GetAnswer.failed(false, PutAnswer.CONNECTION_BROKEN, "");
        }
        long endNanos = context.nowNanos();
        learn(gateway, answer.answered(), endNanos);
        Get get = new Get(partition, from, gateway, startNanos, endNanos, timeoutMs, answer);
        bounds.told(get, known);
        log.got(get);
        return answer;
    }

    /** Which host owns a partition, as a gateway says; null if it does not. */
    @Nullable
    String owner(int partition, int gateway) {
        HttpAnswer answer = topic(gateway, "GET", names.path(partition), "");
        return answer == null ? null : GetAnswer.owner(answer.body());
    }

    static byte[] getRequest(String headers, String target, int timeoutMs) {
        return bytes("GET " + target + " HTTP/1.1\r\n" + headers + "Talos-Timeout-Ms: " + timeoutMs
                + "\r\nAccept: application/json\r\n\r\n");
    }

    // --- topics ---

    /**
     * Does something to a topic, or asks for it.
     *
     * @param json empty for none
     * @return null if there is no answer
     */
    @Nullable
    HttpAnswer topic(int gateway, String method, String path, String json) {
        try {
            Lane lane = open(gateway);
            return lane.connection.exchange(new ByteBuffer[] {
                ascii(method + " " + path + " HTTP/1.1\r\n" + lane.headers
                        + "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n" + json)
            });
        } catch (IOException e) {
            context.choice().failed(gateway, context.nowNanos());
            return null;
        }
    }

    // --- connections ---

    private Lane open(int gateway) throws IOException {
        Lane lane = lanes.get(gateway);
        long nowNanos = context.nowNanos();
        if (nowNanos - lane.usedAtNanos > MAX_IDLE_NANOS) {
            lane.connection.close();
        }
        lane.connection.open();
        lane.usedAtNanos = nowNanos;
        return lane;
    }

    private void learn(int gateway, boolean answered, long nowNanos) {
        lanes.get(gateway).usedAtNanos = nowNanos;
        if (answered) {
            context.choice().answered(gateway);
        } else {
            context.choice().failed(gateway, nowNanos);
        }
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        for (Lane lane : lanes) {
            context.watch().remove(lane.connection);
            lane.connection.close();
        }
    }
}
