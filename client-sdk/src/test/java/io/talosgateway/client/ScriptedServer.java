package io.talosgateway.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** An HTTP server on loopback that answers as told and remembers what it was asked. */
final class ScriptedServer implements AutoCloseable {

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Received> received = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    /** @param body null for no answer at all */
    @SuppressWarnings("ArrayRecordComponent") // Bytes that are passed on.
    private record Answer(int status, String contentType, byte[] body, int claimedLength) {}

    @SuppressWarnings("ArrayRecordComponent") // Bytes that are looked at.
    record Received(String method, URI target, Headers headers, byte[] body) {
        String header(String name) {
            return headers.getFirst(name);
        }
    }

    ScriptedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    ScriptedServer answers(int status, String contentType, byte[] body) {
        answers.add(new Answer(status, contentType, body, body.length));
        return this;
    }

    ScriptedServer answers(int status, String contentType, String body) {
        return answers(status, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Says that the body is longer than it is, and closes the connection. */
    ScriptedServer breaksOff(String contentType, byte[] body) {
        answers.add(new Answer(200, contentType, body, body.length + 1));
        return this;
    }

    ScriptedServer keepsSilent() {
        answers.add(new Answer(0, "", null, 0));
        return this;
    }

    /** What came, in order. */
    List<Received> received() {
        return new ArrayList<>(received);
    }

    Received onlyRequest() {
        assertThat(received).hasSize(1);
        return received.element();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** A client's builder, with the key of the test vectors, that does not pause long. */
    GatewayClient.Builder client() {
        return GatewayClient.builder(endpoint())
                .key("AKEXAMPLEKEYID", "exampleSecretKey0123456789")
                .retries(new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(2)));
    }

    private void answer(HttpExchange exchange) throws IOException {
        received.add(new Received(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                exchange.getRequestHeaders(),
                exchange.getRequestBody().readAllBytes()));
        Answer answer = answers.remove();
        if (answer.body == null) {
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", answer.contentType);
        exchange.sendResponseHeaders(answer.status, answer.claimedLength == 0 ? -1 : answer.claimedLength);
        exchange.getResponseBody().write(answer.body);
        exchange.close();
    }

    static GatewayClientException failureOf(CompletableFuture<?> future) {
        ExecutionException failure = catchThrowableOfType(ExecutionException.class, future::get);
        assertThat(failure).hasCauseInstanceOf(GatewayClientException.class);
        return (GatewayClientException) failure.getCause();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
