package io.talosgateway.rest.bootstrap;

import java.io.IOException;

import io.talosgateway.rest.auth.KeyCipher;
import io.talosgateway.rest.config.PrivateFiles;
import org.jspecify.annotations.Nullable;

/** How keys in ZooKeeper are encrypted. */
final class KeyEncryption {

    private static final String FILE = "key-encryption.secret";
    private static final int SECRET_BYTES = 32;

    private KeyEncryption() {}

    /** Null for a host of a cluster without a configured secret. A host that is alone makes one up. */
    static @Nullable KeyCipher cipher(GatewayConfig config, String clusterId) throws IOException {
        String secret = config.auth().keyEncryptionSecret();
        if (secret == null && config.isAlone()) {
            secret = PrivateFiles.secret(config.dataDirectory().resolve(FILE), SECRET_BYTES);
        }
        return secret == null ? null : new KeyCipher(secret, clusterId);
    }
}
