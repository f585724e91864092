package io.talosgateway.client;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A request of the gateway's JSON interface.
 *
 * @param path with the query, encoded
 * @param repeatable whether sending it twice does the same as sending it once
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes that are passed on; calls are not compared.
record HttpCall(String method, String path, Map<String, String> headers, byte @Nullable [] body, boolean repeatable) {

    static HttpCall read(String path) {
        return new HttpCall("GET", path, Map.of(), null, true);
    }

    /** What a missing answer means. */
    Retry withoutAnswer() {
        return repeatable ? Retry.AFTER_BACKOFF : Retry.OUTCOME_UNKNOWN;
    }
}
