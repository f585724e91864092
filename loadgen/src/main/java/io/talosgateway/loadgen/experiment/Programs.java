package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.talosgateway.loadgen.process.ChildProcess;
import org.jspecify.annotations.Nullable;

/** The programs that an experiment starts, which all end when the user wants no more. Safe for use by any thread. */
final class Programs {

    /** What a gateway says when it is ready: its address (of plain HTTP, if it serves that), and that of its operations port. */
    static final Pattern SERVES =
            Pattern.compile("serves at (https?://[^ ]+?)(?: \\(operations at (http://[^)]+)\\))?$");

    /** What the load generator says when it begins to count. */
    static final Pattern WARM = Pattern.compile("The warm-up is over");

    private static final String HDFS = "io.talosgateway.benchmarks.server.HdfsServer";
    private static final String HDFS_HEAP = "-Xmx1g";

    private final Path distribution;
    private final @Nullable Path kit;
    // Guarded by this, as the next one; the last started first.
    private final Deque<ChildProcess> running = new ArrayDeque<>();
    private boolean interrupted;

    /**
     * @param distribution the folder of what users get, with {@code bin/talos-gateway}
     * @param kit the folder with the libraries of the module {@code benchmarks}: HDFS, the ideal gateway; null if there is none
     */
    Programs(Path distribution, @Nullable Path kit) {
        this.distribution = distribution;
        this.kit = kit;
    }

    synchronized boolean isInterrupted() {
        return interrupted;
    }

    /** Ends all processes, now and from now on. */
    synchronized void interrupt() {
        interrupted = true;
        endAll();
    }

    /** Ends all processes that there are, the last started first. */
    synchronized void endAll() {
        while (!running.isEmpty()) {
            running.pop().kill();
        }
    }

    /**
     * Starts a process.
     *
     * @param name for people
     * @param environment in addition to our own
     * @throws InterruptedException if it is too late for a process; it is ended
     */
    private synchronized ChildProcess start(String name, List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        running.push(ChildProcess.start(name, command, environment));
        if (interrupted) {
            endAll();
            throw new InterruptedException();
        }
        return running.element();
    }

    ChildProcess gateway(List<String> arguments, List<String> javaOptions) throws IOException, InterruptedException {
        return script("gateway", "bin/talos-gateway", arguments, String.join(" ", javaOptions));
    }

    ChildProcess loadgen(List<String> arguments) throws IOException, InterruptedException {
        return script("load generator", "bin/talos-loadgen", arguments, "");
    }

    private ChildProcess script(String name, String script, List<String> arguments, String ofServer)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(distribution.resolve(script).toString()));
        command.addAll(arguments);
        return start(
                name,
                command,
                Map.of("JAVA_HOME", System.getProperty("java.home"), "TALOS_SERVER_JAVA_OPTS", ofServer));
    }

    static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
    }

    /** Settings as options of a command line. */
    static List<String> arguments(Map<String, String> settings) {
        List<String> arguments = new ArrayList<>();
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return arguments;
    }

    /** @throws IllegalStateException without one; the command makes sure that there is one if the experiment needs it */
    private Path theKit() {
        if (kit == null) {
            throw new IllegalStateException("a program of the kit is wanted, and there is no kit");
        }
        return kit;
    }

    /**
     * Starts a server of the kit: with the kit's classes, and the libraries and the logging of the distribution, so that it
     * runs as the gateway does.
     */
    ChildProcess server(String mainClass, List<String> javaOptions, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(javaOptions);
        options.add("-Dlogback.configurationFile=" + distribution.resolve("conf/logback.xml"));
        return java(
                mainClass.substring(mainClass.lastIndexOf('.') + 1),
                options,
                kitJar() + ":" + distribution.resolve("lib") + "/*",
                mainClass,
                arguments);
    }

    private ChildProcess java(
            String name, List<String> javaOptions, String classPath, String mainClass, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ChildProcess.java()));
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return start(name, command, Map.of());
    }

    private Path kitJar() throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(theKit().resolve("lib"), "benchmarks-*.jar")) {
            for (Path jar : jars) {
                return jar;
            }
        }
        throw new IOException(
                "There is no benchmarks-*.jar in %1$s/lib; delete %1$s and try again".formatted(theKit()));
    }

    ChildProcess hdfs(Path directory, int dataNodes) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                "--data-nodes", Integer.toString(dataNodes), "--with-parent", "--directory", directory.toString());
        String classPath = theKit().resolve("conf") + ":" + theKit().resolve("lib") + "/*";
        return java("HDFS", List.of(HDFS_HEAP), classPath, HDFS, arguments);
    }
}
