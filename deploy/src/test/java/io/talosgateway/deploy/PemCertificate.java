package io.talosgateway.deploy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

import io.talosgateway.loadgen.process.SelfSigned;

/** A certificate for 127.0.0.1 that is its own authority, and its key, as PEM. */
record PemCertificate(Path certificate, Path key) {

    private static final String PASSWORD = "changeit";

    /** @param options of {@code keytool}, such as {@code -validity} */
    static PemCertificate make(Path directory, String... options) throws Exception {
        Path store = directory.resolve("certificate.p12");
        SelfSigned.make(store, PASSWORD, options);
        KeyStore read = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            read.load(in, PASSWORD.toCharArray());
        }
        return new PemCertificate(
                write(
                        directory.resolve("certificate.pem"),
                        "CERTIFICATE",
                        read.getCertificate("server").getEncoded()),
                write(
                        directory.resolve("key.pem"),
                        "PRIVATE KEY",
                        read.getKey("server", PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path write(Path file, String kind, byte[] content) throws Exception {
        return Files.writeString(
                file,
                "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
                        .formatted(kind, Base64.getMimeEncoder().encodeToString(content)));
    }
}
