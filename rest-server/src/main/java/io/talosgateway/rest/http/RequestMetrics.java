package io.talosgateway.rest.http;

import java.util.EnumMap;
import java.util.Map;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;

/** What is counted and timed of every request. Safe for use by any thread. */
public final class RequestMetrics {

    private final Counter requests;
    private final Map<RequestClass, Histogram.Child> seconds = new EnumMap<>(RequestClass.class);
    private final Counter receivedBytes;
    private final Counter sentBytes;

    public RequestMetrics(CollectorRegistry registry) {
        requests = Counter.build("talos_requests_total", "Requests answered, by interface, class and outcome.")
                .labelNames("interface", "class", "outcome")
                .register(registry);
        Histogram histogram = Histogram.build(
                        "talos_request_seconds",
                        "Time from the arrival of a request's headers until its answer was written, by class.")
                .labelNames("class")
                .buckets(.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60)
                .register(registry);
        for (RequestClass requestClass : RequestClass.values()) {
            seconds.put(requestClass, histogram.labels(requestClass.text()));
        }
        receivedBytes = Counter.build("talos_received_bytes_total", "Bytes of request bodies.")
                .register(registry);
        sentBytes = Counter.build("talos_sent_bytes_total", "Bytes of answers' bodies.")
                .register(registry);
    }

    void answered(String interfaceName, RequestClass requestClass, String outcome, long nanos) {
        requests.labels(interfaceName, requestClass.text(), outcome).inc();
        Histogram.Child ofClass = seconds.get(requestClass);
        if (ofClass != null) {
            ofClass.observe(nanos / 1e9);
        }
    }

    void received(long bytes) {
        receivedBytes.inc((double) bytes);
    }

    void sent(long bytes) {
        sentBytes.inc((double) bytes);
    }
}
