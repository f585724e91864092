package io.talosgateway.client;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;

/**
 * A put as the JSON interface takes it: one message of bytes as these, all others as JSON.
 *
 * @param path with the query, encoded
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes that are passed on; puts are not compared.
record PutContent(String path, String contentType, byte[] body) {

    private static final String RAW = "application/octet-stream";
    private static final String JSON = "application/json";

    /** @param path of the topic or the partition */
    static PutContent of(String path, List<NewMessage> messages) {
        if (messages.size() != 1 || messages.get(0).form() != ValueForm.BYTES) {
            return new PutContent(path + "/messages", JSON, Json.newMessages(messages));
        }
        NewMessage message = messages.get(0);
        String query = message.key() == null ? "" : "?key=" + GatewayClient.encoded(message.key());
        return new PutContent(path + "/messages" + query, RAW, message.payload());
    }

    /** The same, under a condition. */
    PutContent onlyIf(PutCondition condition) {
        String query = condition.query();
        return path.indexOf('?') >= 0 || query.isEmpty()
                ? new PutContent(path + query, contentType, body)
                : new PutContent(path + "?" + query.substring(1), contentType, body);
    }

    <T> JsonCall<T> call(@Nullable String authorization, String idempotencyKey, Function<byte[], @Nullable T> reader) {
        Map<String, String> headers = JsonCall.headers(authorization, contentType);
        // In quotes, as the header's specification asks for a string of RFC 8941.
        headers.put("Idempotency-Key", '"' + idempotencyKey + '"');
        return new JsonCall<>("POST", path, headers, body, Retry.SAME_KEY, reader);
    }
}
