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

import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.Distribution;
import org.jspecify.annotations.Nullable;

/** The programs that an experiment starts, which all end when the user wants no more. Safe for use by any thread. */
final class Programs {

    private static final String HDFS = "io.talosgateway.benchmarks.server.HdfsServer";
    private static final String KAFKA_PACKAGE = "io.talosgateway.benchmarks.kafka.";
    private static final String HDFS_HEAP = "-Xmx1g";

    private final Distribution distribution;
    private final @Nullable Path kit;
    // Guarded by this, as the next one; the last started first.
    private final Deque<ChildProcess> running = new ArrayDeque<>();
    private boolean interrupted;

    /**
     * @param distribution what users get
     * @param kit the folder with the libraries of the module {@code benchmarks}: HDFS, the ideal gateway; null if there is none
     */
    public Programs(Distribution distribution, @Nullable Path kit) {
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

    /** @throws InterruptedException if it is too late for a process; it is ended */
    private synchronized ChildProcess started(ChildProcess process) throws InterruptedException {
        running.push(process);
        if (interrupted) {
            endAll();
            throw new InterruptedException();
        }
        return process;
    }

    /** Starts a gateway of the distribution. */
    ChildProcess gateway(List<String> command, List<String> javaOptions) throws IOException, InterruptedException {
        return started(distribution.gateway(command, javaOptions));
    }

    /** Starts a command of {@code talos-loadgen}. */
    ChildProcess loadgen(String command, List<String> arguments) throws IOException, InterruptedException {
        return started(distribution.loadgen(command, arguments));
    }

    /** Whether a program is a main class of the kit, and not a command of {@code talos-loadgen}. */
    static boolean isOfKit(String program) {
        return program.contains(".");
    }

    static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
    }

    /** @throws IllegalStateException without one; the command makes sure that there is one if the experiment needs it */
    private Path theKit() {
        if (kit == null) {
            throw new IllegalStateException("a program of the kit is wanted, and there is no kit");
        }
        return kit;
    }

    /**
     * Starts a program of the kit with the libraries of the kit.
     *
     * @param name for people
     * @param javaOptions of its JVM
     */
    ChildProcess kit(String name, String mainClass, List<String> javaOptions, List<String> arguments)
            throws IOException, InterruptedException {
        String classPath = theKit().resolve("conf") + ":" + libraries(mainClass) + "/*";
        return java(name, javaOptions, classPath, mainClass, arguments);
    }

    /** What Kafka needs is in a folder of its own, so that nothing of it is on another program's class path. */
    private Path libraries(String mainClass) {
        return theKit().resolve(mainClass.startsWith(KAFKA_PACKAGE) ? "kafka/lib" : "lib");
    }

    /**
     * Starts a server of the kit: Kafka with its own libraries, all others with the kit's classes, and the libraries and the
     * logging of the distribution, so that they run as the gateway does.
     */
    ChildProcess server(String mainClass, List<String> javaOptions, List<String> arguments)
            throws IOException, InterruptedException {
        String name = mainClass.substring(mainClass.lastIndexOf('.') + 1);
        if (mainClass.startsWith(KAFKA_PACKAGE)) {
            return kit(name, mainClass, javaOptions, arguments);
        }
        List<String> options = new ArrayList<>(javaOptions);
        options.add("-Dlogback.configurationFile=" + distribution.directory().resolve("conf/logback.xml"));
        return java(
                name, options, kitJar() + ":" + distribution.directory().resolve("lib") + "/*", mainClass, arguments);
    }

    private ChildProcess java(
            String name, List<String> javaOptions, String classPath, String mainClass, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Distribution.java()));
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return started(ChildProcess.start(name, command, Map.of()));
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
        String arguments = "--data-nodes %d --with-parent --directory".formatted(dataNodes);
        List<String> all = new ArrayList<>(words(arguments));
        all.add(directory.toString());
        return kit("HDFS", HDFS, List.of(HDFS_HEAP), all);
    }
}
