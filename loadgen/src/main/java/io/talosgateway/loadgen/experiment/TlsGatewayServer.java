package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.Server;
import io.talosgateway.loadgen.process.SelfSigned;

/**
 * The gateway of the distribution with TLS alone, and a certificate of its own.
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
        SelfSigned.make(store, PASSWORD);
        Map<String, String> settings = settings();
        settings.put("tls.port", "0");
        settings.put("tls.key-store", store.toString());
        Path password = Files.writeString(place.directory().resolve("password"), PASSWORD);
        settings.put("tls.key-store-password", "@" + password);
        return new GatewayServer(settings).start(place);
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(MEMORY);
        settings.put("http.enabled", "false");
        settings.put("tls.provider", provider);
        return settings;
    }

    @Override
    public String text() {
        return new GatewayServer(settings()).text() + ", with a certificate of its own (EC, 256 bits)";
    }
}
