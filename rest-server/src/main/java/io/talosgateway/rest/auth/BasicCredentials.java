package io.talosgateway.rest.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/** What an {@code Authorization} header with the scheme Basic says (RFC 7617), decoded. Immutable. */
public final class BasicCredentials {

    /** Of a header that is kept: strangers send longer ones on many connections. */
    private static final int MAX_KEPT = 512;

    private final String header;
    private final @Nullable String keyId;
    private final byte[] secret;

    private BasicCredentials(String header, @Nullable String keyId, byte[] secret) {
        this.header = header;
        this.keyId = keyId;
        this.secret = secret;
    }

    /** Where a connection keeps what its last request was decoded to: most clients send the same in each. For any thread. */
    public interface Memory {

        /** For a request of which nothing is known. */
        Memory NONE = new Memory() {
            @Override
            public @Nullable BasicCredentials last() {
                return null;
            }

            @Override
            public void keep(BasicCredentials credentials) {}
        };

        @Nullable
        BasicCredentials last();

        void keep(BasicCredentials credentials);
    }

    /**
     * Decodes a header, or finds that it was decoded before.
     *
     * @param from where the credentials begin
     * @throws IllegalArgumentException if they are not valid Base64
     */
    static BasicCredentials of(String header, int from, Memory memory) {
        BasicCredentials last = memory.last();
        if (last != null && last.header.equals(header)) {
            return last;
        }
        BasicCredentials decoded = decode(header, from);
        if (header.length() <= MAX_KEPT) {
            memory.keep(decoded);
        }
        return decoded;
    }

    private static BasicCredentials decode(String header, int from) {
        byte[] decoded = Base64.getDecoder().decode(header.substring(from).trim());
        int colon = 0;
        while (colon < decoded.length && decoded[colon] != ':') {
            colon++;
        }
        return colon == decoded.length
                ? new BasicCredentials(header, null, new byte[0])
                : new BasicCredentials(
                        header,
                        new String(decoded, 0, colon, StandardCharsets.UTF_8),
                        Arrays.copyOfRange(decoded, colon + 1, decoded.length));
    }

    /** Null if there is no colon. */
    @Nullable
    String keyId() {
        return keyId;
    }

    /** Takes a time that depends on nothing but the length of what was given. */
    boolean hasSecret(String expected) {
        return MessageDigest.isEqual(secret, expected.getBytes(StandardCharsets.UTF_8));
    }
}
