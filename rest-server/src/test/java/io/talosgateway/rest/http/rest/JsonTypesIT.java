package io.talosgateway.rest.http.rest;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** JSON of the wrong type is refused, not converted; the answer names the field, and no class of the gateway. */
final class JsonTypesIT {

    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(directory, Map.of("message.max-size", "1MiB"));
        assertThat(send("POST", "/v1/topics", "application/json", "{\"name\":\"t\",\"partitions\":1}")
                        .statusCode())
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static HttpResponse<String> send(String method, String path, String type, String body) throws Exception {
        HttpRequest request = gateway.request(path)
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return gateway.send(request);
    }

    private static String detail(HttpResponse<String> answer, int status, String code) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        var problem = new ObjectMapper().readTree(answer.body());
        assertThat(problem.get("code").asText()).isEqualTo(code);
        String detail = problem.get("detail").asText();
        assertThat(detail).doesNotContainIgnoringCase("java", "jackson", "talosgateway", "Source", "`", "Exception");
        return detail;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            POST  | {"name":"n","partitions":2.9}               | partitions
            POST  | {"name":"n","partitions":2.0}               | partitions
            POST  | {"name":"n","partitions":"2"}               | partitions
            POST  | {"name":"n","partitions":""}                | partitions
            POST  | {"name":"n","partitions":true}              | partitions
            POST  | {"name":"n","partitions":[2]}               | partitions
            POST  | {"name":"n","partitions":{}}                | partitions
            POST  | {"name":"n","partitions":3000000000}        | partitions
            POST  | {"name":"n","retentionMs":7200000.5}        | retentionMs
            POST  | {"name":"n","retentionMs":"7200000"}        | retentionMs
            POST  | {"name":"n","retentionMs":1e30}             | retentionMs
            POST  | {"name":"n","retentionMs":99999999999999999999} | retentionMs
            POST  | {"name":1}                                  | name
            POST  | {"name":true}                               | name
            POST  | {"name":1.5}                                | name
            POST  | {"name":["n"]}                              | name
            POST  | {"name":{}}                                 | name
            POST  | {"name":"n","attributes":"x"}               | attributes
            POST  | {"name":"n","attributes":""}                | attributes
            POST  | {"name":"n","attributes":[]}                | attributes
            POST  | {"name":"n","attributes":{"a":1}}           | attributes.a
            POST  | {"name":"n","attributes":{"a":true}}        | attributes.a
            POST  | {"name":"n","attributes":{"a":{}}}          | attributes.a
            PATCH | {"partitions":2.9}                          | partitions
            PATCH | {"partitions":"2"}                          | partitions
            PATCH | {"attributes":{"a":1}}                      | attributes.a
            PATCH | {"attributes":{"a":["b"]}}                  | attributes.a
            """)
    void topicsAndChanges(String method, String body, String field) throws Exception {
        String path = method.equals("POST") ? "/v1/topics" : "/v1/topics/t";
        assertThat(detail(send(method, path, "application/json", body), 400, "malformed-request"))
                .contains("'" + field + "'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"key":1,"value":"x"}                  | key
            {"key":["k"],"value":"x"}              | key
            {"valueBase64":1}                      | valueBase64
            {"value":"x","sequenceNumber":7}       | sequenceNumber
            {"value":"x","createdAtMs":"7"}        | createdAtMs
            {"value":"x","createdAtMs":7.5}        | createdAtMs
            {"value":"x","createdAtMs":true}       | createdAtMs
            """)
    void messages(String message, String field) throws Exception {
        String json = "{\"messages\":[{\"value\":\"fine\"}," + message + "]}";
        assertThat(detail(send("POST", MESSAGES, "application/json", json), 400, "malformed-request"))
                .contains("'messages[1]." + field + "'");
        assertThat(detail(
                        send("POST", MESSAGES, "application/x-ndjson", "{\"value\":\"fine\"}\n" + message),
                        400,
                        "malformed-request"))
                .contains("Message 1", "'" + field + "'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            []                                    | object
            "x"                                   | object
            1                                     | object
            true                                  | object
            null                                  | null
            {"messages":null}                     | messages
            {}                                    | messages
            {"messages":[null]}                   | Message 0
            {"messages":{}}                       | messages
            {"messages":"x"}                      | messages
            {"messages":[1]}                      | messages[0]
            {"messages":["x"]}                    | messages[0]
            {"messages":[[]]}                     | messages[0]
            {"messages":[{"value":"x"}],"more":1} | 'more'
            {"messages":[{"vaule":"x"}]}          | 'vaule'
            {"messages":[{"value":"x"}            | line 1
            {"messages":[{"value":x}]}            | line 1
            {"messages":[{"value":"x"}]}}         | line 1
            {'messages':[]}                       | line 1
            """)
    void otherDocuments(String body, String said) throws Exception {
        assertThat(detail(send("POST", MESSAGES, "application/json", body), 400, "malformed-request"))
                .contains(said);
    }

    @Test
    void limitsOfJsonAreSaidWithoutClasses() throws Exception {
        String deep = "{\"messages\":[{\"value\":" + "[".repeat(300) + "]".repeat(300) + "}]}";
        assertThat(detail(send("POST", MESSAGES, "application/json", deep), 413, "request-too-large"))
                .contains("200");
        String many = "{\"name\":\"n\",\"attributes\":{" + "\"a\":\"b\",".repeat(20_000) + "\"c\":\"d\"}}";
        assertThat(detail(send("POST", "/v1/topics", "application/json", many), 413, "request-too-large"))
                .contains("20000");
        String digits = "{\"name\":\"n\",\"partitions\":1" + "0".repeat(2_000) + "}";
        detail(send("POST", "/v1/topics", "application/json", digits), 413, "request-too-large");
    }

    @Test
    void whatIsNotGzipIsSaidWithoutClasses() throws Exception {
        HttpResponse<String> answer = gateway.send(gateway.request(MESSAGES)
                .header("Content-Type", "application/octet-stream")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofString("hello"))
                .build());
        assertThat(detail(answer, 400, "malformed-request")).contains("gzip");
    }

    @Test
    void nullIsTheSameAsNothing() throws Exception {
        String topic = "{\"name\":\"nulls\",\"partitions\":null,\"retentionMs\":null,\"attributes\":null}";
        assertThat(send("POST", "/v1/topics", "application/json", topic).statusCode())
                .isEqualTo(201);
        String change = "{\"partitions\":null,\"retentionMs\":null,\"attributes\":null}";
        assertThat(send("PATCH", "/v1/topics/nulls", "application/json", change).statusCode())
                .isEqualTo(200);
        String message =
                "{\"key\":null,\"value\":\"x\",\"valueBase64\":null,\"sequenceNumber\":null,\"createdAtMs\":null}";
        assertThat(send("POST", MESSAGES, "application/x-ndjson", message).statusCode())
                .isEqualTo(200);
        detail(send("POST", "/v1/topics", "application/json", "{\"name\":null}"), 400, "malformed-request");
        detail(
                send(
                        "POST",
                        "/v1/topics",
                        "application/json",
                        "{\"name\":\"attribute-is-null\",\"attributes\":{\"a\":null}}"),
                400,
                "malformed-request");
        detail(send("POST", MESSAGES, "application/x-ndjson", "{\"value\":null}"), 400, "invalid-message");
    }

    @Test
    void rightTypesAreTaken() throws Exception {
        assertThat(send("POST", "/v1/topics", "application/json", "{\"name\":\"fine\"}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(send("PATCH", "/v1/topics/fine", "application/json", "{\"attributes\":{\"a\":null,\"b\":\"1\"}}")
                        .statusCode())
                .isEqualTo(200);
        for (String value : new String[] {"\"x\"", "1", "1.5", "true", "{}", "[null]"}) {
            assertThat(send("POST", MESSAGES, "application/json", "{\"messages\":[{\"value\":" + value + "}]}")
                            .statusCode())
                    .isEqualTo(200);
        }
    }
}
