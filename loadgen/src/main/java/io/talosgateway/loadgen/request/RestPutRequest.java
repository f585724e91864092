package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;

import io.talosgateway.loadgen.content.Bodies;
import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.http.RequestBytes;
import io.talosgateway.loadgen.plan.LoadPlan;
import org.jspecify.annotations.Nullable;

import static io.talosgateway.loadgen.http.RequestBytes.ascii;

/** A producer's requests to the JSON interface: raw bytes, JSON or NDJSON. */
final class RestPutRequest implements LoadPut {

    private static final int CAPACITY = 512;
    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] QUOTED_LINE_END = ascii("\"\r\n");

    private final Bodies bodies;
    private final long producer;
    private final byte[] path;
    private final byte[] headers;
    private final byte @Nullable [] keyStart;
    private final boolean keyInQuery;
    private final RequestBytes head = new RequestBytes(CAPACITY);
    private final ByteBuffer rest;
    private final ByteBuffer[] request;
    private Bodies.Body body;

    /** @param keyPrefix what the idempotency keys of this producer begin with; null for no keys */
    RestPutRequest(LoadPlan plan, int producer, Bodies bodies, @Nullable String keyPrefix) {
        this.bodies = bodies;
        this.producer = producer;
        this.rest = bodies.bytes();
        this.body = bodies.body(0);
        Content content = plan.content();
        path = ascii("POST " + plan.messagesPath(producer));
        headers = ascii(" HTTP/1.1\r\n" + plan.commonHeaders() + timeout(content) + type(content) + "Content-Length: ");
        keyStart = keyPrefix == null ? null : ascii("Idempotency-Key: \"" + keyPrefix);
        keyInQuery = content.format() == Format.RAW;
        request = new ByteBuffer[] {rest, rest};
    }

    private static String timeout(Content content) {
        return content.timeout() == null
                ? ""
                : "Talos-Timeout-Ms: " + content.timeout().toMillis() + "\r\n";
    }

    private static String type(Content content) {
        String type = switch (content.format()) {
            case RAW -> "application/octet-stream";
            case JSON -> "application/json";
            case NDJSON -> "application/x-ndjson";
            case THRIFT -> throw new IllegalArgumentException("not of the JSON interface");
        };
        String encoding = content.compression() == MessageCompression.GZIP ? "Content-Encoding: gzip\r\n" : "";
        return "Content-Type: " + type + "\r\n" + encoding;
    }

    @Override
    public ByteBuffer[] number(long put) {
        body = bodies.body(bodies.slot(producer, put));
        head.clear().put(path);
        if (keyInQuery && body.key() != null) {
            head.put(ascii("?key=" + body.key()));
        }
        head.put(headers).decimal(body.bytes()).put(LINE_END);
        if (keyStart != null) {
            head.put(keyStart).hexadecimal(put).put(QUOTED_LINE_END);
        }
        head.put(LINE_END);
        Bodies.stamp(body, head.room(body.stampBytes()), producer, put);
        request[0] = head.flip();
        rest.limit(body.from() + body.length()).position(body.from());
        return request;
    }

    @Override
    public Bodies.Body body() {
        return body;
    }
}
