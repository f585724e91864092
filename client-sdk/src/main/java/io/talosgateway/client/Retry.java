package io.talosgateway.client;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** What the gateway says about repeating a request that failed. */
public enum Retry {
    /** The request is wrong; it would fail again. */
    NEVER,
    /** Nothing was stored, or it does no harm to do it twice; wait a little and try again. */
    AFTER_BACKOFF,
    /** Something may be stored; the same idempotency key stores it once. */
    SAME_KEY,
    /** Something may be stored, and there is no idempotency key: trying again may store it twice. */
    OUTCOME_UNKNOWN;

    /** Whether the client itself may send the request again. */
    boolean isSafe() {
        return this == AFTER_BACKOFF || this == SAME_KEY;
    }

    /** A class that a newer gateway may have is taken for the careful one. */
    @JsonCreator
    static Retry parse(String text) {
        for (Retry retry : values()) {
            if (retry.text().equals(text)) {
                return retry;
            }
        }
        return NEVER;
    }

    @JsonValue
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
