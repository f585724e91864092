package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Trials that are alike. All texts may name variables.
 *
 * @param each further variables, each with its values: there is a trial for each combination, the last variable changing first
 * @param load what it is put under, such as {@code 2 clients}; variants are compared under the same load
 * @param variant what is compared, such as {@code 2.1.6}
 * @param server a name among the experiment's servers
 * @param settings of the gateway, over those of the server
 * @param client what puts the load: a command line of {@code talos-loadgen}, or of a program of the kit
 * @param line in a plot over {@code x}, the line that this is a point of
 * @param x null without such a plot
 * @param promise what an answer to a put promises, where that differs; null if it does not
 */
record TrialPattern(
        @JsonProperty("for") Map<String, Scaled> each,
        String load,
        String variant,
        String server,
        Map<String, String> settings,
        String client,
        @Nullable String line,
        @Nullable String x,
        @Nullable String promise) {

    List<Trial> trials(Variables variables, Scale scale, Map<String, Server> servers) {
        List<Variables> combinations = List.of(variables);
        for (Map.Entry<String, Scaled> variable : each.entrySet()) {
            List<Variables> more = new ArrayList<>();
            for (Variables combination : combinations) {
                for (String value : variable.getValue().all(scale)) {
                    more.add(combination.with(variable.getKey(), value));
                }
            }
            combinations = more;
        }
        return combinations.stream().map(all -> trial(all, servers)).toList();
    }

    private Trial trial(Variables variables, Map<String, Server> servers) {
        String name = variables.fill(server);
        Server definition = servers.get(name);
        if (definition == null) {
            throw new IllegalArgumentException("there is no server '%s', but %s".formatted(name, servers.keySet()));
        }
        return new Trial(
                variables.fill(load),
                variables.fill(variant),
                definition.filled(settings, variables),
                TrialClient.parse(variables.fill(client)),
                line == null ? "" : variables.fill(line),
                x == null ? Double.NaN : Double.parseDouble(variables.fill(x)),
                promise == null ? "" : variables.fill(promise));
    }
}
