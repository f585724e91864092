package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;

/** {@code openapi.yaml}, read by a parser, to check answers against it. */
final class OpenApiDocument {

    private final JsonNode document;

    OpenApiDocument() throws IOException {
        // YAML anchors are resolved by the parser's generic binding.
        try (InputStream in = OpenApiDocument.class.getResourceAsStream("/openapi.yaml")) {
            Object tree = new org.yaml.snakeyaml.Yaml().load(Objects.requireNonNull(in));
            document = new ObjectMapper(new YAMLFactory()).valueToTree(tree);
        }
    }

    /** A node of the document, by its path. */
    JsonNode at(String pointer) {
        return document.at(pointer);
    }

    /** Whether a JSON document is what the schema of this name says. */
    boolean isValid(String schemaName, String json) throws IOException {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.set("components", document.get("components"));
        root.put("$ref", "#/components/schemas/" + schemaName);
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(root)
                .validate(new ObjectMapper().readTree(json))
                .isEmpty();
    }

    /** All operations as {@code operationId METHOD /path}. */
    List<String> operations() {
        List<String> operations = new ArrayList<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(method -> {
                    if (method.getValue().has("operationId")) {
                        operations.add(method.getValue().get("operationId").asText() + " "
                                + method.getKey().toUpperCase(java.util.Locale.ROOT) + " " + path.getKey());
                    }
                }));
        return operations;
    }

    /** What is wrong with an answer, as sentences; empty if it is as documented. */
    List<String> violations(String operationId, int status, String contentType, String body) throws IOException {
        JsonNode responses = operation(operationId).get("responses");
        JsonNode response = responses.has(Integer.toString(status))
                ? responses.get(Integer.toString(status))
                : responses.get("default");
        if (response.has("$ref")) {
            response = document.at(response.get("$ref").asText().substring(1));
        }
        if (status == 204) {
            return body.isEmpty() ? List.of() : List.of("a 204 has no body");
        }
        JsonNode media = response.path("content").get(contentType);
        if (media == null) {
            return List.of("%s %d is not documented as %s".formatted(operationId, status, contentType));
        }
        if (!contentType.contains("json")) {
            return List.of();
        }
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.set("components", document.get("components"));
        root.setAll((ObjectNode) media.get("schema"));
        JsonSchema schema =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(root);
        List<String> violations = new ArrayList<>();
        for (String json : contentType.contains("ndjson") ? body.lines().toList() : List.of(body)) {
            Set<ValidationMessage> messages = schema.validate(new ObjectMapper().readTree(json));
            messages.forEach(message -> violations.add(message.getMessage() + " in " + json));
        }
        return violations;
    }

    private JsonNode operation(String operationId) {
        for (JsonNode path : document.get("paths")) {
            for (JsonNode method : path) {
                if (operationId.equals(method.path("operationId").asText())) {
                    return method;
                }
            }
        }
        throw new AssertionError("no operation " + operationId);
    }
}
