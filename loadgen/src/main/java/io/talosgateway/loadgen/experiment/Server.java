package io.talosgateway.loadgen.experiment;

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
import io.talosgateway.loadgen.process.GcLog;
import io.talosgateway.loadgen.process.SelfSigned;
import org.jspecify.annotations.Nullable;

/**
 * A server that takes load: the gateway, or another program, which says {@code ... serves at ADDRESS}.
 *
 * @param settings over the gateway's defaults; another program takes them as a gateway does
 * @param java options of its JVM, with spaces between them; empty for a heap of 2 GiB
 * @param tls whose TLS the gateway serves, and nothing else, with a certificate of its own; empty for plain HTTP
 * @param program what runs in place of the gateway: a main class of the kit; empty for the gateway
 * @param arguments of that program, with spaces between them
 * @param storage whether it keeps what it is sent, so that HDFS has to be there first; null for yes
 */
record Server(
        Map<String, String> settings,
        String java,
        String tls,
        String program,
        String arguments,
        @Nullable Boolean storage) {

    private static final String HEAP = "-Xmx2g";
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final String PASSWORD = "experiment";

    /**
     * A server that serves.
     *
     * @param endpoint what the load is told
     * @param ops address of the metrics; null if there are none
     * @param keyFile null if it takes requests without a key, and no questions about topics
     * @param gcLog as {@link GcLog} reads it; null if there is none
     */
    record Running(
            ChildProcess process,
            String endpoint,
            @Nullable URI ops,
            @Nullable Path keyFile,
            @Nullable Path gcLog) {}

    /** Whether it keeps what it is sent. */
    boolean stores() {
        return storage == null || storage;
    }

    boolean isOfKit() {
        return !program.isEmpty();
    }

    private List<String> javaOptions() {
        return Programs.words(java.isEmpty() ? HEAP : java);
    }

    /**
     * Starts it; returns when it serves.
     *
     * @param directory for its data; not there yet
     * @param ofStorage settings of the storage
     */
    Running start(TrialEnvironment environment, Path directory, Map<String, String> ofStorage)
            throws IOException, InterruptedException {
        Map<String, String> all = new TreeMap<>(program.isEmpty() || stores() ? ofStorage : Map.of());
        Programs programs = environment.programs();
        if (!program.isEmpty()) {
            all.putAll(settings);
            List<String> command = new ArrayList<>(Programs.words(arguments));
            command.addAll(Programs.arguments(all));
            ChildProcess process = programs.server(program, javaOptions(), command);
            return new Running(
                    process, process.awaitLine(Programs.SERVES, START_TIMEOUT).group(1), null, null, null);
        }
        Path data = directory.resolve("gateway");
        all.put("data.directory", data.toString());
        List.of("http.port", "ops.port", "peer.port").forEach(port -> all.put(port, "0"));
        all.putAll(settings);
        if (!tls.isEmpty()) {
            serveTls(tls, directory, all);
        }
        Path gcLog = directory.resolve("gateway-gc.log");
        List<String> options = new ArrayList<>(javaOptions());
        options.add(GcLog.option(gcLog));
        List<String> command = new ArrayList<>(List.of("server"));
        command.addAll(Programs.arguments(all));
        ChildProcess process = programs.gateway(command, options);
        Matcher serves = process.awaitLine(Programs.SERVES, START_TIMEOUT);
        return new Running(process, serves.group(1), URI.create(serves.group(2)), data.resolve("keys.json"), gcLog);
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

    String text() {
        String options = String.join(" ", javaOptions());
        if (!program.isEmpty()) {
            return "%s %s, JVM %s".formatted(program.substring(program.lastIndexOf('.') + 1), arguments, options);
        }
        String command = "bin/talos-gateway server " + String.join(" ", Programs.arguments(settings));
        return "%s%s, JVM %s"
                .formatted(
                        command.strip(),
                        tls.isEmpty() ? "" : ", TLS of %s with a certificate of its own (EC, 256 bits)".formatted(tls),
                        options);
    }
}
