package io.talosgateway.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import org.jspecify.annotations.Nullable;

/**
 * A call of the gateway: how its request is made, anew each time it is sent, and what an answer means. For any thread.
 *
 * @param <T> the result
 */
interface HttpCall<T> {

    /** The request but for its time. */
    HttpRequest.Builder request(URI endpoint);

    /**
     * The result; null for a call that has none.
     *
     * @throws GatewayClientException if the answer is a refusal, or not one of a gateway
     */
    @Nullable
    T read(HttpResponse<byte[]> response);

    /** What a missing answer means. */
    Retry withoutAnswer();

    /** What may be done about a part of a result that is a failure; null if there is none. */
    default @Nullable Retry again(@Nullable T result) {
        return null;
    }
}
