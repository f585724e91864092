package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The experiments: a file for each of them, and one with the servers that several compare. Stateless. */
public final class Experiments {

    private static final String SERVERS = "servers";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .withConfigOverride(List.class, list -> list.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .withConfigOverride(Map.class, map -> map.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .build();

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
        Map<String, Object> fields = yaml(name);
        fields.put("name", name);
        // Of two, the experiment's own.
        Map<String, Object> servers = yaml(SERVERS);
        if (fields.get(SERVERS) instanceof Map<?, ?> own) {
            own.forEach((server, definition) -> servers.put(String.valueOf(server), definition));
        }
        fields.put(SERVERS, servers);
        try {
            return MAPPER.convertValue(fields, Experiment.class);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the experiment " + name + " cannot be read", e);
        }
    }

    private static Map<String, Object> yaml(String name) {
        String file = "/experiments/" + name + ".yaml";
        try (InputStream stream = Experiments.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException("the jar has no " + file);
            }
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(stream);
        } catch (IOException e) {
            throw new IllegalStateException("the jar's " + file + " cannot be read", e);
        }
    }
}
