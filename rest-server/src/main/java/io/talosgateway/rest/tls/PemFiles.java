package io.talosgateway.rest.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;

/**
 * PEM files.
 *
 * @param certificate the certificate of this host, then who signed it, and so on; the root may be left out
 * @param key its key, PKCS#8, not encrypted; may be the same file
 */
public record PemFiles(Path certificate, Path key) implements CertificateFiles {

    private static final String CONVERT = "Convert it: openssl pkcs8 -topk8 -nocrypt -in %s -out NEW-KEY.pem";

    @Override
    public List<Path> paths() {
        return List.of(certificate, key);
    }

    @Override
    public ServerCertificate parse(List<byte[]> contents) throws IOException {
        return ServerCertificate.of(
                certificate.toString(), key(contents.get(1)), certificates(certificate, contents.get(0)));
    }

    /** @throws IOException with a sentence for the operator if there is none in the file */
    static List<X509Certificate> certificates(Path file, byte[] content) throws IOException {
        List<X509Certificate> chain = new ArrayList<>();
        for (PemBlock block : PemBlock.all(file, content)) {
            if (block.label().equals("CERTIFICATE")) {
                chain.add(certificate(block));
            }
        }
        if (chain.isEmpty()) {
            throw new IOException(("There is no certificate in %s: it must hold '-----BEGIN CERTIFICATE-----'. "
                            + "If it is a DER file, convert it: openssl x509 -inform der -in %s -out NEW-CERTIFICATE.pem")
                    .formatted(file, file));
        }
        return chain;
    }

    private static X509Certificate certificate(PemBlock block) throws IOException {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.decode()));
        } catch (CertificateException e) {
            throw new IOException("A certificate in %s is damaged: %s".formatted(block.file(), e.getMessage()), e);
        }
    }

    private PrivateKey key(byte[] content) throws IOException {
        for (PemBlock block : PemBlock.all(key, content)) {
            switch (block.label()) {
                case "PRIVATE KEY" -> {
                    return key(block);
                }
                case "ENCRYPTED PRIVATE KEY" ->
                    throw new IOException(
                            "The key in %s is encrypted, and the gateway has no password for it. %s; or use tls.key-store."
                                    .formatted(key, CONVERT.formatted(key)));
                case "RSA PRIVATE KEY", "EC PRIVATE KEY" ->
                    throw new IOException("The key in %s is in an old form (%s), not in PKCS#8. %s"
                            .formatted(key, block.label(), CONVERT.formatted(key)));
                default -> {
                    // A certificate in the same file, or parameters of a curve.
                }
            }
        }
        throw new IOException(
                "There is no key in %s: it must hold '-----BEGIN PRIVATE KEY-----' (PKCS#8). If it is a DER file, convert it: "
                                .formatted(key)
                        + "openssl pkcs8 -topk8 -nocrypt -inform der -in %s -out NEW-KEY.pem".formatted(key));
    }

    private PrivateKey key(PemBlock block) throws IOException {
        PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(block.decode());
        for (String algorithm : ServerCertificate.ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // Of another algorithm, or damaged.
            } catch (NoSuchAlgorithmException e) {
                throw new IOException("This JDK has no " + algorithm, e);
            }
        }
        throw new IOException("The key in %s is damaged, or neither of %s."
                .formatted(key, String.join(" nor of ", ServerCertificate.ALGORITHMS)));
    }
}
