package io.talosgateway.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/** JSON as the gateway reads and writes it; fields that newer gateways add are passed over. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    private record NewTopicJson(
            String name,
            @Nullable Integer partitions,
            @Nullable Long retentionMs,
            Map<String, String> attributes) {}

    private Json() {}

    static <T> T read(byte[] body, TypeReference<T> type) {
        try {
            return MAPPER.readValue(body, type);
        } catch (IOException e) {
            throw new GatewayClientException(
                    "The answer is not one of a Talos Gateway: " + e.getMessage(), Retry.NEVER, e);
        }
    }

    /** The problem in an answer; whatever answered, a problem comes of it. */
    static Problem problem(int status, byte[] body) {
        try {
            Problem problem = MAPPER.readValue(body, Problem.class);
            return new Problem(status, problem.code(), problem.title(), problem.detail(), problem.retry());
        } catch (IOException e) {
            return new Problem(status, null, null, null, status >= 502 ? Retry.OUTCOME_UNKNOWN : Retry.NEVER);
        }
    }

    static byte[] newTopic(NewTopic topic) {
        Long retentionMs = topic.retention() == null ? null : topic.retention().toMillis();
        try {
            return MAPPER.writeValueAsBytes(
                    new NewTopicJson(topic.name(), topic.partitions(), retentionMs, topic.attributes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] newMessages(List<NewMessage> messages) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = MAPPER.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeArrayFieldStart("messages");
            for (NewMessage message : messages) {
                json.writeStartObject();
                if (message.key() != null) {
                    json.writeStringField("key", message.key());
                }
                json.writeBinaryField("valueBase64", message.payload());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
