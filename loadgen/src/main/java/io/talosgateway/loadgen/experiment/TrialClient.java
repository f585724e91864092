package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.talosgateway.loadgen.process.ChildProcess;
import org.jspecify.annotations.Nullable;

/**
 * A program that puts load on a server: a command of {@code talos-loadgen}, or a program of the kit that takes the same options
 * ({@code --warmup}, {@code --duration}, {@code --seed}, {@code --out}; if there is a server, {@code --endpoint} and {@code
 * --key-file} or {@code --no-create}), says {@code The warm-up is over} when it begins to count, and leaves {@code result.json} and
 * {@code put.hlog}, {@code get.hlog}.
 *
 * @param words the command line: a command of {@code talos-loadgen}, or a main class of the kit, and what is put and got, and how
 */
record TrialClient(List<String> words) {

    private static final List<String> JAVA_OPTIONS = List.of("-Xmx512m", "-XX:+UseSerialGC");

    /** Of words with spaces between them. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static TrialClient parse(String text) {
        return new TrialClient(Programs.words(text));
    }

    private String program() {
        return words.get(0);
    }

    private List<String> arguments() {
        return words.subList(1, words.size());
    }

    boolean isOfKit() {
        return Programs.isOfKit(program());
    }

    /**
     * The whole command line.
     *
     * @param server null for none
     * @param out the folder for its results
     */
    List<String> commandLine(Server.@Nullable Running server, TrialSettings settings, Path out) {
        List<String> all = new ArrayList<>();
        if (server != null) {
            all.addAll(List.of("--endpoint", server.endpoint()));
            all.addAll(
                    server.keyFile() == null
                            ? List.of("--no-create")
                            : List.of("--key-file", server.keyFile().toString()));
        }
        all.addAll(List.of(
                "--warmup",
                settings.warmup().text(),
                "--duration",
                settings.duration().toMillis() + "ms",
                "--seed",
                Long.toString(settings.seed()),
                "--out",
                out.toString()));
        all.addAll(arguments());
        return all;
    }

    /**
     * @param server null for none
     * @param out the folder for its results
     */
    ChildProcess start(TrialEnvironment environment, Server.@Nullable Running server, Path out)
            throws IOException, InterruptedException {
        List<String> commandLine = commandLine(server, environment.settings(), out);
        return isOfKit()
                ? environment.programs().kit("load", program(), JAVA_OPTIONS, commandLine)
                : environment.programs().loadgen(program(), commandLine);
    }

    /** For the report. */
    String text() {
        return (isOfKit() ? "" : "bin/talos-loadgen ") + String.join(" ", words);
    }
}
