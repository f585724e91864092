package io.talosgateway.loadgen.process;

import java.io.IOException;
import java.net.URISyntaxException;
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

    /** Starts a gateway. */
    public ChildProcess gateway(Map<String, String> settings, List<String> javaOptions) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(directory.resolve("bin/talos-gateway").toString(), "server"));
        command.addAll(arguments(settings));
        return ChildProcess.start(
                "gateway",
                command,
                Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "TALOS_SERVER_JAVA_OPTS",
                        String.join(" ", javaOptions)));
    }

    /** The distribution that this program is of; null if it is of none. */
    public static @Nullable Path home() {
        String home = System.getProperty("talos.loadgen.home");
        return home == null ? null : Path.of(home);
    }

    /** Starts a run of load. */
    public ChildProcess loadgen(List<String> arguments) throws IOException {
        return loadgen("run", arguments);
    }

    /** Starts a command of the load generator. */
    public ChildProcess loadgen(String command, List<String> arguments) throws IOException {
        List<String> all =
                new ArrayList<>(List.of(directory.resolve("bin/talos-loadgen").toString(), command));
        all.addAll(arguments);
        return ChildProcess.start("load generator", all, Map.of("JAVA_HOME", System.getProperty("java.home")));
    }

    /** The program that runs Java. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The jar that a class is in. */
    public static Path jarOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Settings as options of a command line. */
    public static List<String> arguments(Map<String, String> settings) {
        List<String> arguments = new ArrayList<>();
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return arguments;
    }
}
