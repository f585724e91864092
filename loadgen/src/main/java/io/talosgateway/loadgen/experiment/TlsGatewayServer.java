package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.Server;

/**
 * The gateway of the distribution with TLS alone, and a certificate that the JDK's keytool makes for it: an elliptic curve of
 * 256 bits, signed by itself.
 *
 * @param provider whose TLS, as the gateway names it
 */
record TlsGatewayServer(String provider) implements Server {

    /** What is compared is not the storage. */
    static final Map<String, String> MEMORY = Map.of("journal.durability", "memory");

    private static final String PASSWORD = "experiment";

    @Override
    public Running start(Place place) throws IOException, InterruptedException {
        Files.createDirectories(place.directory());
        Path store = place.directory().resolve("server.p12");
        makeCertificate(store);
        Map<String, String> settings = settings();
        settings.put("tls.port", "0");
        settings.put("tls.key-store", store.toString());
        settings.put("tls.key-store-password", PASSWORD);
        return new GatewayServer(settings).start(place);
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(MEMORY);
        settings.put("http.enabled", "false");
        settings.put("tls.provider", provider);
        return settings;
    }

    private static void makeCertificate(Path store) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1"))
                .redirectErrorStream(true)
                .start();
        keytool.getOutputStream().close();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool made no certificate: " + output.strip());
        }
    }

    @Override
    public String text() {
        return new GatewayServer(settings()).text() + ", with a certificate of its own (EC, 256 bits)";
    }
}
