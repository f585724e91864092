package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.Distribution;
import io.talosgateway.loadgen.process.GcLog;

/**
 * The gateway of the distribution.
 *
 * @param settings over its defaults
 * @param javaOptions of its JVM
 */
public record GatewayServer(Map<String, String> settings, List<String> javaOptions) implements Server {

    static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private static final List<String> HEAP = List.of("-Xmx2g");

    /** With 2 GiB of heap. */
    public GatewayServer(Map<String, String> settings) {
        this(settings, HEAP);
    }

    /** One that has other settings in addition. */
    public GatewayServer with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(more);
        return new GatewayServer(all, javaOptions);
    }

    @Override
    public Running start(Place place) throws IOException, InterruptedException {
        Path data = place.directory().resolve("gateway");
        Map<String, String> all = new TreeMap<>(place.storage());
        all.put("data.directory", data.toString());
        all.put("http.port", "0");
        all.put("ops.port", "0");
        all.put("peer.port", "0");
        all.putAll(settings);
        Path gcLog = place.directory().resolve("gateway-gc.log");
        List<String> options = new ArrayList<>(javaOptions);
        options.add(GcLog.option(gcLog));
        ChildProcess process =
                place.interruption().add(place.programs().distribution().gateway(all, options));
        Matcher serves = process.awaitLine(Distribution.SERVES, START_TIMEOUT);
        return new Running(process, serves.group(1), URI.create(serves.group(2)), data.resolve("keys.json"), gcLog);
    }

    @Override
    public String text() {
        String values = settings.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .sorted()
                .collect(Collectors.joining(" "));
        return "bin/talos-gateway server%s, JVM %s"
                .formatted(
                        values.isEmpty() ? " with its defaults" : " --set " + values.replace(" ", " --set "),
                        String.join(" ", javaOptions));
    }
}
