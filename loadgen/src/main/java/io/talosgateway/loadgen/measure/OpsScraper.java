package io.talosgateway.loadgen.measure;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.Tls;
import org.jspecify.annotations.Nullable;

/**
 * Reads a gateway's metrics once a second, in a thread of its own, so that a gateway that is slow to show them holds up
 * nothing else. A failed read is left out.
 */
public final class OpsScraper implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private record Sample(long atNanos, MetricsPage page) {}

    private final HttpClient client;
    private final HttpRequest request;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Sample> samples = new ArrayList<>();

    /**
     * @param ops the operations port, such as {@code http://127.0.0.1:8081}
     * @param key of an administrator; null to send none
     */
    public OpsScraper(Endpoint ops, @Nullable Credentials key) {
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        Tls tls = ops.tls();
        this.client = (tls == null ? builder : builder.sslContext(tls.context())).build();
        HttpRequest.Builder get =
                HttpRequest.newBuilder(ops.uri().resolve("/metrics")).timeout(TIMEOUT);
        this.request = (key == null ? get : get.header("Authorization", key.authorization())).build();
    }

    /** Why there are no metrics to be had; null if there are. */
    @Nullable
    public String findFault() throws InterruptedException {
        try {
            return MetricsPage.read(client, request)
                            .value("talos_requests_in_flight")
                            .isPresent()
                    ? null
                    : "%s does not show the metrics of a gateway".formatted(request.uri());
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    public void start() {
        Thread thread = new Thread(this::run, "ops");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            do {
                long atNanos = System.nanoTime();
                try {
                    MetricsPage page = MetricsPage.read(client, request);
                    synchronized (samples) {
                        samples.add(new Sample(atNanos, page));
                    }
                } catch (IOException e) {
                    // Shown as a gap.
                }
            } while (!closed.await(1, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What the gateway said of itself since an instant of {@link System#nanoTime}: {@link GatewayMetrics} from each sample to the next, with
     * {@code atSeconds} of the first one, since then, and {@code seconds} until the second.
     */
    public List<Map<String, Double>> since(long fromNanos) {
        List<Map<String, Double>> all = new ArrayList<>();
        synchronized (samples) {
            for (int after = 1; after < samples.size(); after++) {
                Sample from = samples.get(after - 1);
                Sample until = samples.get(after);
                if (until.atNanos > fromNanos) {
                    double seconds = (until.atNanos - from.atNanos) / 1e9;
                    Map<String, Double> second = new LinkedHashMap<>();
                    second.put("atSeconds", Millis.rounded((from.atNanos - fromNanos) / 1e9));
                    second.put("seconds", Millis.rounded(seconds));
                    second.putAll(GatewayMetrics.between(
                            from.page,
                            until.page,
                            new GatewayMetrics.Amount(seconds, Double.NaN, Double.NaN, Double.NaN)));
                    all.add(second);
                }
            }
        }
        return all;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
