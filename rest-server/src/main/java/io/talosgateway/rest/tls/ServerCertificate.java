package io.talosgateway.rest.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

/** The certificate of this host with its key, checked: they belong together, and the chain is one. Immutable. */
public final class ServerCertificate {

    /** Of keys, by the names that the JDK gives them. */
    static final List<String> ALGORITHMS = List.of("RSA", "EC");

    private static final char[] NO_PASSWORD = {};
    /** Kinds of alternative names, by their numbers in RFC 5280: DNS names and addresses. */
    private static final Set<Integer> HOST_NAMES = Set.of(2, 7);
    /** Of the exchange of keys, in TLS 1.3. */
    private static final String ANY_ALGORITHM = "UNKNOWN";

    private final PrivateKey key;
    private final List<X509Certificate> chain;

    private ServerCertificate(PrivateKey key, List<X509Certificate> chain) {
        this.key = key;
        this.chain = List.copyOf(chain);
    }

    /**
     * @param where they are from, for error messages
     * @param chain the host's certificate first
     * @throws IOException with a sentence for the operator if the key is not the certificate's, or the chain is none
     */
    static ServerCertificate of(String where, PrivateKey key, List<X509Certificate> chain) throws IOException {
        PublicKey known = chain.get(0).getPublicKey();
        if (!ALGORITHMS.contains(known.getAlgorithm())) {
            throw new IOException("The key of the certificate in %s is of %s; it must be of %s."
                    .formatted(where, known.getAlgorithm(), String.join(" or ", ALGORITHMS)));
        }
        if (!known.getAlgorithm().equals(key.getAlgorithm()) || !belongTogether(key, known)) {
            throw new IOException(
                    "The certificate in %s is of another key: certificate and key must be made together (%s is first in the file)."
                            .formatted(where, name(chain.get(0))));
        }
        for (int index = 1; index < chain.size(); index++) {
            X509Certificate signed = chain.get(index - 1);
            X509Certificate signer = chain.get(index);
            if (!signed.getIssuerX500Principal().equals(signer.getSubjectX500Principal())) {
                throw new IOException(
                        "The certificates in %s are not a chain: after %s must come its signer, not %s. Put this host's first."
                                .formatted(where, name(signed), name(signer)));
            }
        }
        return new ServerCertificate(key, chain);
    }

    private static boolean belongTogether(PrivateKey key, PublicKey known) throws IOException {
        String algorithm = "SHA256with" + (key.getAlgorithm().equals("EC") ? "ECDSA" : key.getAlgorithm());
        byte[] text = {1, 2, 3};
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(text);
            byte[] signature = signing.sign();
            Signature checking = Signature.getInstance(algorithm);
            checking.initVerify(known);
            checking.update(text);
            return checking.verify(signature);
        } catch (GeneralSecurityException e) {
            // Keys of two curves.
            return false;
        }
    }

    private static String name(X509Certificate certificate) {
        return "'" + certificate.getSubjectX500Principal().getName() + "'";
    }

    /** Whom it is for. */
    public String subject() {
        return name(chain.get(0));
    }

    /** The names and addresses of the hosts that it is for; {@code *} stands for one label. */
    public List<String> hosts() {
        try {
            Collection<List<?>> names = chain.get(0).getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> HOST_NAMES.contains(name.get(0)))
                            .map(name -> String.valueOf(name.get(1)))
                            .toList();
        } catch (CertificateParsingException e) {
            return List.of();
        }
    }

    /** Whether clients that connect to this name or address find it there. */
    public boolean isFor(String host) {
        String anyOfDomain = "*" + host.substring(Math.max(0, host.indexOf('.')));
        return hosts().stream().anyMatch(name -> name.equalsIgnoreCase(host) || name.equalsIgnoreCase(anyOfDomain));
    }

    /**
     * Why hosts that trust these authorities would refuse it.
     *
     * @return null if they would not
     */
    public @Nullable String whyRefusedBy(TrustManager[] authorities) {
        X509Certificate[] shown = chain.toArray(X509Certificate[]::new);
        try {
            for (TrustManager each : authorities) {
                if (each instanceof X509TrustManager manager) {
                    manager.checkServerTrusted(shown, ANY_ALGORITHM);
                    manager.checkClientTrusted(shown, ANY_ALGORITHM);
                }
            }
            return null;
        } catch (CertificateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** When the first certificate of the chain ends. */
    public Instant expiresAt() {
        return chain.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** When the last certificate of the chain begins. */
    public Instant beginsAt() {
        return chain.stream()
                .map(each -> each.getNotBefore().toInstant())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Whether clients whose clock is right accept it at that time. */
    public boolean isValidAt(Instant time) {
        return !time.isBefore(beginsAt()) && !time.isAfter(expiresAt());
    }

    /**
     * What makes connections with it.
     *
     * @param trust whom it trusts; null for nobody whom the JDK does not
     * @throws IOException with a sentence for the operator if the provider does not work
     */
    public SSLContext context(TlsProvider provider, TrustManager @Nullable [] trust) throws IOException {
        try {
            // It is never written. PKCS12 would hash the password ten thousand times, at each start and each reload.
            KeyStore store = KeyStore.getInstance("JKS");
            store.load(null, null);
            store.setKeyEntry("server", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, NO_PASSWORD);
            SSLContext context = provider.newContext();
            context.init(keys.getKeyManagers(), trust, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS does not work with %s: %s".formatted(subject(), e.getMessage()), e);
        }
    }
}
