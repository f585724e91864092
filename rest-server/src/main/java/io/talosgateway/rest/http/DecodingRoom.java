package io.talosgateway.rest.http;

import java.util.function.LongPredicate;

import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;

/**
 * The room for what the blocks of one answer become when they are opened: some bytes for all of them together, which are
 * admitted before they are there. For one thread.
 */
public final class DecodingRoom implements LongPredicate {

    /** Most bytes that the blocks of one answer may become. What SDKs put is a third of that at most. */
    public static final int MAX_BYTES = 64 << 20;

    private final Exchange exchange;
    private long left = MAX_BYTES;
    private boolean exhausted;
    private @Nullable GatewayException refusal;

    public DecodingRoom(Exchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public boolean test(long bytes) {
        if (bytes > left) {
            exhausted = true;
            return false;
        }
        try {
            exchange.reserveBytes(bytes);
        } catch (GatewayException e) {
            refusal = e;
            return false;
        }
        left -= bytes;
        return true;
    }

    /** Whether a block did not fit beside those before it. */
    public boolean isExhausted() {
        return exhausted;
    }

    /** @throws GatewayException {@code OVERLOADED} if a block did not fit beside other requests */
    public void throwRefusal() {
        if (refusal != null) {
            throw refusal;
        }
    }
}
