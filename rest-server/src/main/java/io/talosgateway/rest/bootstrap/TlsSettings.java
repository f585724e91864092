package io.talosgateway.rest.bootstrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.talosgateway.rest.coordination.zookeeper.ZooKeeperTls;
import io.talosgateway.rest.http.tls.ClientCertificates;
import io.talosgateway.rest.http.tls.TlsConfig;
import io.talosgateway.rest.tls.CertificateFiles;
import io.talosgateway.rest.tls.HostTls;
import io.talosgateway.rest.tls.KeyStoreFile;
import io.talosgateway.rest.tls.PemFiles;
import io.talosgateway.rest.tls.TlsProvider;
import io.talosgateway.rest.tls.TrustedCertificates;
import org.jspecify.annotations.Nullable;

/** Reads the configuration of TLS. */
final class TlsSettings {

    private static final Map<String, TlsProvider> PROVIDERS =
            Map.of("jdk", TlsProvider.JDK, "conscrypt", TlsProvider.CONSCRYPT);

    private enum ClientAuth {
        NONE,
        WANT,
        NEED
    }

    private static final Map<String, ClientAuth> CLIENT_AUTHS =
            Map.of("none", ClientAuth.NONE, "want", ClientAuth.WANT, "need", ClientAuth.NEED);

    private TlsSettings() {}

    /**
     * @param plain whether plain HTTP is spoken
     * @return null without TLS
     * @throws ConfigException with a sentence for the operator
     */
    static @Nullable TlsConfig read(Settings settings, boolean plain) {
        CertificateFiles files = files(settings);
        int port = settings.integer("tls.port", 8443);
        TlsProvider provider = settings.choice("tls.provider", PROVIDERS, "jdk");
        Duration reloadInterval = reloadInterval(settings);
        Duration handshakeTimeout = settings.duration("tls.handshake-timeout", Duration.ofSeconds(10));
        int maxHandshakes = settings.integer("tls.max-handshakes", 1_024);
        String advertise = settings.optional("tls.advertise");
        ClientCertificates clients = clients(settings);
        if (files != null) {
            return new TlsConfig(
                    port, files, provider, reloadInterval, handshakeTimeout, maxHandshakes, advertise, clients);
        }
        if (clients != null) {
            throw new ConfigException("tls.client-auth needs TLS: set tls.certificate and tls.key.");
        }
        if (!plain) {
            throw new ConfigException(
                    "http.enabled=false leaves clients no way in without TLS: set tls.certificate and tls.key.");
        }
        return null;
    }

    private static @Nullable ClientCertificates clients(Settings settings) {
        ClientAuth auth = settings.choice("tls.client-auth", CLIENT_AUTHS, "none");
        String authorities = settings.optional("tls.client-ca");
        String keys = settings.optional("tls.client-keys");
        if (auth == ClientAuth.NONE) {
            if (authorities != null || keys != null) {
                throw new ConfigException("tls.client-ca and tls.client-keys need tls.client-auth=want or need.");
            }
            return null;
        }
        if (authorities == null || keys == null) {
            throw new ConfigException(
                    "tls.client-auth=want and need need tls.client-ca and tls.client-keys: set both.");
        }
        return new ClientCertificates(new TrustedCertificates(path(authorities)), path(keys), auth == ClientAuth.NEED);
    }

    private static Duration reloadInterval(Settings settings) {
        return settings.duration("tls.reload-interval", Duration.ofSeconds(10));
    }

    /**
     * What hosts speak to each other.
     *
     * @return null for clear text
     * @throws ConfigException with a sentence for the operator
     */
    static HostTls.@Nullable Config readPeer(Settings settings) {
        String certificate = settings.optional("peer.tls.certificate");
        String key = settings.optional("peer.tls.private-key");
        String trusted = settings.optional("peer.tls.trusted-certificates");
        if (certificate == null && key == null && trusted == null) {
            return null;
        }
        if (certificate == null || key == null || trusted == null) {
            throw new ConfigException(
                    "peer.tls.certificate, peer.tls.private-key and peer.tls.trusted-certificates belong together: set all three.");
        }
        return new HostTls.Config(
                new PemFiles(path(certificate), path(key)),
                new TrustedCertificates(path(trusted)),
                reloadInterval(settings));
    }

    /**
     * What is spoken to ZooKeeper.
     *
     * @return null for clear text
     * @throws ConfigException with a sentence for the operator
     */
    static @Nullable ZooKeeperTls readZooKeeper(Settings settings) {
        String trusted = settings.optional("zookeeper.tls.trusted-certificates");
        String own = settings.optional("zookeeper.tls.certificate-and-key");
        boolean verify = settings.bool("zookeeper.tls.verify-host-names", true);
        if (trusted == null) {
            if (own != null) {
                throw new ConfigException(
                        "zookeeper.tls.certificate-and-key needs zookeeper.tls.trusted-certificates.");
            }
            return null;
        }
        if (settings.optional("zookeeper.connect") == null) {
            throw new ConfigException(
                    "zookeeper.tls.trusted-certificates is for ZooKeeper servers elsewhere: set zookeeper.connect too.");
        }
        return new ZooKeeperTls(new TrustedCertificates(path(trusted)), own == null ? null : path(own), verify);
    }

    private static @Nullable CertificateFiles files(Settings settings) {
        String certificate = settings.optional("tls.certificate");
        String key = settings.optional("tls.key");
        String store = settings.optional("tls.key-store");
        String password = settings.secret("tls.key-store-password");
        if (store == null) {
            if (password != null) {
                throw new ConfigException("tls.key-store-password is set, but not tls.key-store.");
            }
            return pem(certificate, key);
        }
        if (certificate != null || key != null) {
            throw new ConfigException("Set either tls.certificate and tls.key, or tls.key-store: not both.");
        }
        if (password == null) {
            throw new ConfigException("tls.key-store needs tls.key-store-password.");
        }
        return new KeyStoreFile(path(store), password);
    }

    private static @Nullable PemFiles pem(@Nullable String certificate, @Nullable String key) {
        if (certificate == null && key == null) {
            return null;
        }
        if (certificate == null || key == null) {
            throw new ConfigException("tls.certificate and tls.key belong together: %s is missing."
                    .formatted(key == null ? "tls.key" : "tls.certificate"));
        }
        return new PemFiles(path(certificate), path(key));
    }

    private static Path path(String text) {
        return Path.of(text).toAbsolutePath().normalize();
    }
}
