package io.talosgateway.rest.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * A PEM file with the certificates of authorities: what they have signed is trusted, and nothing else.
 *
 * @param file one certificate or more
 */
public record TrustedCertificates(Path file) {

    /**
     * What checks the certificates of others.
     *
     * @param content what is in the file
     * @throws IOException with a sentence for the operator if there is no certificate, or it cannot be used
     */
    public TrustManager[] parse(byte[] content) throws IOException {
        List<X509Certificate> authorities = PemFiles.certificates(file, content);
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int index = 0; index < authorities.size(); index++) {
                store.setCertificateEntry("authority-" + index, authorities.get(index));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IOException("The certificates in %s cannot be used: %s".formatted(file, e.getMessage()), e);
        }
    }
}
