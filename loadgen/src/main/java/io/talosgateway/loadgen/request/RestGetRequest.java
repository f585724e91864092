package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;

import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.RequestBytes;
import io.talosgateway.loadgen.plan.LoadPlan;

import static io.talosgateway.loadgen.http.RequestBytes.ascii;

/**
 * A reader's requests to the JSON interface.
 *
 * <p>Of the forms of an answer, JSON or NDJSON: raw bytes are one message an answer, so that a reader that is behind could
 * never catch up. The reader does not look at the messages: the header {@code Talos-Next-Offset} says how many there were.
 */
final class RestGetRequest extends GetRequest {

    private static final int MAX_OFFSET_DIGITS = 20;
    private static final String WAIT = "&wait=1000ms";

    private final byte[] beforeOffset;
    private final byte[] afterOffset;
    private final byte[] latest;
    private final RequestBytes request;
    private final ByteBuffer[] requests = new ByteBuffer[1];

    RestGetRequest(LoadPlan plan, int reader) {
        Content content = plan.content();
        String type = content.format() == Format.NDJSON ? "application/x-ndjson" : "application/json";
        String headers = " HTTP/1.1\r\n" + plan.commonHeaders() + "Accept: " + type + "\r\n\r\n";
        beforeOffset = ascii("GET " + plan.messagesPath(reader) + "?offset=");
        afterOffset = ascii("&max-messages=" + content.messagesOfGet() + WAIT + headers);
        latest = ascii("latest&max-messages=1" + headers);
        request = new RequestBytes(beforeOffset.length + MAX_OFFSET_DIGITS + afterOffset.length);
    }

    @Override
    ByteBuffer[] atLatest() {
        requests[0] = request.clear().put(beforeOffset).put(latest).flip();
        return requests;
    }

    @Override
    ByteBuffer[] at(long from) {
        requests[0] =
                request.clear().put(beforeOffset).decimal(from).put(afterOffset).flip();
        return requests;
    }

    @Override
    boolean waits() {
        return true;
    }

    @Override
    long nextOffset(HttpAnswer answer, long asked) {
        return answer.nextOffset();
    }
}
