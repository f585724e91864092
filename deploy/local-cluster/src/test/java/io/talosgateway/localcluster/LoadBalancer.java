package io.talosgateway.localcluster;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** What operators have in front of gateways: hands each request to the next one that says it is ready. Tries none twice. */
final class LoadBalancer implements AutoCloseable {

    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(100);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** What a client of Java's may not set, or belongs to one connection. */
    private static final Set<String> OWN_HEADERS =
            Set.of("connection", "content-length", "host", "expect", "upgrade", "transfer-encoding", "keep-alive");

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final List<Gateway> gateways;
    private final Set<Gateway> ready = ConcurrentHashMap.newKeySet();
    private final AtomicInteger turn = new AtomicInteger();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService looking;

    /** Where a gateway answers clients, and operators. */
    record Gateway(URI endpoint, URI ops) {}

    /** @param gateways all of which are ready, or soon will be */
    private LoadBalancer(List<Gateway> gateways) throws IOException, InterruptedException {
        this.gateways = gateways;
        looking = Executors.newScheduledThreadPool(gateways.size());
        for (Gateway gateway : gateways) {
            looking.scheduleWithFixedDelay(() -> look(gateway), 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
        while (ready.size() < gateways.size()) {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY.toMillis());
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handOn);
        server.setExecutor(threads);
        server.start();
    }

    /** @param properties of the cluster, {@code cluster.properties} */
    static LoadBalancer of(Properties properties, int gateways) throws IOException, InterruptedException {
        return new LoadBalancer(IntStream.rangeClosed(1, gateways)
                .mapToObj(number -> new Gateway(
                        URI.create(properties.getProperty("gateway-" + number + ".endpoint")),
                        URI.create(properties.getProperty("gateway-" + number + ".ops"))))
                .toList());
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
        looking.shutdownNow();
        threads.shutdownNow();
    }

    private void look(Gateway gateway) {
        if (isReady(gateway)) {
            ready.add(gateway);
        } else {
            ready.remove(gateway);
        }
    }

    private boolean isReady(Gateway gateway) {
        HttpRequest asks = HttpRequest.newBuilder(gateway.ops.resolve("/health/ready"))
                .timeout(PATIENCE)
                .build();
        try {
            return client.send(asks, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Gateway next() throws IOException {
        for (int tried = 0; tried < gateways.size(); tried++) {
            Gateway gateway = gateways.get(Math.floorMod(turn.getAndIncrement(), gateways.size()));
            if (ready.contains(gateway)) {
                return gateway;
            }
        }
        throw new IOException("no gateway is ready");
    }

    private void handOn(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            next().endpoint.resolve(exchange.getRequestURI().toString()))
                    .timeout(ANSWER_WITHIN)
                    .method(
                            exchange.getRequestMethod(),
                            BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                    values.forEach(value -> request.header(name, value));
                }
            });
            HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
            answer.headers().map().forEach((name, values) -> {
                if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(answer.body());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
