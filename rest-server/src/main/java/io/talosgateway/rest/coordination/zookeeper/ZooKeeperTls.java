package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.talosgateway.rest.tls.CertificateFiles;
import io.talosgateway.rest.tls.PemFiles;
import io.talosgateway.rest.tls.TrustedCertificates;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.jspecify.annotations.Nullable;

/**
 * TLS to ZooKeeper. ZooKeeper's client reads the files at each new connection.
 *
 * @param trusted who signs the certificates of the servers
 * @param own PEM file with a certificate of this host and its key; null if the servers ask for none
 * @param verifyHostNames whether a server's certificate must name the host in {@code zookeeper.connect}
 */
public record ZooKeeperTls(
        TrustedCertificates trusted, @Nullable Path own, boolean verifyHostNames) {

    private static final String PEM = "PEM";

    /**
     * Reads the files as ZooKeeper's client will, which only logs what is wrong with them.
     *
     * @throws IOException with a sentence for the operator if they cannot be used
     */
    void check() throws IOException {
        trusted.parse(CertificateFiles.load(List.of(trusted.file())).get(0));
        if (own != null) {
            PemFiles both = new PemFiles(own, own);
            both.parse(both.load());
        }
    }

    ZKClientConfig clientConfig() {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
        try (ClientX509Util names = new ClientX509Util()) {
            config.setProperty(
                    names.getSslTruststoreLocationProperty(), trusted.file().toString());
            config.setProperty(names.getSslTruststoreTypeProperty(), PEM);
            if (own != null) {
                config.setProperty(names.getSslKeystoreLocationProperty(), own.toString());
                config.setProperty(names.getSslKeystoreTypeProperty(), PEM);
            }
            config.setProperty(names.getSslHostnameVerificationEnabledProperty(), String.valueOf(verifyHostNames));
        }
        return config;
    }
}
