package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;

import io.talosgateway.loadgen.content.Bodies;
import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.plan.LoadPlan;
import org.jspecify.annotations.Nullable;

import static io.talosgateway.loadgen.http.RequestBytes.ascii;

/** A producer's requests to the JSON interface: raw bytes, JSON or NDJSON. */
final class RestPutRequest extends PutRequest {

    private final byte[] start;
    private final ByteBuffer rest;
    private final ByteBuffer[] request;

    RestPutRequest(LoadPlan plan, int producer, Bodies bodies, @Nullable String keyPrefix) {
        super(plan, producer, bodies, keyPrefix);
        Content content = plan.content();
        rest = bodies.bytes();
        start = ascii("POST " + plan.messagesPath(producer) + " HTTP/1.1\r\n" + plan.commonHeaders() + timeoutLine
                + type(content) + "Content-Length: ");
        request = new ByteBuffer[] {rest, rest};
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
    ByteBuffer[] layOut(int slot, Bodies.Body next, long put) {
        head.clear().put(start).decimal(next.length()).put(LINE_END);
        layOutKey(put);
        head.put(LINE_END);
        request[0] = head.flip();
        rest.limit(next.from() + next.length()).position(next.from());
        return request;
    }
}
