package io.talosgateway.loadgen.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.talosgateway.loadgen.cli.Units;
import io.talosgateway.loadgen.cli.YamlFile;
import io.talosgateway.loadgen.plan.Warmup;

/**
 * The experiments: a file for each of them, and one with the servers that several compare. Stateless.
 *
 * <p>Besides the components of an {@link Experiment}, a file has {@code quick} and {@code full}, each with {@code rounds},
 * {@code warmup} and {@code duration}; {@code storage}, what {@code --storage} is if the user does not say, HDFS if the file
 * does not; {@code values} of further variables; and {@code servers} by the names that trials use. {@code trials} are patterns:
 * with {@code for}, which has variables with several values, there is a trial for each combination, the last variable changing
 * first; their {@code settings} are over those of the server.
 */
final class Experiments {

    /** In the order in which they are listed. */
    static final List<String> NAMES = List.of(
            "talos-full", "talos-paced", "talos-init", "size-sweep", "gc", "encodings", "tls", "scale", "ideal");

    private static final String STORAGE = "storage";
    private static final String SERVERS = "servers";
    private static final String SERVER = "server";
    private static final String SETTINGS = "settings";

    private Experiments() {}

    /** How an experiment is done if the user does not say otherwise. */
    static TrialSettings usual(String name, Scale scale) {
        ObjectNode fields = YamlFile.read(name);
        JsonNode timing = fields.path(scale.text());
        return new TrialSettings(
                scale,
                fields.has(STORAGE)
                        ? YamlFile.MAPPER.convertValue(fields.path(STORAGE), StorageKind.class)
                        : StorageKind.HDFS,
                timing.path("rounds").asInt(),
                Warmup.parse(timing.path("warmup").asText()),
                Units.duration(timing.path("duration").asText()),
                TrialSettings.DATA_NODES,
                TrialSettings.SEED);
    }

    static Experiment usually(String name, Scale scale) {
        return read(name, usual(name, scale));
    }

    /** What that takes, a line for the help. */
    static String usualCost(String name, Scale scale) {
        return usually(name, scale).cost(usual(name, scale));
    }

    static Experiment read(String name, TrialSettings settings) {
        ObjectNode fields = YamlFile.read(name).put("name", name);
        fields.remove(List.of("quick", "full", STORAGE));
        try {
            return read(fields, YamlFile.read(SERVERS), Variables.of(settings));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the experiment " + name + " cannot be read", e);
        }
    }

    /** @param servers those that all experiments have; of two with a name, it is the experiment's own */
    static Experiment read(ObjectNode fields, ObjectNode servers, Variables variables) {
        Variables all = variables;
        for (Map.Entry<String, JsonNode> value : fields.path("values").properties()) {
            all = all.with(value.getKey(), String.join(",", all.texts(value.getValue())));
        }
        fields.path(SERVERS).forEachEntry(servers::set);
        // Those of a load together. With as many processors as are compared, two patterns may come to the same.
        Map<JsonNode, Map<JsonNode, ObjectNode>> byLoad = new LinkedHashMap<>();
        for (JsonNode pattern : fields.path("trials")) {
            for (Variables combination : combinations(all, pattern.path("for"))) {
                ObjectNode trial = trial(pattern, servers, combination);
                byLoad.computeIfAbsent(trial.path("load"), any -> new LinkedHashMap<>())
                        .putIfAbsent(trial.path("variant"), trial);
            }
        }
        fields.remove(List.of("values", SERVERS, "trials"));
        ObjectNode filled = (ObjectNode) all.fill(fields);
        ArrayNode trials = filled.putArray("trials");
        byLoad.values().forEach(load -> trials.addAll(load.values()));
        return YamlFile.MAPPER.convertValue(filled, Experiment.class);
    }

    private static List<Variables> combinations(Variables variables, JsonNode each) {
        List<Variables> combinations = List.of(variables);
        for (Map.Entry<String, JsonNode> variable : each.properties()) {
            combinations = combinations.stream()
                    .flatMap(all ->
                            all.texts(variable.getValue()).stream().map(value -> all.with(variable.getKey(), value)))
                    .toList();
        }
        return combinations;
    }

    private static ObjectNode trial(JsonNode pattern, JsonNode servers, Variables variables) {
        ObjectNode trial = (ObjectNode) variables.fill(pattern);
        trial.remove("for");
        String name = trial.path(SERVER).asText();
        if (!servers.has(name)) {
            throw new IllegalArgumentException("there is no server '%s' in %s".formatted(name, servers));
        }
        ObjectNode server = (ObjectNode) variables.fill(servers.path(name));
        ObjectNode settings = server.withObject("/" + SETTINGS);
        trial.path(SETTINGS).forEachEntry(settings::set);
        trial.remove(SETTINGS);
        trial.set(SERVER, server);
        return trial;
    }
}
