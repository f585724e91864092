package io.talosgateway.client;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * A message to put.
 *
 * @param key decides the partition when a topic is put to, and is kept with the message; 1 to 256 characters, or null
 * @param payload not copied: leave it alone until the put is answered
 */
@SuppressWarnings("ArrayRecordComponent") // A payload is bytes; messages are not compared.
public record NewMessage(@Nullable String key, byte[] payload) {

    public static NewMessage of(byte[] payload) {
        return new NewMessage(null, payload);
    }

    /** The text as UTF-8. */
    public static NewMessage of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public NewMessage withKey(String newKey) {
        return new NewMessage(newKey, payload);
    }
}
