package io.talosgateway.loadgen.experiment;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;

/** A value or several, which may differ by {@link Scale}: {@code 120}, {@code [1, 16]}, {@code {quick: [1, 16], full: 120}}. */
record Scaled(List<String> quick, List<String> full) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Scaled of(JsonNode node) {
        return node.isObject()
                ? new Scaled(texts(node.path("quick")), texts(node.path("full")))
                : new Scaled(texts(node), texts(node));
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts =
                node.isArray() ? node.valueStream().map(JsonNode::asText).toList() : List.of(node.asText());
        if (texts.isEmpty() || texts.contains("")) {
            throw new IllegalArgumentException("there is no value in " + node);
        }
        return texts;
    }

    List<String> all(Scale scale) {
        return scale == Scale.QUICK ? quick : full;
    }

    /** The only one. */
    String one(Scale scale) {
        return String.join(",", all(scale));
    }
}
