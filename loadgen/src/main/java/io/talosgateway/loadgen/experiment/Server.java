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
import java.util.regex.Pattern;

import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.Distribution;
import io.talosgateway.loadgen.process.GcLog;
import io.talosgateway.loadgen.process.SelfSigned;
import org.jspecify.annotations.Nullable;

/**
 * A server that takes load: the gateway, or another program, which says {@code ... serves at ADDRESS}. As the file of an experiment
 * has it, all texts may name variables.
 *
 * @param settings over the gateway's defaults; another program takes them as a gateway does
 * @param java options of its JVM, with spaces between them; null for a heap of 2 GiB
 * @param tls whose TLS the gateway serves, and nothing else, with a certificate of its own; null for plain HTTP
 * @param idleConnections how many to open after the load, to find out what one takes; null for none
 * @param program what runs in place of the gateway: a main class of the kit, or a command of {@code talos-loadgen}; null for the
 *     gateway
 * @param arguments of that program, with spaces between them, which may name {@code DIRECTORY}, a folder for its data; null for
 *     none
 * @param kit whether the gateway has classes of the kit on its class path; null for no
 * @param storage whether it keeps what it is sent, so that HDFS has to be there first; null for yes
 */
record Server(
        Map<String, String> settings,
        @Nullable String java,
        @Nullable String tls,
        @Nullable String idleConnections,
        @Nullable String program,
        @Nullable String arguments,
        @Nullable Boolean kit,
        @Nullable Boolean storage) {

    private static final String HEAP = "-Xmx2g";
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final String GATEWAY = "io.talosgateway.cli.TalosGateway";
    private static final String PASSWORD = "experiment";
    private static final String DIRECTORY = "DIRECTORY";
    private static final Pattern SERVES = Pattern.compile("serves at (\\S+)");

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

    /** @param more settings over its own */
    Server filled(Map<String, String> more, Variables variables) {
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(more);
        all.replaceAll((key, value) -> variables.fill(value));
        return new Server(
                all,
                variables.fill(java == null ? HEAP : java),
                variables.fillIfAny(tls),
                variables.fillIfAny(idleConnections),
                program,
                variables.fillIfAny(arguments),
                kit,
                storage);
    }

    /** Whether it keeps what it is sent. */
    boolean stores() {
        return storage == null || storage;
    }

    /** Whether it needs the kit. */
    boolean isOfKit() {
        return program == null ? kit != null && kit : Programs.isOfKit(program);
    }

    private List<String> javaOptions() {
        return Programs.words(java == null ? HEAP : java);
    }

    private List<String> words() {
        return Programs.words(arguments == null ? "" : arguments);
    }

    /**
     * Starts it; returns when it serves.
     *
     * @param directory for its data; not there yet
     * @param ofStorage settings of the storage
     */
    Running start(TrialEnvironment environment, Path directory, Map<String, String> ofStorage)
            throws IOException, InterruptedException {
        Map<String, String> all = new TreeMap<>(program == null || stores() ? ofStorage : Map.of());
        Programs programs = environment.programs();
        if (program != null) {
            all.putAll(settings);
            List<String> command = new ArrayList<>();
            String data = directory.resolve("data").toString();
            words().forEach(argument -> command.add(argument.replace(DIRECTORY, data)));
            command.addAll(Distribution.arguments(all));
            ChildProcess process =
                    isOfKit() ? programs.server(program, javaOptions(), command) : programs.loadgen(program, command);
            return new Running(process, process.awaitLine(SERVES, START_TIMEOUT).group(1), null, null, null);
        }
        Path data = directory.resolve("gateway");
        all.put("data.directory", data.toString());
        List.of("http.port", "ops.port", "peer.port").forEach(port -> all.put(port, "0"));
        all.putAll(settings);
        if (tls != null) {
            serveTls(tls, directory, all);
        }
        Path gcLog = directory.resolve("gateway-gc.log");
        List<String> options = new ArrayList<>(javaOptions());
        options.add(GcLog.option(gcLog));
        List<String> command = new ArrayList<>(List.of("server"));
        command.addAll(Distribution.arguments(all));
        ChildProcess process =
                isOfKit() ? programs.server(GATEWAY, options, command) : programs.gateway(command, options);
        Matcher serves = process.awaitLine(Distribution.SERVES, START_TIMEOUT);
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

    /** What makes it what it is, for the report. */
    String text() {
        String options = String.join(" ", javaOptions());
        if (program != null) {
            return "%s %s, JVM %s"
                    .formatted(program.substring(program.lastIndexOf('.') + 1), String.join(" ", words()), options);
        }
        StringBuilder text = new StringBuilder("bin/talos-gateway server");
        settings.forEach(
                (key, value) -> text.append(" --set ").append(key).append('=').append(value));
        return "%s%s, JVM %s"
                .formatted(
                        text,
                        tls == null ? "" : ", TLS of %s with a certificate of its own (EC, 256 bits)".formatted(tls),
                        options);
    }
}
