package io.talosgateway.rest.hostprotocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What only the hosts of one cluster know. It signs; it is never sent and never shown. */
public final class ClusterSecret {

    public static final int MIN_LENGTH = 16;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /** @throws IllegalArgumentException with a sentence for the operator if it is too short */
    public ClusterSecret(String text) {
        if (text.length() < MIN_LENGTH) {
            throw new IllegalArgumentException("peer.secret must have at least " + MIN_LENGTH
                    + " characters, the same at all hosts of the cluster; it has " + text.length());
        }
        this.key = new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /** HMAC-SHA-256 of the text: 32 bytes. */
    byte[] sign(byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** Whether the signature is that of the text, in a time that does not depend on how much of it is right. */
    boolean signed(byte[] text, byte[] signature) {
        return MessageDigest.isEqual(sign(text), signature);
    }

    @Override
    public String toString() {
        return "ClusterSecret[not shown]";
    }
}
