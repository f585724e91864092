package io.talosgateway.rest.http.rest;

import java.io.IOException;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
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

    static final JsonMapper MAPPER = JsonMapper.builder(com.fasterxml.jackson.core.JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(MAX_STRING)
                            .maxNestingDepth(200)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    private Json() {}

    /**
     * Reads a value.
     *
     * @param what it is, for the error message
     * @throws GatewayException {@code MALFORMED_REQUEST} with the place and the reason
     */
    static <T> T read(ByteSlice bytes, Class<T> type, String what) {
        try {
            T value = MAPPER.readValue(bytes.array(), bytes.offset(), bytes.length(), type);
            if (value == null) {
                throw new GatewayException(ErrorCode.MALFORMED_REQUEST, what + " is null.");
            }
            return value;
        } catch (UnrecognizedPropertyException e) {
            throw new GatewayException(
                    ErrorCode.MALFORMED_REQUEST,
                    "%s has no field '%s'; it has %s.".formatted(what, e.getPropertyName(), e.getKnownPropertyIds()));
        } catch (JsonMappingException e) {
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

    static ByteSlice write(Object value) {
        try {
            return new ByteSlice(MAPPER.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("our own answers can be written as JSON", e);
        }
    }
}
