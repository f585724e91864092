package io.talosgateway.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A call of the gateway's JSON interface.
 *
 * @param path with the query, encoded
 * @param withoutAnswer what a missing answer means
 * @param reader makes the result of the body of an answer
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes that are passed on; calls are not compared.
record JsonCall<T>(
        String method,
        String path,
        Map<String, String> headers,
        byte @Nullable [] body,
        Retry withoutAnswer,
        Function<byte[], @Nullable T> reader)
        implements HttpCall<T> {

    static Map<String, String> headers(@Nullable String authorization, @Nullable String contentType) {
        Map<String, String> headers = new HashMap<>();
        if (authorization != null) {
            headers.put("Authorization", authorization);
        }
        if (contentType != null) {
            headers.put("Content-Type", contentType);
        }
        return headers;
    }

    @Override
    public HttpRequest.Builder request(URI endpoint) {
        byte[] content = body;
        BodyPublisher publisher = content == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(content);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(endpoint.resolve(path)).method(method, publisher);
        headers.forEach(request::header);
        return request;
    }

    @Override
    public @Nullable T read(HttpResponse<byte[]> response) {
        if (response.statusCode() / 100 != 2) {
            throw new GatewayClientException(Json.problem(response.statusCode(), response.body(), withoutAnswer));
        }
        return reader.apply(response.body());
    }
}
