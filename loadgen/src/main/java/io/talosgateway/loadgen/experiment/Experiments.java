package io.talosgateway.loadgen.experiment;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.talosgateway.loadgen.cli.YamlFile;

/** The experiments: a file for each of them, and one with the servers that several compare. Stateless. */
final class Experiments {

    private static final String SERVERS = "servers";

    /** In the order in which they are listed. */
    public static final List<Experiment> ALL = Stream.of(
                    "talos-full",
                    "talos-paced",
                    "talos-init",
                    "thread-selection",
                    "size-sweep",
                    "pipeline",
                    "gc",
                    "encodings",
                    "tls",
                    "scale",
                    "ideal",
                    "kafka",
                    "ceiling",
                    "overload")
            .map(Experiments::read)
            .toList();

    private Experiments() {}

    private static Experiment read(String name) {
        Map<String, Object> fields = YamlFile.read(name);
        fields.put("name", name);
        // Of two, the experiment's own.
        Map<String, Object> servers = YamlFile.read(SERVERS);
        if (fields.get(SERVERS) instanceof Map<?, ?> own) {
            own.forEach((server, definition) -> servers.put(String.valueOf(server), definition));
        }
        fields.put(SERVERS, servers);
        try {
            return YamlFile.MAPPER.convertValue(fields, Experiment.class);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the experiment " + name + " cannot be read", e);
        }
    }
}
