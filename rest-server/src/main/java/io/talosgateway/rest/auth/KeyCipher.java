package io.talosgateway.rest.auth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Supplier;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Suppliers;
import io.talosgateway.rest.coordination.KeyRecords.Sealed;

/**
 * Seals the records of keys: encrypts them and makes sure that nobody without the secret can make or change one. Safe for use by
 * any thread.
 *
 * <p>AES-256 in GCM. The key comes from the secret by PBKDF2 with the cluster's id as salt. The content is a nonce of 12 random
 * bytes, the ciphertext of the JSON and a tag of 16 bytes; the tag also stands for the id, so that a record is good for one id only.
 */
public final class KeyCipher {

    public static final int MIN_SECRET = 16;

    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final int ITERATIONS = 310_000;
    private static final int KEY_BITS = 256;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int NAME_BYTES = 8;

    /** As {@code RecordJson} of the coordination has it: an earlier release ignores fields that it does not know. */
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /** Takes a tenth of a second, so that secrets cannot be tried in numbers: not before there is a key. */
    private final Supplier<Derived> derived;

    private final SecureRandom random = new SecureRandom();

    /** @param name of the secret, which tells nothing of it */
    private record Derived(SecretKey key, String name) {}

    /** A record cannot be opened; the message is for the operator. */
    static final class SealException extends Exception {

        private static final long serialVersionUID = 1L;

        private SealException(String message) {
            super(message);
        }
    }

    public KeyCipher(String secret, String clusterId) {
        derived = Suppliers.memoize(() -> derive(secret, clusterId));
    }

    private static Derived derive(String secret, String clusterId) {
        try {
            PBEKeySpec spec = new PBEKeySpec(
                    secret.toCharArray(), clusterId.getBytes(StandardCharsets.UTF_8), ITERATIONS, KEY_BITS);
            byte[] key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] name = mac.doFinal("name of the key".getBytes(StandardCharsets.UTF_8));
            return new Derived(
                    new SecretKeySpec(key, "AES"), HexFormat.of().formatHex(Arrays.copyOf(name, NAME_BYTES)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has PBKDF2 and HMAC-SHA-256", e);
        }
    }

    boolean hasSealed(Sealed record) {
        return record.sealedWith().equals(derived.get().name);
    }

    Sealed seal(AccessKey accessKey) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] plain = MAPPER.writeValueAsBytes(KeyJson.of(accessKey));
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, accessKey.id(), nonce).doFinal(plain);
            byte[] content = ByteBuffer.allocate(nonce.length + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
            return new Sealed(derived.get().name, Base64.getEncoder().encodeToString(content));
        } catch (GeneralSecurityException | JsonProcessingException e) {
            throw new IllegalStateException("every Java has " + TRANSFORMATION + ", and keys can be written", e);
        }
    }

    /** @throws SealException if it was not sealed with this secret for this id, or was changed since */
    AccessKey open(String id, Sealed record) throws SealException {
        if (!hasSealed(record)) {
            throw new SealException(
                    "it is encrypted with another auth.key-encryption-secret than this host's: give all hosts the same one");
        }
        try {
            byte[] content = Base64.getDecoder().decode(record.content());
            if (content.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
                throw new AEADBadTagException();
            }
            byte[] plain = cipher(Cipher.DECRYPT_MODE, id, Arrays.copyOf(content, NONCE_BYTES))
                    .doFinal(content, NONCE_BYTES, content.length - NONCE_BYTES);
            AccessKey opened = MAPPER.readValue(plain, KeyJson.class).toKey();
            if (!opened.id().equals(id)) {
                throw new SealException("it is the record of another key");
            }
            return opened;
        } catch (AEADBadTagException e) {
            throw new SealException("it was changed by somebody without the secret, or is damaged: delete the key");
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            // Not the message, which may quote a secret.
            throw new SealException(
                    "it is not a key of this release: " + e.getClass().getSimpleName());
        }
    }

    private Cipher cipher(int mode, String id, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(mode, derived.get().key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(("key " + id).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
