package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.util.Base64;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;

/**
 * A message to put.
 *
 * @param key routing key, 1 to 256 characters
 * @param value text, kept as UTF-8; or any other JSON value, kept as compact JSON. Its form is kept, too
 * @param valueBase64 bytes, instead of {@code value}
 * @param sequenceNumber an id of the user's choice, 1 to 256 characters
 * @param createdAtMs epoch milliseconds by the client's clock; not set if absent
 */
record MessageJson(
        @Nullable String key,

        @JsonDeserialize(using = PutJson.ValueReader.class) PutJson.@Nullable Value value,

        @Nullable String valueBase64,
        @Nullable String sequenceNumber,
        @Nullable Long createdAtMs) {

    private static final int MAX_TEXT = 256;

    /**
     * A message as it is shown.
     *
     * @param value text or {@link ShownJson}; else the payload is in {@code valueBase64}
     */
    record Shown(
            long offset,
            @Nullable String key,
            @Nullable Object value,

            @JsonSerialize(using = Base64Writer.class) @Nullable
            ByteSlice valueBase64,

            @Nullable String sequenceNumber,
            @Nullable Long createdAtMs,
            @Nullable Long appendedAtMs) {}

    /** A payload that is written as the JSON that it is. */
    @JsonSerialize(using = ShownJsonWriter.class)
    record ShownJson(ByteSlice payload) {}

    private static final class ShownJsonWriter extends JsonSerializer<ShownJson> {
        @Override
        public void serialize(ShownJson json, JsonGenerator out, SerializerProvider provider) throws IOException {
            new Payload(json.payload).writeJson(out);
        }
    }

    private static final class Base64Writer extends JsonSerializer<ByteSlice> {
        @Override
        public void serialize(ByteSlice bytes, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeBinary(bytes.array(), bytes.offset(), bytes.length());
        }
    }

    /**
     * The message.
     *
     * @param number its place in the request, from 0, for error messages
     * @throws GatewayException if it is not valid
     */
    Message toMessage(int number, int maxBytes) {
        boolean hasValue = value != null;
        if (hasValue == (valueBase64 != null)) {
            throw invalid(number, hasValue ? "has value and valueBase64: give one" : "needs a value or a valueBase64");
        }
        PutJson.Value put = value != null ? value : new PutJson.Value(base64(number), ValueForm.BYTES);
        checkLength(number, "key", key);
        checkLength(number, "sequenceNumber", sequenceNumber);
        return message(number, key, put, sequenceNumber, createdAtMs, maxBytes);
    }

    /** A message made of raw bytes. */
    static Message raw(@Nullable String key, ByteSlice payload, int maxBytes) {
        checkLength(0, "key", key);
        return message(0, key, new PutJson.Value(payload, ValueForm.BYTES), null, null, maxBytes);
    }

    private static Message message(
            int number,
            @Nullable String key,
            PutJson.Value value,
            @Nullable String sequenceNumber,
            @Nullable Long createdAtMs,
            int maxBytes) {
        ByteSlice payload = value.bytes();
        if (payload.length() == 0) {
            throw invalid(number, "is empty: a message has at least one byte");
        }
        if (payload.length() > maxBytes) {
            throw new GatewayException(
                    ErrorCode.REQUEST_TOO_LARGE,
                    "Message " + number + " has " + payload.length() + " bytes; a message may have " + maxBytes + ".");
        }
        return new Message(
                key,
                sequenceNumber,
                payload,
                createdAtMs,
                null,
                value.form() == ValueForm.BYTES ? Message.BINARY : Message.UTF8,
                null,
                null,
                value.form());
    }

    private ByteSlice base64(int number) {
        try {
            return new ByteSlice(Base64.getDecoder().decode(valueBase64 == null ? "" : valueBase64));
        } catch (IllegalArgumentException e) {
            throw invalid(number, "has a valueBase64 that is not valid Base64");
        }
    }

    private static void checkLength(int number, String field, @Nullable String text) {
        if (text != null && (text.isEmpty() || text.length() > MAX_TEXT)) {
            throw invalid(number, "has a " + field + " that does not have 1 to " + MAX_TEXT + " characters");
        }
    }

    private static GatewayException invalid(int number, String what) {
        return new GatewayException(ErrorCode.INVALID_MESSAGE, "Message " + number + " " + what + ".");
    }

    static Shown shown(long offset, Message message, ValueView view) {
        ByteSlice payload = message.payload();
        ValueForm form = view.formOf(message);
        Object value = switch (form) {
            case TEXT -> new Payload(payload).text();
            case JSON -> new ShownJson(payload);
            case BYTES -> null;
        };
        return new Shown(
                offset,
                message.key(),
                value,
                form == ValueForm.BYTES ? payload : null,
                message.sequenceNumber(),
                message.createTimestampMs(),
                message.appendTimestampMs());
    }
}
