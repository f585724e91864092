package io.talosgateway.rest.auth;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How clients prove who they are.
 *
 * @param keyFile where the keys are
 * @param clockTolerance how far the clock of a client may be off
 * @param allowGuests whether requests without credentials may do everything; for tests on a closed network only
 * @param refuseReplays whether a signed change on the Thrift interface is accepted once even if it has no nonce
 * @param maxRemembered signatures that are remembered to recognise replays
 * @param keyEncryptionSecret by which keys in ZooKeeper are encrypted; null if there is none
 * @param tokens bearer tokens; null if none are accepted
 */
public record AuthConfig(
        Path keyFile,
        Duration clockTolerance,
        boolean allowGuests,
        boolean refuseReplays,
        int maxRemembered,
        @Nullable String keyEncryptionSecret,
        @Nullable TokenConfig tokens) {

    public AuthConfig {
        if (keyEncryptionSecret != null && keyEncryptionSecret.length() < KeyCipher.MIN_SECRET) {
            throw new IllegalArgumentException(
                    "auth.key-encryption-secret must have at least %d characters, the same at all hosts of the cluster; it has %d"
                            .formatted(KeyCipher.MIN_SECRET, keyEncryptionSecret.length()));
        }
        if (maxRemembered < 1) {
            throw new IllegalArgumentException("auth.max-remembered-requests must be positive: " + maxRemembered);
        }
        if (clockTolerance.toSeconds() < 1) {
            throw new IllegalArgumentException("auth.clock-tolerance must be at least 1s: " + clockTolerance);
        }
    }
}
