package io.talosgateway.loadgen.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Certificates for this host, signed by themselves, as the JDK's {@code keytool} makes them. Stateless. */
public final class SelfSigned {

    private SelfSigned() {}

    /**
     * Makes a PKCS#12 key store with one key, of an elliptic curve of 256 bits, and a certificate for 127.0.0.1.
     *
     * @param password of store and key; six characters at least
     * @param more options of {@code keytool}, such as {@code -validity}
     */
    public static void make(Path store, String password, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                password,
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1"));
        command.addAll(List.of(more));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        keytool.getOutputStream().close();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool made no certificate: " + output.strip());
        }
    }
}
