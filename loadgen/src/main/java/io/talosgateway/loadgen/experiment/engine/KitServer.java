package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;

import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.Distribution;

/**
 * A server of the kit that takes settings of the gateway and says {@code serves at http://...}.
 *
 * @param name for people
 * @param settings over the gateway's defaults
 * @param arguments of its own
 */
public record KitServer(
        String name, String mainClass, Map<String, String> settings, List<String> arguments, boolean stores)
        implements Server {

    private static final List<String> JAVA_OPTIONS = List.of("-XX:+ExitOnOutOfMemoryError", "-Xmx2g");

    @Override
    public Running start(Place place) throws IOException, InterruptedException {
        Map<String, String> all = new TreeMap<>(stores ? place.storage() : Map.of());
        all.put("http.port", "0");
        all.putAll(settings);
        List<String> command = new ArrayList<>(List.of("--with-parent"));
        command.addAll(arguments);
        command.addAll(Distribution.arguments(all));
        ChildProcess process =
                place.interruption().add(place.programs().kitOnDistribution(name, mainClass, JAVA_OPTIONS, command));
        Matcher serves = process.awaitLine(Distribution.SERVES, GatewayServer.START_TIMEOUT);
        return new Running(process, serves.group(1), null, null, null);
    }

    @Override
    public boolean ofKit() {
        return true;
    }

    @Override
    public String text() {
        return "%s %s".formatted(name, String.join(" ", arguments)).trim();
    }
}
