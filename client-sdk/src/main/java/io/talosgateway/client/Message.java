package io.talosgateway.client;

import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is stored.
 *
 * @param sequenceNumber the producer's id for it, if it gave one
 * @param createdAtMs by the producer's clock, epoch milliseconds, if it gave one
 * @param appendedAtMs by the gateway's clock, epoch milliseconds
 */
@SuppressWarnings("ArrayRecordComponent") // A payload is bytes; messages are not compared.
public record Message(
        long offset,
        @Nullable String key,
        byte[] payload,
        @Nullable String sequenceNumber,
        @Nullable Long createdAtMs,
        @Nullable Long appendedAtMs) {

    @JsonCreator
    static Message of(
            @JsonProperty("offset") long offset,
            @JsonProperty("key") @Nullable String key,
            @JsonProperty("value") @Nullable String value,
            @JsonProperty("valueBase64") byte @Nullable [] bytes,
            @JsonProperty("sequenceNumber") @Nullable String sequenceNumber,
            @JsonProperty("createdAtMs") @Nullable Long createdAtMs,
            @JsonProperty("appendedAtMs") @Nullable Long appendedAtMs) {
        byte[] payload = value != null ? value.getBytes(StandardCharsets.UTF_8) : bytes != null ? bytes : new byte[0];
        return new Message(offset, key, payload, sequenceNumber, createdAtMs, appendedAtMs);
    }

    /** The payload read as UTF-8. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }
}
