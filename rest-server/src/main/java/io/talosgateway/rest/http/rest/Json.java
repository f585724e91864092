package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.wire.message.ByteSlice;

/** Reads and writes JSON. What a client misspells is refused, not ignored. Stateless. */
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
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .build();
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
        } catch (StreamConstraintsException e) {
            throw new GatewayException(
                    ErrorCode.REQUEST_TOO_LARGE,
                    "%s is too large or nested too deeply: %s".formatted(what, firstLine(e)));
        } catch (UnrecognizedPropertyException e) {
            throw new GatewayException(
                    ErrorCode.MALFORMED_REQUEST,
                    "%s has no field '%s'; it has %s.".formatted(what, e.getPropertyName(), e.getKnownPropertyIds()));
        } catch (JsonMappingException e) {
            if (e.getCause() instanceof GatewayException refusal) {
                throw refusal;
            }
            if (e.getCause() instanceof StreamConstraintsException limit) {
                throw new GatewayException(
                        ErrorCode.REQUEST_TOO_LARGE,
                        "%s is too large or nested too deeply: %s".formatted(what, firstLine(limit)));
            }
            throw new GatewayException(
                    ErrorCode.MALFORMED_REQUEST,
                    "%s is not valid at %s: %s".formatted(what, e.getPathReference(), firstLine(e)));
        } catch (JsonProcessingException e) {
            throw new GatewayException(
                    ErrorCode.MALFORMED_REQUEST,
                    "%s is not JSON, at line %d, column %d: %s"
                            .formatted(
                                    what,
                                    e.getLocation() == null
                                            ? 0
                                            : e.getLocation().getLineNr(),
                                    e.getLocation() == null
                                            ? 0
                                            : e.getLocation().getColumnNr(),
                                    firstLine(e)));
        } catch (IOException e) {
            throw new GatewayException(
                    ErrorCode.MALFORMED_REQUEST, what + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private static String firstLine(JsonProcessingException e) {
        return e.getOriginalMessage().lines().findFirst().orElse("") + ".";
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
