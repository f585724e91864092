package io.talosgateway.localcluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the scripts as users do, for a cluster in a directory of the test's. */
final class ClusterScript {

    private static final Path DEPLOY = Path.of("..").toAbsolutePath().normalize();
    private static final Path SCRIPT = DEPLOY.resolve("local-cluster.sh");
    private static final Path PROGRAMS = DEPLOY.resolve("target/talos-gateway/bin");
    private static final Path LOAD_GENERATOR = PROGRAMS.resolve("talos-loadgen");

    /** The start script of the gateways that were built. */
    static final Path GATEWAY = PROGRAMS.resolve("talos-gateway");

    private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(9);
    /** For {@code verify} to put hosts back, and to read everything once more. */
    private static final Duration END_TIMEOUT = Duration.ofMinutes(12);

    private static final int MOST_WARNINGS = 40;

    private final Path directory;
    private final Path script;
    private int runs;

    ClusterScript(Path directory) {
        this(directory, SCRIPT);
    }

    /** @param script that of another working copy, for the same cluster, which gets copies of its programs */
    ClusterScript(Path directory, Path script) {
        this.directory = directory;
        this.script = script;
    }

    /** @param output both what it said and what it complained of */
    record Result(int status, String output) {}

    /** The folder of the cluster. */
    Path folder() {
        return directory.resolve("cluster");
    }

    Result run(String... arguments) throws Exception {
        return run(script, COMMAND_TIMEOUT, arguments, "--dir");
    }

    void succeed(String... arguments) throws Exception {
        Result result = run(arguments);
        assertThat(result.status).as(result.output).isZero();
    }

    /** Runs the load generator against the cluster. */
    Result loadgen(Duration timeout, String... arguments) throws Exception {
        return run(LOAD_GENERATOR, timeout, arguments, "--cluster");
    }

    /**
     * Runs the load generator against the cluster until its output is enough; then it is told to end, and says what it has seen.
     *
     * @param timeout until it is told to end in any case
     */
    Result loadgenUntil(Predicate<String> enough, Duration timeout, String... arguments) throws Exception {
        Path output = directory.resolve("output-" + runs++ + ".txt");
        Process process = start(LOAD_GENERATOR, arguments, "--cluster", output);
        long endNanos = System.nanoTime() + timeout.toNanos();
        while (!process.waitFor(1, TimeUnit.SECONDS)
                && System.nanoTime() - endNanos < 0
                && !enough.test(Files.readString(output))) {}
        process.destroy();
        boolean ended = process.waitFor(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        process.destroyForcibly();
        assertThat(ended).as(Files.readString(output)).isTrue();
        return new Result(process.exitValue(), Files.readString(output));
    }

    private Result run(Path program, Duration timeout, String[] arguments, String folderOption) throws Exception {
        Path output = directory.resolve("output-" + runs++ + ".txt");
        Process process = start(program, arguments, folderOption, output);
        boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            process.destroy();
        }
        assertThat(ended)
                .as("%s %s ends in time:%n%s", program, List.of(arguments), Files.readString(output))
                .isTrue();
        return new Result(process.exitValue(), Files.readString(output));
    }

    private Process start(Path program, String[] arguments, String folderOption, Path output) throws IOException {
        List<String> words = new ArrayList<>(List.of(program.toString()));
        words.addAll(List.of(arguments));
        words.addAll(List.of(folderOption, folder().toString()));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        if (script.equals(SCRIPT)) {
            builder.environment().put("TALOS_LOCAL_CLUSTER_BUILD", "never");
        }
        // Programs that run for a minute gain little from the thorough compiler, which takes time of the processors.
        builder.environment().put("TALOS_SERVER_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
        builder.environment().put("TALOS_LOADGEN_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
        return builder.start();
    }

    /** The last warnings and errors in the logs of the gateways. */
    String warnings() throws IOException {
        StringBuilder warnings = new StringBuilder();
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder().resolve("logs"), "gateway-*.log")) {
            for (Path log : logs) {
                List<String> lines = Files.readAllLines(log).stream()
                        .filter(line -> line.matches("\\S+ (WARN|ERROR) .*") && !line.contains("SlowRequests"))
                        .toList();
                warnings.append("%n%s:%n".formatted(log.getFileName()));
                lines.subList(Math.max(0, lines.size() - MOST_WARNINGS), lines.size())
                        .forEach(line -> warnings.append(line).append('\n'));
            }
        }
        return warnings.toString();
    }

    /** Ends the cluster, if there is one. */
    void down() throws Exception {
        if (Files.exists(folder())) {
            succeed("down");
        }
    }
}
