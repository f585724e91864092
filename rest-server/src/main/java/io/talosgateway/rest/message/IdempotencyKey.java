package io.talosgateway.rest.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;

/**
 * Names a put so that a repeat of it is recognised: a client gives every put another key and uses the same key when it
 * repeats one.
 *
 * @param value 1 to {@value #MAX_LENGTH} characters
 * @param strict whether the same key with other messages is refused, as a client that chose the key itself expects. When
 *     false, it is a new put: the Talos SDKs never promised that their {@code sequenceId} is unique, and dropping a new
 *     message is worse than storing one twice.
 */
public record IdempotencyKey(String value, boolean strict) {

    public static final int MAX_LENGTH = 256;

    /** @throws IllegalArgumentException with a sentence for the user if the length is wrong */
    public IdempotencyKey {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "An idempotency key has 1 to " + MAX_LENGTH + " characters; this one has " + value.length() + ".");
        }
    }

    /** 128 bits that stand for the key: MurmurHash3 x64 of its UTF-8 bytes. */
    public Fingerprint fingerprint() {
        HashCode hash = Hashing.murmur3_128().hashString(value, StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.wrap(hash.asBytes()).order(ByteOrder.LITTLE_ENDIAN);
        return new Fingerprint(bytes.getLong(), bytes.getLong());
    }

    /** A key as the index and the window of recent puts remember it: by its hash, in constant space. */
    public record Fingerprint(long first, long second) {}
}
