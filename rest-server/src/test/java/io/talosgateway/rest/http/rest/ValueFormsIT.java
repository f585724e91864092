package io.talosgateway.rest.http.rest;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What is put over HTTP comes back in the form in which it was put, or in the one that is asked for. */
final class ValueFormsIT {

    private static final String JSON = "application/json";
    private static final String LINES = "application/x-ndjson";
    private static final String RAW = "application/octet-stream";

    /** As a message is put, and as it is to come back. */
    private static final List<String> VALUES = List.of(
            "\"value\":\"text\"",
            "\"value\":\"{}\"",
            "\"value\":\"1\"",
            "\"value\":{}",
            "\"value\":[]",
            "\"value\":false",
            "\"value\":1",
            "\"value\":1.0",
            "\"value\":-0.0",
            "\"value\":1E400",
            "\"value\":123456789012345678901234567890.10",
            "\"value\":{\"z\":1,\"a\":{\"total\":1.50},\"z\":null}",
            "\"value\":\"\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\"",
            "\"value\":[\"\\\"\\n\\\\ä€😀\"]",
            "\"valueBase64\":\"dGV4dA==\"",
            "\"valueBase64\":\"e30=\"",
            "\"valueBase64\":\"/wD+\"");

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(directory, Map.of());
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static String path(String topic) {
        return "/v1/topics/" + topic + "/partitions/0/messages";
    }

    private static void create(String topic) throws Exception {
        assertThat(gateway.send(gateway.request("/v1/topics")
                                .POST(BodyPublishers.ofString("{\"name\":\"" + topic + "\",\"partitions\":1}"))
                                .build())
                        .statusCode())
                .isEqualTo(201);
    }

    private static void put(String topic, String type, byte[] body) throws Exception {
        HttpRequest request = gateway.request(path(topic))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        HttpResponse<String> answer = gateway.send(request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static HttpResponse<String> get(String topic, String query, String accept) throws Exception {
        return gateway.send(gateway.request(path(topic) + "?" + query)
                .header("Accept", accept)
                .build());
    }

    /** The messages in an answer, without what is not the value. */
    private static List<String> values(String answer) {
        return answer.lines()
                .flatMap(line -> Arrays.stream(line.split("(?=\\{\"offset\":)")))
                .filter(part -> part.startsWith("{\"offset\":"))
                .map(part -> part.substring(part.indexOf(',') + 1, part.indexOf(",\"appendedAtMs\"")))
                .toList();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void everyFormOfPutComesBackInEveryFormOfGet() throws Exception {
        create("forms");
        String messages = VALUES.stream().map(value -> "{" + value + "}").collect(Collectors.joining(","));
        put("forms", JSON, utf8("{\"messages\":[" + messages + "]}"));
        put("forms", LINES, utf8(messages.replace("},{\"value", "}\n{\"value")));

        for (String accept : List.of(JSON, LINES)) {
            List<String> values = values(get("forms", "offset=0", accept).body());
            assertThat(values.subList(0, VALUES.size())).as(accept).isEqualTo(VALUES);
            assertThat(values.subList(VALUES.size(), values.size())).as(accept).isEqualTo(VALUES);
        }
        // After a restart they are read from the disk.
        gateway.restart();
        assertThat(values(get("forms", "offset=0&max-messages=" + VALUES.size(), JSON)
                        .body()))
                .isEqualTo(VALUES);
    }

    @Test
    void rawMessagesAreBytesAndTellTheFormOfOthers() throws Exception {
        create("raw");
        put("raw", RAW, utf8("text"));
        put("raw", JSON, utf8("{\"messages\":[{\"value\":{\"a\": 1.0}},{\"value\":\"text\"}]}"));

        assertThat(values(get("raw", "offset=0&max-messages=1", JSON).body()))
                .containsExactly("\"valueBase64\":\"dGV4dA==\"");
        List<String> bodies = List.of("text", "{\"a\":1.0}", "text");
        List<String> forms = List.of("bytes", "json", "text");
        for (int offset = 0; offset < 3; offset++) {
            HttpResponse<String> one = get("raw", "offset=" + offset, RAW);
            assertThat(one.body()).isEqualTo(bodies.get(offset));
            assertThat(one.headers().firstValue("Talos-Value-Form")).hasValue(forms.get(offset));
        }
    }

    @Test
    void theQueryChoosesAnotherForm() throws Exception {
        create("chosen");
        put(
                "chosen",
                JSON,
                utf8("{\"messages\":[{\"value\":\"[1.0]\"},{\"value\":[1.0]},{\"valueBase64\":\"WzEuMF0=\"},"
                        + "{\"valueBase64\":\"/w==\"}]}"));
        String text = "\"value\":\"[1.0]\"";
        String json = "\"value\":[1.0]";
        String base64 = "\"valueBase64\":\"WzEuMF0=\"";
        String bytes = "\"valueBase64\":\"/w==\"";
        Map<String, List<String>> expected = Map.of(
                "as-put", List.of(text, json, base64, bytes),
                "text", List.of(text, text, text, bytes),
                "json", List.of(json, json, json, bytes),
                "base64", List.of(base64, base64, base64, bytes));
        for (Map.Entry<String, List<String>> each : expected.entrySet()) {
            for (String accept : List.of(JSON, LINES)) {
                assertThat(values(get("chosen", "offset=0&value=" + each.getKey(), accept)
                                .body()))
                        .as(each.getKey())
                        .isEqualTo(each.getValue());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"value=xml", "value="})
    void otherFormsAreRefused(String query) throws Exception {
        String topic = "refused" + query.length();
        create(topic);

        HttpResponse<String> answer = get(topic, "offset=0&" + query, JSON);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("malformed-request", "as-put, text, json, base64");
        assertThat(get(topic, "offset=0&value=text", RAW).statusCode()).isEqualTo(400);
    }

    /** The answer to one message of 10 MiB is bounded, whatever it holds, and is not refused. */
    @Test
    void largestTextOfEscapesIsText() throws Exception {
        create("large");
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(utf8("{\"messages\":[{\"value\":\""));
        body.writeBytes(utf8("\\n".repeat(10 << 20)));
        body.writeBytes(utf8("\"}]}"));
        put("large", JSON, body.toByteArray());

        HttpResponse<String> answer = get("large", "offset=0&max-bytes=100000000", LINES);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"value\":\"\\n\\n").hasSizeGreaterThan(20 << 20);
    }
}
