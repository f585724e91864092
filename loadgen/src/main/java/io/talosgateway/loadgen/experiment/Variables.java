package io.talosgateway.loadgen.experiment;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.UnixOperatingSystemMXBean;

/**
 * What the file of an experiment leaves open. Its texts can name variables as {@code ${name}}: there are always {@code processors}
 * of this machine, and {@code connections}, as many as the limit of open files allows, up to
 * 16,384. Of {@code {quick: ..., full: ...}} it is one, by the scale. Immutable.
 */
record Variables(Scale scale, Map<String, String> values) {

    private static final Pattern NAME = Pattern.compile("\\$\\{([a-z0-9-]+)}");
    private static final int CONNECTIONS = 16_384;
    /** What load generator and gateway need for other purposes. */
    private static final int OTHER_FILES = 1_000;

    static Variables of(TrialSettings settings) {
        return new Variables(
                settings.scale(),
                Map.of(
                        "processors",
                        Integer.toString(Runtime.getRuntime().availableProcessors()),
                        "connections",
                        Integer.toString(connections())));
    }

    private static int connections() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? (int) Math.max(1, Math.min(CONNECTIONS, system.getMaxFileDescriptorCount() - OTHER_FILES))
                : CONNECTIONS;
    }

    /** With another one. */
    Variables with(String name, String value) {
        Map<String, String> all = new TreeMap<>(values);
        all.put(name, value);
        return new Variables(scale, all);
    }

    /** The texts of a value or of several, filled. */
    List<String> texts(JsonNode node) {
        JsonNode filled = fill(node);
        List<String> texts =
                filled.isArray() ? filled.valueStream().map(JsonNode::asText).toList() : List.of(filled.asText());
        if (texts.isEmpty() || texts.contains("")) {
            throw new IllegalArgumentException("there is no value in " + node);
        }
        return texts;
    }

    /** The same with nothing left open. */
    JsonNode fill(JsonNode node) {
        if (node.has("quick") && node.has("full")) {
            return fill(node.path(scale.text()));
        }
        if (node.isObject()) {
            ObjectNode filled = JsonNodeFactory.instance.objectNode();
            node.forEachEntry((name, value) -> filled.set(name, fill(value)));
            return filled;
        }
        if (node.isArray()) {
            ArrayNode filled = JsonNodeFactory.instance.arrayNode();
            node.forEach(value -> filled.add(fill(value)));
            return filled;
        }
        return node.isTextual() ? JsonNodeFactory.instance.textNode(fill(node.asText())) : node;
    }

    /** @throws IllegalArgumentException if the text names what there is not */
    private String fill(String text) {
        return NAME.matcher(text).replaceAll(found -> {
            String value = values.get(found.group(1));
            if (value == null) {
                throw new IllegalArgumentException(
                        "'%s' names %s, and there are %s".formatted(text, found.group(), values));
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
