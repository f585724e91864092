package io.talosgateway.rest.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

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

    private static final int DIGEST_BYTES = 16;

    /** @throws IllegalArgumentException with a sentence for the user if the length is wrong */
    public IdempotencyKey {
        checkLength(value);
    }

    private static void checkLength(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "An idempotency key has 1 to " + MAX_LENGTH + " characters; this one has " + value.length() + ".");
        }
    }

    /**
     * The key that a principal means by what it sent. Two principals never mean the same one, whatever they send: the value is a
     * cryptographic digest of both, so that nobody can aim at another's.
     *
     * @param sent 1 to {@value #MAX_LENGTH} characters
     * @throws IllegalArgumentException with a sentence for the user if the length is wrong
     */
    public static IdempotencyKey of(String principal, String sent, boolean strict) {
        checkLength(sent);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            // The length keeps apart what is next to each other.
            digest.update((principal.length() + ":" + principal + sent).getBytes(StandardCharsets.UTF_8));
            byte[] half = Arrays.copyOf(digest.digest(), DIGEST_BYTES);
            return new IdempotencyKey(Base64.getUrlEncoder().withoutPadding().encodeToString(half), strict);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
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
