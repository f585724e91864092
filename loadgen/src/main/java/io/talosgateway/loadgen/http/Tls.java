package io.talosgateway.loadgen.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;

/**
 * Which servers are trusted.
 *
 * @param checksName whether a certificate must be for the host that was asked for
 */
public record Tls(SSLContext context, boolean checksName) {

    /**
     * Trust in servers.
     *
     * @param authorities a PEM file with the certificates to trust; null for those that Java trusts
     * @param insecure trusts everybody
     * @throws LoadFailure with a sentence for the user if the file cannot be used
     */
    public static Tls trusting(@Nullable Path authorities, boolean insecure) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, insecure ? new TrustManager[] {new TrustsEverybody()} : managers(authorities), null);
            return new Tls(context, !insecure);
        } catch (GeneralSecurityException e) {
            throw new LoadFailure("TLS cannot be used here: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] managers(@Nullable Path authorities) throws GeneralSecurityException {
        if (authorities == null) {
            return null;
        }
        try (InputStream in = Files.newInputStream(authorities)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + trusted.size(), certificate);
            }
            if (trusted.size() == 0) {
                throw new LoadFailure("--tls-ca: there is no certificate in " + authorities);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory.getTrustManagers();
        } catch (NoSuchFileException e) {
            throw new LoadFailure("--tls-ca: there is no file " + authorities, e);
        } catch (CertificateException e) {
            throw new LoadFailure("--tls-ca: %s holds no certificates in PEM".formatted(authorities), e);
        } catch (IOException e) {
            throw new LoadFailure("--tls-ca: %s cannot be read: %s".formatted(authorities, e.getMessage()), e);
        }
    }

    Wire over(SocketChannel channel, String host, int port) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        if (checksName) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
        }
        return new TlsWire(channel, engine);
    }

    /** Also of names: only the extended kind is asked about them. */
    private static final class TrustsEverybody extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
