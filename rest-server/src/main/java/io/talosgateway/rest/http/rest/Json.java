package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MutableCoercionConfig;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.wire.message.ByteSlice;

/**
 * Reads and writes JSON. What a client misspells is refused, not ignored; a value of another type is refused, not converted. A
 * field that is null counts as absent. Stateless.
 */
final class Json {

    static final String CONTENT_TYPE = "application/json";
    static final String NDJSON = "application/x-ndjson";

    private static final int MAX_STRING = 512 << 20;
    private static final int MAX_DEPTH = 200;
    /** Most tokens of a document that is not a put: names, values and brackets. */
    private static final int MAX_TOKENS = 20_000;

    static final JsonMapper MAPPER =
            mapper(StreamReadConstraints.builder().maxStringLength(MAX_STRING).maxNestingDepth(MAX_DEPTH));

    private static final ObjectReader SMALL = mapper(
                    StreamReadConstraints.builder().maxTokenCount(MAX_TOKENS).maxNestingDepth(MAX_DEPTH))
            .reader();

    private static JsonMapper mapper(StreamReadConstraints.Builder limits) {
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(limits.build())
                        .build())
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                // Else an emoji of four bytes is written as an escape of twelve.
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                .withCoercionConfig(LogicalType.Textual, Json::refuseOtherTypes)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .build();
    }

    private static void refuseOtherTypes(MutableCoercionConfig text) {
        for (CoercionInputShape shape :
                List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)) {
            text.setCoercion(shape, CoercionAction.Fail);
        }
    }

    private Json() {}

    /**
     * Reads a value.
     *
     * @param what it is, for the error message
     * @throws GatewayException {@code MALFORMED_REQUEST} with the place and the reason
     */
    static <T> T read(ByteSlice bytes, Class<T> type, String what) {
        return read(SMALL, bytes, type, what);
    }

    /** The same, with a reader that has its own limits. */
    static <T> T read(ObjectReader reader, ByteSlice bytes, Class<T> type, String what) {
        try {
            T value = reader.forType(type).readValue(bytes.array(), bytes.offset(), bytes.length());
            if (value == null) {
                throw new GatewayException(ErrorCode.MALFORMED_REQUEST, what + " is null.");
            }
            return value;
        } catch (UnrecognizedPropertyException e) {
            throw malformed(
                    "%s has no field '%s'; it has %s.".formatted(what, e.getPropertyName(), e.getKnownPropertyIds()));
        } catch (JsonProcessingException e) {
            throw refusal(e, what);
        } catch (IOException e) {
            throw malformed(what + " cannot be read.");
        }
    }

    private static GatewayException malformed(String detail) {
        return new GatewayException(ErrorCode.MALFORMED_REQUEST, detail);
    }

    /** In our own words: Jackson's name classes. */
    private static GatewayException refusal(JsonProcessingException e, String what) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof GatewayException refusal) {
                return refusal;
            }
            if (cause instanceof StreamConstraintsException) {
                return new GatewayException(
                        ErrorCode.REQUEST_TOO_LARGE,
                        "%s is too large or nested too deeply: JSON may have %d levels, numbers of 1000 digits, and %d names, values and brackets if it is not a put."
                                .formatted(what, MAX_DEPTH, MAX_TOKENS));
            }
            if (cause instanceof JsonParseException syntax) {
                JsonLocation location = syntax.getLocation();
                return malformed("%s is not JSON, at line %d, column %d."
                        .formatted(
                                what,
                                location == null ? 0 : location.getLineNr(),
                                location == null ? 0 : location.getColumnNr()));
            }
        }
        String field = e instanceof JsonMappingException mapping ? field(mapping) : "";
        String wanted = wanted(e);
        return malformed(
                field.isEmpty()
                        ? "%s must be %s.".formatted(what, wanted)
                        : "%s is not valid: the field '%s' must be %s.".formatted(what, field, wanted));
    }

    /** The innermost type that was asked for, as JSON calls it. */
    private static String wanted(JsonProcessingException e) {
        Class<?> type = Object.class;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
                type = mismatch.getTargetType();
            } else if (cause instanceof InputCoercionException number && number.getTargetType() != null) {
                type = number.getTargetType();
            }
        }
        if (type == Integer.class || type == int.class) {
            return "a whole number of at most 32 bits";
        }
        if (type == Long.class || type == long.class) {
            return "a whole number of at most 64 bits";
        }
        if (type == String.class) {
            return "a string";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        return List.class.isAssignableFrom(type) ? "a list" : "an object";
    }

    /** Where in the document, such as {@code messages[2].key}. */
    private static String field(JsonMappingException e) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : e.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return path.toString();
    }

    /** Appends a value. */
    static void write(Chunks out, Object value) {
        try (JsonGenerator generator = MAPPER.createGenerator(out)) {
            generator.writePOJO(value);
        } catch (IOException e) {
            throw new IllegalStateException("our own answers can be written as JSON", e);
        }
    }

    /** What is written, in pieces: a large answer is never copied as a whole. For one thread. */
    static final class Chunks extends OutputStream {

        private static final int MAX_CHUNK_BYTES = 1 << 20;

        private final List<ByteSlice> slices = new ArrayList<>();
        private byte[] chunk = new byte[4096];
        private int length;

        @Override
        public void write(int next) {
            write(new byte[] {(byte) next}, 0, 1);
        }

        void write(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            write(bytes, 0, bytes.length);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            int done = 0;
            while (done < count) {
                if (length == chunk.length) {
                    cut();
                }
                int part = Math.min(count - done, chunk.length - length);
                System.arraycopy(bytes, offset + done, chunk, length, part);
                length += part;
                done += part;
            }
        }

        private void cut() {
            slices.add(new ByteSlice(chunk, 0, length));
            chunk = new byte[Math.min(MAX_CHUNK_BYTES, 4 * chunk.length)];
            length = 0;
        }

        /** Everything written, in order. */
        List<ByteSlice> slices() {
            if (length > 0 || slices.isEmpty()) {
                cut();
            }
            return slices;
        }
    }

    static ByteSlice write(Object value) {
        try {
            return new ByteSlice(MAPPER.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("our own answers can be written as JSON", e);
        }
    }
}
