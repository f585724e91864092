package io.talosgateway.rest.message;

/**
 * What a put with an idempotency key is recognised by. It is made once for a put: the digest takes time in proportion to the messages.
 *
 * @param digest of the put's blocks
 */
public record PutIdentity(IdempotencyKey key, IdempotencyKey.Fingerprint fingerprint, long digest) {

    public static PutIdentity of(IdempotencyKey key, MessageBatch batch) {
        return new PutIdentity(key, key.fingerprint(), batch.digest());
    }
}
