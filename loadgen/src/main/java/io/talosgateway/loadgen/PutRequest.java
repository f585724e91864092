package io.talosgateway.loadgen;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * The bytes of a producer's requests, each with one raw message. They are laid out once; from put to put only the stamp and
 * the idempotency key change, in place. For one thread.
 */
final class PutRequest {

    /** The number of the put in hexadecimal digits. */
    private static final int DIGITS = 16;

    private final Payload payload;
    private final long producer;
    private final ByteBuffer head;
    private final ByteBuffer rest;
    private final ByteBuffer[] request;
    private final int stampAt;
    /** Where the digits of the idempotency key are; -1 if there is no key. */
    private final int keyDigitsAt;

    /** @param keyPrefix what the idempotency keys of this producer begin with; null for no keys */
    PutRequest(LoadPlan plan, int producer, Payload payload, @Nullable String keyPrefix) {
        this.payload = payload;
        this.producer = producer;
        String timeout = plan.timeout() == null
                ? ""
                : "Talos-Timeout-Ms: " + plan.timeout().toMillis() + "\r\n";
        String start = "POST " + plan.messagesPath(producer) + " HTTP/1.1\r\n" + plan.commonHeaders() + timeout
                + "Content-Type: application/octet-stream\r\nContent-Length: " + payload.size() + "\r\n";
        String keyStart = "Idempotency-Key: \"" + keyPrefix;
        String key = keyPrefix == null ? "" : keyStart + "0".repeat(DIGITS) + "\"\r\n";
        byte[] headers = (start + key + "\r\n").getBytes(StandardCharsets.US_ASCII);
        keyDigitsAt = keyPrefix == null ? -1 : start.length() + keyStart.length();
        stampAt = headers.length;
        head = ByteBuffer.allocateDirect(headers.length + payload.stampBytes());
        head.put(headers).clear();
        rest = payload.afterStamp();
        request = new ByteBuffer[] {head, rest};
    }

    /** The bytes of a put; valid until the next call. */
    ByteBuffer[] number(long put) {
        payload.stamp(head, stampAt, producer, put);
        for (int digit = 0; keyDigitsAt >= 0 && digit < DIGITS; digit++) {
            int value = (int) (put >>> (4 * (DIGITS - 1 - digit))) & 0xf;
            head.put(keyDigitsAt + digit, (byte) Character.forDigit(value, 16));
        }
        head.rewind();
        rest.rewind();
        return request;
    }
}
