package io.talosgateway.rest.auth;

import java.util.Base64;
import java.util.List;

import io.talosgateway.rest.auth.KeyCipher.SealException;
import io.talosgateway.rest.coordination.KeyRecords.Sealed;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class KeyCipherTest {

    private static final String SECRET = "the secret of all hosts";
    private static final KeyCipher CIPHER = new KeyCipher(SECRET, "cluster-1");
    private static final AccessKey KEY = new AccessKey(
                    "TGID",
                    "the secret of the key",
                    "alice",
                    "CLbilling",
                    false,
                    new KeySettings(KeyScope.of(List.of("get"), List.of("orders-*")), true, 5L, "text"),
                    null,
                    7)
            .rotated("the new secret", 9);

    @Test
    void whatIsSealedIsReadByAHostWithTheSameSecret() throws Exception {
        Sealed sealed = CIPHER.seal(KEY);

        assertThat(new KeyCipher(SECRET, "cluster-1").open("TGID", sealed)).isEqualTo(KEY);
        assertThat(CIPHER.seal(KEY).content()).as("another nonce").isNotEqualTo(sealed.content());
        assertThat(new String(
                        Base64.getDecoder().decode(sealed.content()), java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain("secret")
                .doesNotContain("alice");
    }

    @Test
    void everyByteCounts() {
        Sealed sealed = CIPHER.seal(KEY);
        byte[] content = Base64.getDecoder().decode(sealed.content());
        for (int index = 0; index < content.length; index++) {
            byte[] changed = content.clone();
            changed[index] ^= 1;
            assertRefused(
                    CIPHER,
                    "TGID",
                    new Sealed(sealed.sealedWith(), encoded(changed)),
                    "was changed by somebody without");
        }
        for (int length : new int[] {0, 11, 12, content.length - 1}) {
            byte[] cut = java.util.Arrays.copyOf(content, length);
            assertRefused(CIPHER, "TGID", new Sealed(sealed.sealedWith(), encoded(cut)), "was changed by somebody");
        }
        assertRefused(CIPHER, "TGID", new Sealed(sealed.sealedWith(), "not Base64!"), "is not a key of this release");
    }

    @Test
    void recordOfOneKeyIsNotGoodForAnother() {
        assertRefused(CIPHER, "TGOTHER", CIPHER.seal(KEY), "was changed by somebody without");
    }

    @Test
    void otherSecretsAndClustersAreTold() {
        Sealed sealed = CIPHER.seal(KEY);
        for (KeyCipher other :
                List.of(new KeyCipher("another secret of hosts", "cluster-1"), new KeyCipher(SECRET, "cluster-2"))) {
            assertRefused(other, "TGID", sealed, "another auth.key-encryption-secret than this host's");
            // Nor can it be talked into it.
            Sealed claimed = new Sealed(other.seal(KEY).sealedWith(), sealed.content());
            assertRefused(other, "TGID", claimed, "was changed by somebody without");
        }
    }

    private static String encoded(byte[] content) {
        return Base64.getEncoder().encodeToString(content);
    }

    private static void assertRefused(KeyCipher cipher, String id, Sealed sealed, String reason) {
        assertThatThrownBy(() -> cipher.open(id, sealed))
                .isInstanceOf(SealException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("the secret of");
    }
}
