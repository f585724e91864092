package io.talosgateway.loadgen.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.stages.StageTimes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The probe with a server that says what a gateway would. */
@Timeout(30)
final class StageProbeTest {

    private final CountDownLatch enough = new CountDownLatch(20);
    private HttpServer server;
    private int status = 200;
    private boolean says = true;
    private long clockAheadNanos;
    private String end = "7";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        long receivedAtNanos = System.nanoTime() + clockAheadNanos;
        exchange.getRequestBody().readAllBytes();
        if (says && "on".equals(exchange.getRequestHeaders().getFirst("Talos-Stages"))) {
            exchange.getResponseHeaders()
                    .set(
                            "Talos-Stages",
                            "received=%d,answered=%d".formatted(receivedAtNanos, System.nanoTime() + clockAheadNanos));
        }
        exchange.getResponseHeaders().set("Talos-Next-Offset", end);
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
        enough.countDown();
    }

    private List<StageTimes> probe(Kind... kinds) throws InterruptedException {
        URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        StageProbe probe =
                new StageProbe(new Endpoint(endpoint), null, StageProbe.paths(List.of("t"), 2), List.of(kinds), 100, 1);
        probe.start(() -> true);
        enough.await();
        return probe.stop();
    }

    @Test
    void putsAndGetsAreTimed() throws InterruptedException {
        List<StageTimes> times = probe(Kind.PUT, Kind.GET);

        assertThat(times).extracting(StageTimes::request).containsExactly("put", "get");
        for (StageTimes each : times) {
            assertThat(each.samples()).isPositive();
            assertThat(each.oneClock()).isTrue();
            assertThat(each.problem()).isNull();
            assertThat(each.steps())
                    .extracting(step -> step.from() + "-" + step.to())
                    .containsExactly("sent-received", "received-answered", "answered-got");
        }
    }

    @Test
    void serverWithAnotherClockIsSeen() throws InterruptedException {
        clockAheadNanos = Duration.ofHours(1).toNanos();

        StageTimes times = probe(Kind.PUT).get(0);
        assertThat(times.oneClock()).isFalse();
        assertThat(times.steps()).hasSize(1);
    }

    @Test
    void emptyPartitionIsNotRead() throws InterruptedException {
        end = "0";

        StageTimes times = probe(Kind.GET).get(0);
        assertThat(times.samples()).isZero();
        assertThat(times.problem()).isNull();
    }

    @Test
    void serverThatDoesNotSayIsNamed() throws InterruptedException {
        says = false;

        StageTimes times = probe(Kind.PUT).get(0);
        assertThat(times.samples()).isZero();
        assertThat(times.problem()).isEqualTo("the server does not say when requests pass their stages");
    }

    @Test
    void refusalsAreNamed() throws InterruptedException {
        status = 503;

        assertThat(probe(Kind.PUT).get(0).problem()).isEqualTo("the gateway answered with status 503");
    }
}
