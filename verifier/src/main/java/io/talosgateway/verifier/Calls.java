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
    private final Log log;
    private final int timeoutMs;
    private final List<Lane> lanes = new ArrayList<>();

    /** Takes note of requests and what came of them. Any thread. */
    interface Log {

        void attempted(Attempt attempt);

        void got(Get get);
    }

    private static final class Lane {
        private final Connection connection;
        private long usedAtNanos;

        private Lane(Connection connection) {
            this.connection = connection;
        }
    }

    /**
     * What came of a request.
     *
     * @param http null if there is no answer
     * @param failure why there is none, as a code
     */
    private record Exchange(
            long startNanos, long endNanos, @Nullable HttpAnswer http, String failure) {}

    /** To the partitions of the run. */
    Calls(VerifyContext context) {
        this(context, context.names(), context.books().bounds, context.books());
    }

    /**
     * To other partitions.
     *
     * @param bounds what is known of these
     */
    Calls(VerifyContext context, Namespace names, Bounds bounds, Log log) {
        this.context = context;
        this.names = names;
        this.bounds = bounds;
        this.log = log;
        this.timeoutMs = (int) context.plan().timeout.toMillis();
        for (VerifiedCluster.Gateway gateway : context.cluster().gateways()) {
            Connection connection = new Connection(
                    gateway.endpoint().address(), patienceNanos(timeoutMs), HttpAnswer.keepingBodies(MAX_BODY_BYTES));
            context.watch().add(connection);
            lanes.add(new Lane(connection));
        }
    }

    private long patienceNanos(int givenMs) {
        return TimeUnit.MILLISECONDS.toNanos(givenMs) + context.plan().tolerance.toNanos() + LAST_PATIENCE_NANOS;
    }

    /** Attempts a put, and writes down what came of it. */
    PutAnswer put(Put put, int gateway, int givenMs) {
        boolean raw = put.count() == 1;
        byte[] body = raw ? message(put, 0) : json(put);
        String head = "POST " + names.path(put.partition()) + "/messages HTTP/1.1\r\n"
                + context.cluster().headers(gateway)
                + "Talos-Timeout-Ms: " + givenMs
                + "\r\nContent-Type: " + (raw ? "application/octet-stream" : "application/json")
                + "\r\nContent-Length: " + body.length
                + (put.keyed() ? "\r\nIdempotency-Key: \"" + key(put) + "\"" : "")
                + "\r\n\r\n";
        Exchange exchange = exchange(gateway, givenMs, ascii(head), ByteBuffer.wrap(body));
        HttpAnswer http = exchange.http;
        PutAnswer answer = http == null
                ? PutAnswer.failed(exchange.failure)
                : PutAnswer.of(
                        http.status(),
                        http.body(),
                        http.retryAfterSeconds(),
                        names.number(put.partition()),
                        put.count());
        Attempt attempt = new Attempt(put, gateway, exchange.startNanos, exchange.endNanos, givenMs, answer);
        bounds.attempted(attempt);
        log.attempted(attempt);
        return answer;
    }

    private String key(Put put) {
        return context.names().topic() + "-" + put.writer() + "-" + put.number();
    }

    private byte[] message(Put put, int index) {
        return context.content().bytes(MessageId.of(put.writer(), put.number(), index), put.count());
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

    /** Gets messages, and writes down what came of it. */
    GetAnswer get(int partition, From from, Duration wait, int gateway) {
        return get(
                partition,
                from,
                gateway,
                timeoutMs + (int) wait.toMillis(),
                messages(names.path(partition), from, wait),
                false);
    }

    static String messages(String path, From from, Duration wait) {
        return path + "/messages?offset=" + from + "&max-messages=" + MAX_GET_MESSAGES + "&max-bytes=" + MAX_GET_BYTES
                + "&wait=" + wait.toMillis() + "ms";
    }

    /** Asks where a partition ends: as a get from there would be answered, with no messages. */
    GetAnswer status(int partition, int gateway) {
        return get(partition, From.LATEST, gateway, timeoutMs, names.path(partition), true);
    }

    private GetAnswer get(int partition, From from, int gateway, int givenMs, String target, boolean ofStatus) {
        Bounds.Known known = bounds.known(partition);
        Exchange exchange = exchange(
                gateway, givenMs, ByteBuffer.wrap(getRequest(context.cluster().headers(gateway), target, givenMs)));
        HttpAnswer http = exchange.http;
        GetAnswer answer = http == null
                ? GetAnswer.failed(exchange.failure, "")
                : GetAnswer.of(http.status(), http.body(), ofStatus);
        Get get = new Get(partition, from, gateway, exchange.startNanos, exchange.endNanos, givenMs, answer);
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

    static byte[] getRequest(String headers, String target, int givenMs) {
        String head = "GET " + target + " HTTP/1.1\r\n" + headers + "Talos-Timeout-Ms: " + givenMs
                + "\r\nAccept: application/json\r\n\r\n";
        return head.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Does something to a topic, or asks for it.
     *
     * @param json empty for none
     * @return null if there is no answer
     */
    @Nullable
    HttpAnswer topic(int gateway, String method, String path, String json) {
        String head = method + " " + path + " HTTP/1.1\r\n" + context.cluster().headers(gateway)
                + "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n";
        return exchange(gateway, timeoutMs, ascii(head + json)).http;
    }

    private Exchange exchange(int gateway, int givenMs, ByteBuffer... request) {
        Lane lane = lanes.get(gateway);
        long startNanos = context.nowNanos();
        @Nullable HttpAnswer http = null;
        String failure = "";
        try {
            if (startNanos - lane.usedAtNanos > MAX_IDLE_NANOS) {
                lane.connection.close();
            }
            lane.connection.open();
            startNanos = context.nowNanos();
            http = lane.connection.exchange(request, patienceNanos(givenMs));
        } catch (ConnectException e) {
            failure = PutAnswer.NOT_CONNECTED;
        } catch (SocketTimeoutException e) {
            failure = PutAnswer.NO_ANSWER;
        } catch (IOException e) {
            failure = PutAnswer.CONNECTION_BROKEN;
        }
        long endNanos = context.nowNanos();
        lane.usedAtNanos = endNanos;
        if (http == null) {
            context.choice().failed(gateway, endNanos);
        } else {
            context.choice().answered(gateway);
        }
        return new Exchange(startNanos, endNanos, http, failure);
    }

    private static ByteBuffer ascii(String text) {
        return StandardCharsets.US_ASCII.encode(text);
    }

    @Override
    public void close() {
        for (Lane lane : lanes) {
            context.watch().remove(lane.connection);
            lane.connection.close();
        }
    }
}
