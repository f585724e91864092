package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.TopicSetup;
import io.talosgateway.loadgen.process.ChildProcess;
import org.jspecify.annotations.Nullable;

/**
 * A process that puts load on a server: {@code talos-loadgen run}, or a program of the kit that takes the same options
 * ({@code --endpoint}, {@code --key-file} or {@code --no-create}, {@code --warmup}, {@code --duration}, {@code --seed}, {@code --out}), says
 * {@code The warm-up is over} when it begins to count, and leaves {@code result.json} and {@code put.hlog}, {@code get.hlog}.
 *
 * @param mainClass of the kit; null for a command of {@code talos-loadgen}
 * @param command of {@code talos-loadgen}: {@code run}, or another one that takes these options, makes its own topic, and leaves
 *     {@code result.json}
 * @param arguments what is put and got, and how
 */
public record TrialClient(@Nullable String mainClass, String command, List<String> arguments) {

    /** As {@code talos-loadgen run} has them. */
    private static final String DEFAULT_TOPIC = "loadgen";

    private static final String RUN = "run";
    private static final String DEFAULT_PARTITIONS = "120";

    private static final List<String> JAVA_OPTIONS = List.of("-Xmx512m", "-XX:+UseSerialGC");

    /** A {@code talos-loadgen run}. */
    public static TrialClient run(String... arguments) {
        return command(RUN, arguments);
    }

    /** Another command of {@code talos-loadgen}. */
    public static TrialClient command(String command, String... arguments) {
        return new TrialClient(null, command, List.of(arguments));
    }

    /** A program of the kit. */
    public static TrialClient kit(String mainClass, String... arguments) {
        return new TrialClient(mainClass, "", List.of(arguments));
    }

    /** Another that has further arguments. */
    public TrialClient with(String... more) {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(more));
        return new TrialClient(mainClass, command, all);
    }

    /**
     * The whole command line.
     *
     * @param out the folder for its results
     */
    List<String> commandLine(Server.Running server, Timing timing, long seed, Path out) {
        List<String> all = new ArrayList<>(List.of("--endpoint", server.endpoint()));
        if (server.keyFile() == null) {
            all.add("--no-create");
        } else {
            all.addAll(List.of("--key-file", server.keyFile().toString()));
        }
        all.addAll(List.of(
                "--warmup",
                timing.warmup().toMillis() + "ms",
                "--duration",
                timing.duration().toMillis() + "ms",
                "--seed",
                Long.toString(seed),
                "--out",
                out.toString()));
        all.addAll(arguments);
        return all;
    }

    /**
     * Makes the topics that it is about, so that no client has to make one while others put load on the server already. A
     * program of the kit, and another command, make their own. The server is one that the experiment has started, and is trusted.
     */
    void makeTopics(Server.Running server) throws InterruptedException {
        if (command.equals(RUN) && server.keyFile() != null) {
            Endpoint endpoint = Endpoint.trustingEverybody(URI.create(server.endpoint()));
            Credentials credentials = Credentials.choose(server.keyFile(), null);
            int partitions = Integer.parseInt(value("--partitions", DEFAULT_PARTITIONS));
            for (String topic : value("--topic", DEFAULT_TOPIC).split(",", -1)) {
                TopicSetup.prepare(endpoint, credentials, topic, partitions);
            }
        }
    }

    private String value(String option, String otherwise) {
        int at = arguments.indexOf(option);
        return at < 0 ? otherwise : arguments.get(at + 1);
    }

    ChildProcess start(Programs programs, List<String> commandLine) throws IOException {
        return mainClass == null
                ? programs.distribution().loadgen(command, commandLine)
                : programs.kit("load", mainClass, JAVA_OPTIONS, commandLine);
    }

    /** For the report. */
    String text() {
        return "%s %s"
                .formatted(mainClass == null ? "bin/talos-loadgen " + command : mainClass, String.join(" ", arguments));
    }
}
