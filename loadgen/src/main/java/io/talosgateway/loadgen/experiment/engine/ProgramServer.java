package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.Distribution;

/**
 * A server that is no gateway, and says {@code ... serves at ADDRESS}. Its arguments may name {@code DIRECTORY}, a folder for its
 * data.
 *
 * @param program a main class of the kit, or a command of {@code talos-loadgen}
 * @param settings of a gateway, which it takes as a gateway does
 * @param stores whether it takes settings of a storage, too
 */
record ProgramServer(
        String program, Map<String, String> settings, List<String> javaOptions, List<String> arguments, boolean stores)
        implements Server {

    private static final Pattern SERVES = Pattern.compile("serves at (\\S+)");
    private static final String DIRECTORY = "DIRECTORY";

    @Override
    public Running start(Place place) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        String data = place.directory().resolve("data").toString();
        arguments.forEach(argument -> command.add(argument.replace(DIRECTORY, data)));
        Map<String, String> all = new TreeMap<>(stores ? place.storage() : Map.of());
        all.putAll(settings);
        command.addAll(Distribution.arguments(all));
        ChildProcess process = place.interruption()
                .add(
                        isOfKit()
                                ? place.programs().server(program, javaOptions, command)
                                : place.programs().distribution().loadgen(program, command));
        return new Running(
                process, process.awaitLine(SERVES, GatewayServer.START_TIMEOUT).group(1), null, null, null);
    }

    @Override
    public boolean isOfKit() {
        return program.contains(".");
    }

    @Override
    public String text() {
        return "%s %s, JVM %s"
                .formatted(
                        program.substring(program.lastIndexOf('.') + 1),
                        String.join(" ", arguments),
                        String.join(" ", javaOptions));
    }
}
