package io.talosgateway.loadgen;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** An HTTP server that answers as a test wants it to. */
public final class StubGateway implements AutoCloseable {

    /** What it answers. */
    public interface Script {
        Answer answer(String method, String path) throws InterruptedException;
    }

    /** @param nextOffset -1 for none */
    public record Answer(int status, String body, long nextOffset) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Script script;

    /** Method and path of what came, but for puts and gets of messages. */
    final Queue<String> topicRequests = new ConcurrentLinkedQueue<>();

    public final AtomicLong puts = new AtomicLong();

    public StubGateway(Script script) throws IOException {
        this.script = script;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public static Answer topic(int partitions) {
        return json(200, """
                {"name":"loadgen","resourceName":"r","owner":"o","partitions":%d,"retentionMs":1,"attributes":{},\
                "createdAtMs":1}""".formatted(partitions));
    }

    static Answer problem(int status, String code, String detail) {
        return json(status, """
                {"type":"t","title":"t","status":%d,"detail":"%s","code":"%s","retry":"never"}""".formatted(status, detail, code));
    }

    public static Answer json(int status, String body) {
        return new Answer(status, body, -1);
    }

    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().toString();
        exchange.getRequestBody().readAllBytes();
        if (!path.contains("/messages")) {
            topicRequests.add(method + " " + path);
        } else if (method.equals("POST")) {
            puts.incrementAndGet();
        }
        try (exchange) {
            Answer answer = script.answer(method, path);
            if (answer.nextOffset >= 0) {
                exchange.getResponseHeaders().set("Talos-Next-Offset", Long.toString(answer.nextOffset));
            }
            byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
