package io.talosgateway.client;

import java.nio.charset.StandardCharsets;

import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;

/**
 * A message to put.
 *
 * @param key decides the partition when a topic is put to, and is kept with the message; 1 to 256 characters, or null
 * @param payload not copied: leave it alone until the put is answered
 * @param form in which other clients are shown it; the payload of TEXT is UTF-8, that of JSON one JSON value
 */
@SuppressWarnings("ArrayRecordComponent") // A payload is bytes; messages are not compared.
public record NewMessage(@Nullable String key, byte[] payload, ValueForm form) {

    /** Bytes. */
    public NewMessage(@Nullable String key, byte[] payload) {
        this(key, payload, ValueForm.BYTES);
    }

    public static NewMessage of(byte[] payload) {
        return new NewMessage(null, payload);
    }

    /** The text as UTF-8. */
    public static NewMessage of(String text) {
        return new NewMessage(null, text.getBytes(StandardCharsets.UTF_8), ValueForm.TEXT);
    }

    /**
     * A JSON value, kept without white space.
     *
     * @throws IllegalArgumentException if it is not one JSON value, or null
     */
    public static NewMessage ofJson(String json) {
        return new NewMessage(null, JsonValues.compact(json), ValueForm.JSON);
    }

    public NewMessage withKey(@Nullable String newKey) {
        return new NewMessage(newKey, payload, form);
    }
}
