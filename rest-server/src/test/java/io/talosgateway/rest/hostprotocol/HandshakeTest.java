package io.talosgateway.rest.hostprotocol;

import java.util.Random;

import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class HandshakeTest {

    private final ClusterSecret secret = new ClusterSecret("a secret of the cluster");
    private final Random random = new Random(1);
    private final ByteSlice callerNonce = Handshake.nonce(random);
    private final ByteSlice ownerNonce = Handshake.nonce(random);
    private final Handshake handshake = handshake("cluster", "a", 3, callerNonce, "b", 7, ownerNonce);

    private static Handshake handshake(
            String cluster,
            String caller,
            long callerIncarnation,
            ByteSlice callerNonce,
            String owner,
            long incarnation,
            ByteSlice ownerNonce) {
        return new Handshake(
                cluster, caller, callerIncarnation, callerNonce, owner, incarnation, ownerNonce, ByteSlice.EMPTY);
    }

    private Handshake over(String certificate) {
        return new Handshake("cluster", "a", 3, callerNonce, "b", 7, ownerNonce, ByteSlice.utf8(certificate));
    }

    @Test
    void eachSideBelievesTheProofOfTheOther() {
        assertThat(handshake.isCallerProof(secret, handshake.callerProof(secret)))
                .isTrue();
        assertThat(handshake.isOwnerProof(secret, handshake.ownerProof(secret))).isTrue();
    }

    @Test
    void proofOfOneSideIsNoneOfTheOther() {
        assertThat(handshake.isCallerProof(secret, handshake.ownerProof(secret)))
                .isFalse();
        assertThat(handshake.isOwnerProof(secret, handshake.callerProof(secret)))
                .isFalse();
    }

    @Test
    void proofUnderAnotherSecretIsNotBelieved() {
        ClusterSecret other = new ClusterSecret("another secret altogether");

        assertThat(handshake.isCallerProof(secret, handshake.callerProof(other)))
                .isFalse();
        assertThat(handshake.isCallerProof(secret, ByteSlice.EMPTY)).isFalse();
    }

    @Test
    void proofHoldsForNothingElse() {
        ByteSlice proof = handshake.callerProof(secret);

        assertThat(new Handshake[] {
                    handshake("cluster2", "a", 3, callerNonce, "b", 7, ownerNonce),
                    handshake("cluster", "c", 3, callerNonce, "b", 7, ownerNonce),
                    handshake("cluster", "a", 4, callerNonce, "b", 7, ownerNonce),
                    handshake("cluster", "a", 3, Handshake.nonce(random), "b", 7, ownerNonce),
                    handshake("cluster", "a", 3, callerNonce, "c", 7, ownerNonce),
                    handshake("cluster", "a", 3, callerNonce, "b", 8, ownerNonce),
                    handshake("cluster", "a", 3, callerNonce, "b", 7, Handshake.nonce(random)),
                    // The same letters, cut elsewhere.
                    handshake("cluste", "ra", 3, callerNonce, "b", 7, ownerNonce),
                })
                .noneMatch(other -> other.isCallerProof(secret, proof));
    }

    @Test
    void proofHoldsForTheCertificateOfItsConnectionOnly() {
        ByteSlice proof = over("one").callerProof(secret);

        assertThat(over("one").isCallerProof(secret, proof)).isTrue();
        assertThat(over("two").isCallerProof(secret, proof)).isFalse();
        assertThat(handshake.isCallerProof(secret, proof)).isFalse();
        assertThat(over("one").isCallerProof(secret, handshake.callerProof(secret)))
                .isFalse();
    }

    @Test
    void secretMustBeLongAndIsNotShown() {
        assertThatThrownBy(() -> new ClusterSecret("too short"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("peer.secret")
                .hasMessageNotContaining("too short");
        assertThat(new HostIdentity("cluster", "a", secret).toString()).doesNotContain("a secret of");
    }
}
