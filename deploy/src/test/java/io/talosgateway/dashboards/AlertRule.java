package io.talosgateway.dashboards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/** A rule of {@code prometheus/rules/talos-gateway.yml}. */
public record AlertRule(String name, String expression, String severity, String summary, String description) {

    public static List<AlertRule> readAll() throws IOException {
        List<AlertRule> rules = new ArrayList<>();
        for (JsonNode group :
                DeployFiles.yaml("prometheus/rules/talos-gateway.yml").path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                JsonNode annotations = rule.path("annotations");
                rules.add(new AlertRule(
                        rule.path("alert").asText(),
                        rule.path("expr").asText(),
                        rule.path("labels").path("severity").asText(),
                        annotations.path("summary").asText(),
                        annotations.path("description").asText()));
            }
        }
        return rules;
    }
}
