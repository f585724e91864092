package io.talosgateway.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.talosgateway.rest.auth.KeyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Puts of which not everything is stored, with a server that answers as told. */
final class PutCommandTest {

    private static final String STORED = """
            {"partition":0,"messages":[0],"status":200,"stored":
             {"topic":"t","partition":0,"firstOffset":42,"count":1,"durability":"disk","repeat":false,"appendedAtMs":7}}""";

    private static final String REFUSAL =
            "{\"code\":\"outcome-unknown\",\"detail\":\"Because.\",\"retry\":\"outcome-unknown\"}";

    private final Queue<String> answers = new ConcurrentLinkedQueue<>();
    private final Queue<String> bodies = new ConcurrentLinkedQueue<>();

    @TempDir
    Path directory;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        KeyFile.create(directory.resolve("keys.json"), "tester", true, InstantSource.system());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String answer = answers.remove();
        boolean isRefusal = answer.equals(REFUSAL);
        byte[] body = (isRefusal ? answer : "{\"results\":[" + answer + "]}").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isRefusal ? 504 : 207, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String part(int message, String retry) {
        return ("{\"partition\":%d,\"messages\":[%d],\"status\":503,\"problem\":{\"status\":503,\"code\":\"c\","
                        + "\"detail\":\"Because.\",\"retry\":\"%s\"}}")
                .formatted(message, message, retry);
    }

    private String put(String... arguments) {
        StringWriter output = new StringWriter();
        List<String> all = new ArrayList<>(List.of("put", "t"));
        all.addAll(List.of(arguments));
        all.addAll(
                List.of("--endpoint", "http://127.0.0.1:" + server.getAddress().getPort()));
        all.addAll(List.of("--key-file", directory.resolve("keys.json").toString()));
        int status = TalosGateway.commandLine(all.toArray(String[]::new))
                .setOut(new PrintWriter(output))
                .setErr(new PrintWriter(output))
                .execute(all.toArray(String[]::new));
        return status + "\n" + output;
    }

    @Test
    void whatIsNotStoredAndWhatMayBeIsSaid() {
        answers.add(STORED + "," + part(1, "never") + "," + part(2, "outcome-unknown"));

        assertThat(put("a", "b", "c")).isEqualTo("""
                        1
                        partition 0 offset 42
                        talos-gateway: 1 of 3 messages are not stored, 1 of 3 messages may be stored or not: Because.
                        """);
    }

    @Test
    void whatMayBeStoredIsSaidOfAPutThatIsRefusedAsAWhole() {
        answers.add(REFUSAL);
        assertThat(put("a", "b")).contains("2 of 2 messages may be stored or not: Because.");
    }

    /** They would be stored before those that are put again. */
    @Test
    void linesAfterThoseThatAreNotStoredAreNotPut() {
        String lines = String.join(
                "\n", IntStream.range(0, 1200).mapToObj(Integer::toString).toList());
        answers.add(STORED);
        answers.add(part(0, "never"));
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(put()).contains("1 of 2 messages are not stored: Because. No line after line 1000 was put.");
        } finally {
            System.setIn(before);
        }
        assertThat(bodies).hasSize(2);
    }
}
