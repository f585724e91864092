package io.talosgateway.rest.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

import io.talosgateway.fuzz.FuzzTarget;
import org.jspecify.annotations.Nullable;

/** A file with a certificate and its key. */
public final class PemTargets {

    private static final String PASSWORD = "changeit";
    private static final PemFiles FILES = new PemFiles(Path.of("tls.pem"), Path.of("tls.pem"));

    private PemTargets() {}

    public static List<FuzzTarget<?>> all() {
        return List.of(FuzzTarget.of("pem", List.of(pem("EC"), pem("RSA")), PemTargets::parsed)
                // Signing with a key proves that it is the certificate's.
                .allocating(512, 4 << 20));
    }

    private static @Nullable ServerCertificate parsed(byte[] input) {
        try {
            return FILES.parse(List.of(input, input));
        } catch (IOException e) {
            return null;
        }
    }

    /** Made by the JDK's keytool: there is no other public maker of certificates in it. */
    private static byte[] pem(String algorithm) {
        try {
            Path directory = Files.createTempDirectory("fuzz-pem");
            Path store = directory.resolve("store.p12");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-keystore",
                            store.toString(),
                            "-alias",
                            "a",
                            "-keyalg",
                            algorithm,
                            "-dname",
                            "CN=fuzz",
                            "-ext",
                            "san=ip:127.0.0.1",
                            "-storetype",
                            "PKCS12",
                            "-storepass",
                            PASSWORD)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("output").toFile())
                    .start();
            if (process.waitFor() != 0) {
                throw new AssertionError(Files.readString(directory.resolve("output")));
            }
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            String text = block("CERTIFICATE", keys.getCertificate("a").getEncoded())
                    + block(
                            "PRIVATE KEY",
                            keys.getKey("a", PASSWORD.toCharArray()).getEncoded());
            for (String file : List.of("store.p12", "output")) {
                Files.deleteIfExists(directory.resolve(file));
            }
            Files.delete(directory);
            return text.getBytes(StandardCharsets.US_ASCII);
        } catch (IOException | GeneralSecurityException | InterruptedException e) {
            throw new AssertionError("keytool failed", e);
        }
    }

    private static String block(String label, byte[] content) {
        String text = Base64.getMimeEncoder().encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }
}
