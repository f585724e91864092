package io.talosgateway.loadgen.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The programs that users get.
 *
 * @param directory with {@code bin/talos-gateway}
 */
public record Distribution(Path directory) {

    /** What a gateway says when it is ready: its address (of plain HTTP, if it serves that), and that of its operations port. */
    public static final Pattern SERVES =
            Pattern.compile("serves at (https?://[^ ]+?)(?: \\(operations at (http://[^)]+)\\))?$");

    /** What the load generator says when it begins to count. */
    public static final Pattern WARM = Pattern.compile("The warm-up is over");

    /** @throws IllegalArgumentException with a sentence for the user if there is none */
    public Distribution {
        if (!Files.isExecutable(directory.resolve("bin/talos-gateway"))) {
            throw new IllegalArgumentException(
                    "There is no distribution in " + directory + "; deploy/dist.sh builds it");
        }
    }

    /** Starts {@code bin/talos-gateway}. */
    public ChildProcess gateway(List<String> arguments, List<String> javaOptions) throws IOException {
        return start("gateway", "bin/talos-gateway", arguments, String.join(" ", javaOptions));
    }

    /** Starts a command of the load generator. */
    public ChildProcess loadgen(String command, List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(arguments);
        return start("load generator", "bin/talos-loadgen", all, "");
    }

    private ChildProcess start(String name, String script, List<String> arguments, String ofServer) throws IOException {
        List<String> command = new ArrayList<>(List.of(directory.resolve(script).toString()));
        command.addAll(arguments);
        Map<String, String> environment =
                Map.of("JAVA_HOME", System.getProperty("java.home"), "TALOS_SERVER_JAVA_OPTS", ofServer);
        return ChildProcess.start(name, command, environment);
    }

    /** The distribution that this program is of; null if it is of none. */
    public static @Nullable Path home() {
        String home = System.getProperty("talos.loadgen.home");
        return home == null ? null : Path.of(home);
    }

    /** The program that runs Java. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Settings as options of a command line. */
    public static List<String> arguments(Map<String, String> settings) {
        List<String> arguments = new ArrayList<>();
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return arguments;
    }
}
