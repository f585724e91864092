package io.talosgateway.rest.http;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.message.IdempotencyKey;
import org.jspecify.annotations.Nullable;

/**
 * Makes idempotency keys of requests; a key is the caller's own. Reads the header {@code Idempotency-Key}, plain or as a quoted
 * string (draft-ietf-httpapi-idempotency-key-header).
 */
public final class IdempotencyKeys {

    public static final String HEADER = "Idempotency-Key";

    private IdempotencyKeys() {}

    /** The key that the SDK's {@code sequenceId} stands for, which is not said to be unique; 1 to 256 characters. */
    public static IdempotencyKey ofSequenceId(Exchange exchange, String sequenceId) {
        return IdempotencyKey.of(exchange.caller().principal().id(), sequenceId, false);
    }

    /**
     * The key that the client names, or null if it names none.
     *
     * @throws GatewayException {@code MALFORMED_REQUEST} if it is empty or too long
     */
    public static @Nullable IdempotencyKey of(Exchange exchange) {
        String header = exchange.header(HEADER);
        if (header == null) {
            return null;
        }
        String value = header.trim();
        if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
            value = value.substring(1, value.length() - 1);
        }
        try {
            return IdempotencyKey.of(exchange.caller().principal().id(), value, true);
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(ErrorCode.MALFORMED_REQUEST, e);
        }
    }
}
