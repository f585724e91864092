package io.talosgateway.rest.hostprotocol;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

import io.talosgateway.wire.message.ByteSlice;

/**
 * What both sides of a new connection know once they have greeted each other. Each proves that it knows the secret of the
 * cluster by signing all of it: a proof made for one connection, role, host or incarnation is worth nothing for another. The
 * caller proves first, so that a stranger who connects gets no signature to try secrets on.
 *
 * <pre>
 * text that is signed: for each of the following, its length in bytes (4 bytes, big-endian), then its bytes
 *
 *   "talos-gateway/2 caller" or "talos-gateway/2 owner"    who signs
 *   cluster id                                             UTF-8
 *   name of the caller                                     UTF-8
 *   incarnation of the caller                              8 bytes, big-endian
 *   nonce of the caller                                    32 bytes
 *   name of the owner                                      UTF-8
 *   incarnation of the owner                               8 bytes, big-endian
 *   nonce of the owner                                     32 bytes
 *   over TLS only: SHA-256 of the owner's certificate      32 bytes
 * </pre>
 *
 * <p>The last one keeps out whoever stands between two hosts with another certificate that they trust.
 *
 * @param certificate digest of the owner's certificate; empty without TLS
 */
public record Handshake(
        String clusterId,
        String caller,
        long callerIncarnation,
        ByteSlice callerNonce,
        String owner,
        long ownerIncarnation,
        ByteSlice ownerNonce,
        ByteSlice certificate) {

    /** Of the handshake and the calls behind it. */
    public static final int VERSION = 2;

    public static final int NONCE_BYTES = 32;

    /** Why a caller is refused whose proof was right, but who is not registered. */
    public static final String NOT_REGISTERED =
            "it knows the secret of the cluster, but ZooKeeper has no such host in this incarnation";

    /** @throws IllegalArgumentException if a nonce has the wrong length */
    public Handshake {
        if (callerNonce.length() != NONCE_BYTES || ownerNonce.length() != NONCE_BYTES) {
            throw new IllegalArgumentException("a nonce has " + NONCE_BYTES + " bytes");
        }
    }

    /** @param random must not be predictable */
    public static ByteSlice nonce(RandomGenerator random) {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return new ByteSlice(bytes);
    }

    public ByteSlice callerProof(ClusterSecret secret) {
        return new ByteSlice(secret.sign(text("caller")));
    }

    public ByteSlice ownerProof(ClusterSecret secret) {
        return new ByteSlice(secret.sign(text("owner")));
    }

    public boolean isCallerProof(ClusterSecret secret, ByteSlice proof) {
        return secret.signed(text("caller"), proof.toByteArray());
    }

    public boolean isOwnerProof(ClusterSecret secret, ByteSlice proof) {
        return secret.signed(text("owner"), proof.toByteArray());
    }

    private byte[] text(String role) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out, ("talos-gateway/" + VERSION + " " + role).getBytes(StandardCharsets.UTF_8));
            write(out, clusterId.getBytes(StandardCharsets.UTF_8));
            write(out, caller.getBytes(StandardCharsets.UTF_8));
            write(out, callerIncarnation);
            write(out, callerNonce.toByteArray());
            write(out, owner.getBytes(StandardCharsets.UTF_8));
            write(out, ownerIncarnation);
            write(out, ownerNonce.toByteArray());
            if (certificate.length() > 0) {
                write(out, certificate.toByteArray());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, long field) throws IOException {
        out.writeInt(Long.BYTES);
        out.writeLong(field);
    }

    private static void write(DataOutputStream out, byte[] field) throws IOException {
        out.writeInt(field.length);
        out.write(field);
    }
}
