package io.talosgateway.loadgen;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a reader's requests.
 *
 * <p>Of the forms of an answer, JSON: raw bytes are one message an answer, so that a reader that is behind could never catch
 * up. The reader does not look at the messages: the header {@code Talos-Next-Offset} says how many there were. For one thread.
 */
final class GetRequest {

    /** How long a get at the end of its partition waits for a message. */
    private static final String WAIT = "1s";

    private static final int MAX_MESSAGES = 100;
    private static final int MAX_OFFSET_DIGITS = 20;

    private final byte[] beforeOffset;
    private final byte[] afterOffset;
    private final byte[] afterLatest;
    private final ByteBuffer request;
    private final ByteBuffer[] requests;

    GetRequest(LoadPlan plan, int reader) {
        String headers = " HTTP/1.1\r\n" + plan.commonHeaders() + "Accept: application/json\r\n\r\n";
        beforeOffset = ascii("GET " + plan.messagesPath(reader) + "?offset=");
        afterOffset = ascii("&max-messages=" + MAX_MESSAGES + "&wait=" + WAIT + headers);
        afterLatest = ascii("&max-messages=1" + headers);
        request = ByteBuffer.allocateDirect(beforeOffset.length + MAX_OFFSET_DIGITS + afterOffset.length);
        requests = new ByteBuffer[] {request};
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Asks where the partition ends; does not wait. Valid until the next call. */
    ByteBuffer[] atLatest() {
        request.clear().put(beforeOffset).put(ascii("latest")).put(afterLatest).flip();
        return requests;
    }

    /** Asks for messages from an offset on, and waits if there are none. Valid until the next call. */
    ByteBuffer[] at(long offset) {
        request.clear().put(beforeOffset);
        int digits = 1;
        for (long rest = offset / 10; rest > 0; rest /= 10) {
            digits++;
        }
        int at = request.position() + digits;
        request.position(at);
        for (long rest = offset; at > beforeOffset.length; rest /= 10) {
            request.put(--at, (byte) ('0' + rest % 10));
        }
        request.put(afterOffset).flip();
        return requests;
    }
}
