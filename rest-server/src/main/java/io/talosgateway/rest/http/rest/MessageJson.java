package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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
import org.jspecify.annotations.Nullable;

/**
 * A message to put.
 *
 * @param key routing key, 1 to 256 characters
 * @param value text, kept as UTF-8; or any other JSON value, kept as compact JSON
 * @param valueBase64 bytes, instead of {@code value}
 * @param sequenceNumber an id of the user's choice, 1 to 256 characters
 * @param createdAtMs epoch milliseconds by the client's clock; not set if absent
 */
record MessageJson(
        @Nullable String key,

        @JsonDeserialize(using = PutJson.ValueReader.class) @Nullable
        ByteSlice value,

        @Nullable String valueBase64,
        @Nullable String sequenceNumber,
        @Nullable Long createdAtMs) {

    private static final int MAX_TEXT = 256;

    /**
     * A message as it is shown.
     *
     * @param value the payload, if it is text; else it is in {@code valueBase64}
     */
    record Shown(
            long offset,
            @Nullable String key,
            @Nullable String value,

            @JsonSerialize(using = Base64Writer.class) @Nullable
            ByteSlice valueBase64,

            @Nullable String sequenceNumber,
            @Nullable Long createdAtMs,
            @Nullable Long appendedAtMs) {}

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
        ByteSlice payload = value != null ? value : base64(number);
        checkLength(number, "key", key);
        checkLength(number, "sequenceNumber", sequenceNumber);
        return message(number, key, payload, hasValue, sequenceNumber, createdAtMs, maxBytes);
    }

    /** A message made of raw bytes. */
    static Message raw(@Nullable String key, ByteSlice payload, int maxBytes) {
        checkLength(0, "key", key);
        return message(0, key, payload, false, null, null, maxBytes);
    }

    private static Message message(
            int number,
            @Nullable String key,
            ByteSlice payload,
            boolean text,
            @Nullable String sequenceNumber,
            @Nullable Long createdAtMs,
            int maxBytes) {
        if (payload.length() == 0) {
            throw invalid(number, "is empty: a message has at least one byte");
        }
        if (payload.length() > maxBytes) {
            throw new GatewayException(
                    ErrorCode.REQUEST_TOO_LARGE,
                    "Message " + number + " has " + payload.length() + " bytes; a message may have " + maxBytes + ".");
        }
        return new Message(
                key, sequenceNumber, payload, createdAtMs, null, text ? Message.UTF8 : Message.BINARY, null, null);
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

    static Shown shown(long offset, Message message) {
        ByteSlice payload = message.payload();
        String text = textBytes(payload) <= mostTextBytes(payload) ? textOf(payload) : null;
        return new Shown(
                offset,
                message.key(),
                text,
                text == null ? payload : null,
                message.sequenceNumber(),
                message.createTimestampMs(),
                message.appendTimestampMs());
    }

    /** Most bytes of JSON that the payload takes when it is shown. */
    static long maxShownBytes(ByteSlice payload) {
        long base64 = 4L * ((payload.length() + 2) / 3);
        long text = textBytes(payload);
        return text <= mostTextBytes(payload) ? Math.max(base64, text) : base64;
    }

    /** What takes more bytes than that as text, because of escapes, is no text: an answer would be six times as large. */
    private static long mostTextBytes(ByteSlice payload) {
        return 16 + 2L * payload.length();
    }

    /** Most bytes of JSON that the payload would take as text. */
    private static long textBytes(ByteSlice payload) {
        long bytes = 0;
        for (int index = 0; index < payload.length(); index++) {
            byte next = payload.byteAt(index);
            boolean control = next >= 0 && next < ' ';
            bytes += control ? 6 : next == '"' || next == '\\' ? 2 : 1;
        }
        return bytes;
    }

    /** The payload as text, or null if it is not valid UTF-8. */
    private static @Nullable String textOf(ByteSlice payload) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload.array(), payload.offset(), payload.length()))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
