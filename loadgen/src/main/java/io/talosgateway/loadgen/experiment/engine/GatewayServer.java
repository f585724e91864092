package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;

import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.Distribution;
import io.talosgateway.loadgen.process.GcLog;
import io.talosgateway.loadgen.process.SelfSigned;
import org.jspecify.annotations.Nullable;

/**
 * The gateway of the distribution.
 *
 * @param settings over its defaults
 * @param javaOptions of its JVM
 * @param tls whose TLS it serves alone, with a certificate of its own; null for plain HTTP
 * @param idleConnections how many to open after the load, to find out what one takes
 * @param isOfKit whether it has classes of the kit on its class path
 */
record GatewayServer(
        Map<String, String> settings,
        List<String> javaOptions,
        @Nullable String tls,
        int idleConnections,
        boolean isOfKit)
        implements Server {

    static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private static final String MAIN = "io.talosgateway.cli.TalosGateway";
    private static final String PASSWORD = "experiment";

    @Override
    public Running start(Place place) throws IOException, InterruptedException {
        Path data = place.directory().resolve("gateway");
        Map<String, String> all = new TreeMap<>(place.storage());
        all.put("data.directory", data.toString());
        all.put("http.port", "0");
        all.put("ops.port", "0");
        all.put("peer.port", "0");
        all.putAll(settings);
        if (tls != null) {
            serveTls(tls, place.directory(), all);
        }
        Path gcLog = place.directory().resolve("gateway-gc.log");
        List<String> options = new ArrayList<>(javaOptions);
        options.add(GcLog.option(gcLog));
        ChildProcess process = place.interruption()
                .add(
                        isOfKit
                                ? ofKit(place.programs(), all, options)
                                : place.programs().distribution().gateway(all, options));
        Matcher serves = process.awaitLine(Distribution.SERVES, START_TIMEOUT);
        return new Running(process, serves.group(1), URI.create(serves.group(2)), data.resolve("keys.json"), gcLog);
    }

    private static ChildProcess ofKit(Programs programs, Map<String, String> settings, List<String> options)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("server"));
        command.addAll(Distribution.arguments(settings));
        return programs.server(MAIN, options, command);
    }

    private static void serveTls(String provider, Path directory, Map<String, String> settings)
            throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path store = directory.resolve("server.p12");
        SelfSigned.make(store, PASSWORD);
        settings.put("http.enabled", "false");
        settings.put("tls.port", "0");
        settings.put("tls.provider", provider);
        settings.put("tls.key-store", store.toString());
        settings.put("tls.key-store-password", "@" + Files.writeString(directory.resolve("password"), PASSWORD));
    }

    @Override
    public void measureAfterLoad(Running running, Map<String, Double> values) throws IOException, InterruptedException {
        if (idleConnections > 0) {
            values.put(Metrics.IDLE_HEAP.key(), IdleConnections.heapOfEach(running, idleConnections));
        }
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder("bin/talos-gateway server");
        settings.forEach(
                (key, value) -> text.append(" --set ").append(key).append('=').append(value));
        return "%s%s, JVM %s"
                .formatted(
                        text,
                        tls == null ? "" : ", TLS of %s with a certificate of its own (EC, 256 bits)".formatted(tls),
                        String.join(" ", javaOptions));
    }
}
