package io.talosgateway.rest.http.rest;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The bounds in {@code openapi.yaml} are those of a gateway as it is by default. */
final class OpenApiBoundsIT {

    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static OpenApiDocument document;

    @BeforeAll
    static void start() throws Exception {
        document = new OpenApiDocument();
        gateway = TestGateway.start(directory, Map.of());
        assertThat(status("POST", "/v1/topics", "{\"name\":\"t\",\"partitions\":1}"))
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static int status(String method, String path, String json, String... headers) throws Exception {
        HttpRequest.Builder request = gateway.request(path).method(method, BodyPublishers.ofString(json));
        for (int index = 0; index < headers.length; index += 2) {
            request.header(headers[index], headers[index + 1]);
        }
        return gateway.send(request.build()).statusCode();
    }

    @Test
    void boundsThatSettingsChangeAreTheirDefaults() {
        Map<String, String> defaults = GatewayConfig.defaults();
        assertThat(document.at("/components/schemas/NumberOfPartitions/maximum").asText())
                .isEqualTo(defaults.get("topic.max-partitions"));
        assertThat(defaults).containsEntry("topic.min-retention", "1h").containsEntry("topic.max-retention", "365d");
        assertThat(document.at("/components/schemas/Retention/minimum").asLong())
                .isEqualTo(3_600_000);
        assertThat(document.at("/components/schemas/Retention/maximum").asLong())
                .isEqualTo(365L * 24 * 3_600_000);
        assertThat(document.at("/components/schemas/NewMessages/properties/messages/maxItems")
                        .asText())
                .isEqualTo(defaults.get("message.max-per-put"));
        assertThat(defaults).containsEntry("message.max-size", "10MiB");
        assertThat(document.at("/components/schemas/NewMessage/properties/valueBase64/maxLength")
                        .asInt())
                .isEqualTo(4 * (((10 << 20) + 2) / 3));
    }

    private static String attributes(int number, int nameLength, int valueLength) {
        return IntStream.range(0, number)
                .mapToObj(index -> {
                    String name = "%03d".formatted(index) + "n".repeat(nameLength - 3);
                    return "\"" + name + "\":\"" + "v".repeat(valueLength) + "\"";
                })
                .collect(Collectors.joining(",", "{\"attributes\":{", "}}"));
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of("{\"partitions\":0}", false),
                Arguments.of("{\"partitions\":1}", true),
                Arguments.of("{\"partitions\":257}", false),
                Arguments.of("{\"partitions\":null}", true),
                Arguments.of("{\"partitions\":1.5}", false),
                Arguments.of("{\"partitions\":\"1\"}", false),
                Arguments.of("{\"retentionMs\":3599999}", false),
                Arguments.of("{\"retentionMs\":3600000}", true),
                Arguments.of("{\"retentionMs\":31536000000}", true),
                Arguments.of("{\"retentionMs\":31536000001}", false),
                Arguments.of(attributes(1, 1024, 1), true),
                Arguments.of(attributes(1, 1025, 1), false),
                Arguments.of(attributes(1, 3, 1024), true),
                Arguments.of(attributes(1, 3, 1025), false),
                Arguments.of("{\"attributes\":{\"a\":null}}", true),
                Arguments.of("{\"attributes\":[]}", false),
                Arguments.of("{\"nothing\":1}", false));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changesThatTheDocumentPermitsAreMade(String change, boolean permitted) throws Exception {
        assertThat(document.isValid("TopicChange", change)).isEqualTo(permitted);
        assertThat(status("PATCH", "/v1/topics/t", change)).isEqualTo(permitted ? 200 : 400);
        // So that attributes of one do not count for the next.
        assertThat(status("DELETE", "/v1/topics/t", "")).isEqualTo(200);
        assertThat(status("POST", "/v1/topics", "{\"name\":\"t\",\"partitions\":1}"))
                .isEqualTo(201);
    }

    @Test
    void newTopicsHaveAHundredAttributes() throws Exception {
        for (int number : new int[] {100, 101}) {
            String topic = "{\"name\":\"a-%d\",\"partitions\":1,".formatted(number)
                    + attributes(number, 3, 1).substring(1);
            assertThat(document.isValid("NewTopic", topic)).isEqualTo(number == 100);
            assertThat(status("POST", "/v1/topics", topic)).isEqualTo(number == 100 ? 201 : 400);
        }
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of("{\"value\":\"x\"}", true),
                Arguments.of("{\"value\":1}", true),
                Arguments.of("{\"value\":null}", false),
                Arguments.of("{\"value\":\"x\",\"valueBase64\":null}", true),
                Arguments.of("{\"value\":null,\"valueBase64\":\"YQ==\"}", true),
                Arguments.of("{\"value\":\"x\",\"valueBase64\":\"YQ==\"}", false),
                Arguments.of("{}", false),
                Arguments.of("{\"valueBase64\":\"\"}", false),
                Arguments.of("{\"value\":\"x\",\"key\":\"\"}", false),
                Arguments.of("{\"value\":\"x\",\"key\":\"" + "k".repeat(256) + "\"}", true),
                Arguments.of("{\"value\":\"x\",\"key\":\"" + "k".repeat(257) + "\"}", false),
                Arguments.of("{\"value\":\"x\",\"sequenceNumber\":\"\"}", false),
                Arguments.of("{\"value\":\"x\",\"sequenceNumber\":\"" + "k".repeat(256) + "\"}", true),
                Arguments.of("{\"value\":\"x\",\"sequenceNumber\":\"" + "k".repeat(257) + "\"}", false),
                Arguments.of("{\"value\":\"x\",\"createdAtMs\":9223372036854775807}", true),
                Arguments.of("{\"value\":\"x\",\"createdAtMs\":9223372036854775808}", false),
                Arguments.of("{\"value\":\"x\",\"createdAtMs\":-9223372036854775808}", true),
                Arguments.of("{\"value\":\"x\",\"createdAtMs\":1.5}", false));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messagesThatTheDocumentPermitsAreStored(String message, boolean permitted) throws Exception {
        assertThat(document.isValid("NewMessage", message)).isEqualTo(permitted);
        assertThat(status("POST", MESSAGES, "{\"messages\":[" + message + "]}")).isEqualTo(permitted ? 200 : 400);
    }

    @ParameterizedTest
    @CsvSource({
        "offset, 999999999999999999, 416",
        "offset, 1000000000000000000, 400",
        "offset, +1, 400",
        "timestamp-ms, 999999999999999999, 200",
        "timestamp-ms, 1000000000000000000, 400",
        "timestamp-ms, -1, 400",
        "max-messages, 2147483647, 200",
        "max-messages, 2147483648, 400",
        "max-messages, 0, 400",
        "max-messages, %2B1, 400",
        "max-bytes, 2147483647, 200",
        "max-bytes, 2147483648, 400",
        "max-bytes, 0, 400",
        "wait, 0MS, 200",
        "wait, 0s, 200",
        "wait, 1h, 400",
        "wait, 1000000000ms, 400"
    })
    void parametersOfGets(String name, String value, int status) throws Exception {
        JsonNode schema = null;
        for (JsonNode listed :
                document.at("/paths/~1v1~1topics~1{topic}~1partitions~1{partition}~1messages/get/parameters")) {
            JsonNode parameter =
                    listed.has("$ref") ? document.at(listed.get("$ref").asText().substring(1)) : listed;
            schema = parameter.path("name").asText().equals(name) ? parameter.get("schema") : schema;
        }
        assertThat(permits(schema, value)).isEqualTo(status != 400);
        String begin = name.equals("offset") || name.equals("timestamp-ms") ? "" : "offset=earliest&";
        assertThat(status("GET", MESSAGES + "?" + begin + name + "=" + value, ""))
                .isEqualTo(status);
    }

    private static boolean permits(JsonNode schema, String value) {
        if (schema.has("pattern")) {
            return value.matches(schema.get("pattern").asText());
        }
        return value.matches("-?\\d+")
                && Long.parseLong(value) >= schema.get("minimum").asLong()
                && Long.parseLong(value) <= schema.get("maximum").asLong();
    }

    @Test
    void headers() throws Exception {
        String put = "{\"messages\":[{\"value\":\"x\"}]}";
        String most =
                document.at("/components/parameters/budget/schema/maximum").asText();
        assertThat(status("POST", MESSAGES, put, "Talos-Timeout-Ms", most)).isEqualTo(200);
        assertThat(status("POST", MESSAGES, put, "Talos-Timeout-Ms", Long.toString(Long.parseLong(most) + 1)))
                .isEqualTo(400);
        int longest = document.at("/components/parameters/idempotencyKey/schema/maxLength")
                .asInt();
        assertThat(status("POST", MESSAGES, put, "Idempotency-Key", '"' + "k".repeat(longest - 2) + '"'))
                .isEqualTo(200);
        assertThat(status("POST", MESSAGES, put, "Idempotency-Key", '"' + "k".repeat(longest - 1) + '"'))
                .isEqualTo(400);
        int longestKey =
                document.at("/components/parameters/key/schema/maxLength").asInt();
        for (int length : new int[] {longestKey, longestKey + 1}) {
            assertThat(status(
                            "POST",
                            MESSAGES + "?key=" + "k".repeat(length),
                            "x",
                            "Content-Type",
                            "application/octet-stream"))
                    .isEqualTo(length == longestKey ? 200 : 400);
        }
    }
}
