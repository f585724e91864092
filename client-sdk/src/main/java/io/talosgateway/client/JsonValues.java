package io.talosgateway.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;

/** The values of messages, as the gateway writes them: JSON without white space, the digits of numbers as they came. Stateless. */
final class JsonValues {

    private static final JsonFactory COMPACT = JsonFactory.builder()
            // As the gateway does: else an emoji of four bytes is written as an escape of twelve.
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();

    private JsonValues() {}

    /** A value and the form that it has. */
    @SuppressWarnings("ArrayRecordComponent") // Bytes that are passed on; values are not compared.
    record Value(byte[] payload, ValueForm form) {}

    /** Reads the field {@code value}. */
    static final class Reader extends JsonDeserializer<Value> {
        @Override
        public Value deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return parser.currentToken() == JsonToken.VALUE_STRING
                    ? new Value(parser.getText().getBytes(StandardCharsets.UTF_8), ValueForm.TEXT)
                    : new Value(copy(parser), ValueForm.JSON);
        }
    }

    /**
     * One JSON value without white space.
     *
     * @throws IllegalArgumentException if it is not exactly one, or null
     */
    static byte[] compact(String json) {
        try (JsonParser parser = COMPACT.createParser(json)) {
            JsonToken first = parser.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                throw new IllegalArgumentException("a message needs a JSON value that is not null");
            }
            byte[] value = copy(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("there is something behind the JSON value");
            }
            return value;
        } catch (IOException e) {
            throw new IllegalArgumentException("this is no JSON value: " + e.getMessage(), e);
        }
    }

    private static byte[] copy(JsonParser in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = COMPACT.createGenerator(bytes)) {
            int depth = 0;
            for (JsonToken token = in.currentToken(); token != null; token = in.nextToken()) {
                if (token.isNumeric()) {
                    out.writeNumber(in.getText());
                } else {
                    out.copyCurrentEvent(in);
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (depth == 0) {
                    break;
                }
            }
        }
        return bytes.toByteArray();
    }

    /** Writes the field {@code value}, or {@code valueBase64} if it is bytes. */
    static void write(JsonGenerator json, NewMessage message) throws IOException {
        String text = message.form() == ValueForm.BYTES ? null : text(message.payload());
        if (text == null) {
            json.writeBinaryField("valueBase64", message.payload());
        } else if (message.form() == ValueForm.TEXT) {
            json.writeStringField("value", text);
        } else {
            json.writeFieldName("value");
            json.writeRawValue(text);
        }
    }

    /** The form of a message whose producer did not say which. */
    static ValueForm guess(byte[] payload) {
        return text(payload) == null ? ValueForm.BYTES : ValueForm.TEXT;
    }

    private static @Nullable String text(byte[] payload) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
