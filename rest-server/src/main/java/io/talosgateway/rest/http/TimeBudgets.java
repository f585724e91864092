package io.talosgateway.rest.http;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;

/** Reads the header {@code Talos-Timeout-Ms}: how long the client will wait, in milliseconds. */
public final class TimeBudgets {

    public static final String HEADER = "Talos-Timeout-Ms";

    private TimeBudgets() {}

    /**
     * The budget in milliseconds, or null if the client names none.
     *
     * @throws GatewayException {@code MALFORMED_REQUEST} if it is no number
     */
    public static @Nullable Long of(Exchange exchange) {
        String header = exchange.header(HEADER);
        if (header == null) {
            return null;
        }
        if (!header.matches("\\d{1,9}")) {
            throw new GatewayException(
                    ErrorCode.MALFORMED_REQUEST,
                    "The header " + HEADER + " must be a number of milliseconds, not '" + header + "'.");
        }
        return Long.valueOf(header);
    }
}
