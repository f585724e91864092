package io.talosgateway.client;

import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is stored.
 *
 * @param sequenceNumber the producer's id for it, if it gave one
 * @param createdAtMs by the producer's clock, epoch milliseconds, if it gave one
 * @param appendedAtMs by the gateway's clock, epoch milliseconds
 * @param form in which it was put; if that is not known, TEXT if the payload is UTF-8, else BYTES. The payload of JSON is
 *     the value without white space
 */
@SuppressWarnings("ArrayRecordComponent") // A payload is bytes; messages are not compared.
public record Message(
        long offset,
        @Nullable String key,
        byte[] payload,
        @Nullable String sequenceNumber,
        @Nullable Long createdAtMs,
        @Nullable Long appendedAtMs,
        ValueForm form) {

    /** A message whose producer did not say what it is. */
    public Message(
            long offset,
            @Nullable String key,
            byte[] payload,
            @Nullable String sequenceNumber,
            @Nullable Long createdAtMs,
            @Nullable Long appendedAtMs) {
        this(offset, key, payload, sequenceNumber, createdAtMs, appendedAtMs, JsonValues.guess(payload));
    }

    @JsonCreator
    static Message of(
            @JsonProperty("offset") long offset,
            @JsonProperty("key") @Nullable String key,
            @JsonProperty("value") @JsonDeserialize(using = JsonValues.Reader.class) JsonValues.@Nullable Value value,
            @JsonProperty("valueBase64") byte @Nullable [] bytes,
            @JsonProperty("sequenceNumber") @Nullable String sequenceNumber,
            @JsonProperty("createdAtMs") @Nullable Long createdAtMs,
            @JsonProperty("appendedAtMs") @Nullable Long appendedAtMs) {
        byte[] payload = value != null ? value.payload() : bytes != null ? bytes : new byte[0];
        ValueForm form = value != null ? value.form() : ValueForm.BYTES;
        return new Message(offset, key, payload, sequenceNumber, createdAtMs, appendedAtMs, form);
    }

    /** The payload read as UTF-8. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }
}
