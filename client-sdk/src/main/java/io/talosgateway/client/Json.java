package io.talosgateway.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/** JSON as the gateway reads and writes it; fields that newer gateways add are passed over. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    private static final int BAD_GATEWAY = 502;

    private record NewTopicJson(
            String name,
            @Nullable Integer partitions,
            @Nullable Long retentionMs,
            Map<String, String> attributes) {}

    private Json() {}

    static <T> T read(byte[] body, TypeReference<T> type) {
        try {
            T answer = MAPPER.readValue(body, type);
            if (answer == null) {
                throw new IOException("it is null");
            }
            return answer;
        } catch (IOException e) {
            throw notAnAnswer(e);
        }
    }

    /** Reads bodies as values of a type. */
    static <T> Function<byte[], T> reader(TypeReference<T> type) {
        return body -> read(body, type);
    }

    /** Counts the messages of a get, and leaves reading them for when they are wanted. */
    static Fetched fetched(byte[] body, long offset) {
        int count = 0;
        long nextOffset = offset;
        try (JsonParser json = MAPPER.createParser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it is no JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (name.equals("nextOffset")) {
                    nextOffset = json.getLongValue();
                } else if (name.equals("messages") && value == JsonToken.START_ARRAY) {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        count++;
                        json.skipChildren();
                    }
                } else {
                    json.skipChildren();
                }
            }
        } catch (IOException e) {
            throw notAnAnswer(e);
        }
        return new Fetched(
                count,
                nextOffset,
                body.length,
                () -> read(body, new TypeReference<Messages>() {}).messages());
    }

    private static GatewayClientException notAnAnswer(IOException cause) {
        return new GatewayClientException(
                "The answer is not one of a Talos Gateway: " + cause.getMessage(), Retry.NEVER, cause);
    }

    /**
     * The problem in an answer; whatever answered, a problem comes of it.
     *
     * @param withoutAnswer what it means if something on the way answers because no gateway did
     */
    static Problem problem(int status, byte[] body, Retry withoutAnswer) {
        Retry byStatus = status >= BAD_GATEWAY ? withoutAnswer : Retry.NEVER;
        try {
            Problem problem = MAPPER.readValue(body, Problem.class);
            if (problem == null) {
                throw new IOException("it is null");
            }
            return new Problem(
                    status,
                    problem.code(),
                    problem.title(),
                    problem.detail(),
                    problem.retry() == null ? byStatus : problem.retry(),
                    problem.logEndOffset(),
                    problem.fencingToken());
        } catch (IOException e) {
            return new Problem(status, null, null, null, byStatus, null, null);
        }
    }

    static byte[] newTopic(NewTopic topic) {
        Long retentionMs = topic.retention() == null ? null : topic.retention().toMillis();
        return write(new NewTopicJson(topic.name(), topic.partitions(), retentionMs, topic.attributes()));
    }

    /** Leaves out what is null. */
    static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
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
                JsonValues.write(json, message);
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
