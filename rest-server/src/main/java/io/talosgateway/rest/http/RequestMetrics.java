package io.talosgateway.rest.http;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.metrics.LatencyHistogram;
import io.talosgateway.rest.metrics.Resolution;

/** What is counted and timed of every request. Safe for use by any thread. */
public final class RequestMetrics {

    private static final List<String> INTERFACES = List.of("rest", "talos");
    private static final List<String> FROM_THE_START = List.of(Answer.OK, ErrorCode.INTERNAL.text());

    private final Counter requests;
    /** By interface, class and outcome: to look a counter up by its labels costs a list and an array. */
    private final Map<String, Map<RequestClass, Map<String, Counter.Child>>> counters = new ConcurrentHashMap<>();

    private final Map<RequestClass, LatencyHistogram.Child> seconds = new EnumMap<>(RequestClass.class);
    private final Counter receivedBytes;
    private final Counter sentBytes;

    public RequestMetrics(CollectorRegistry registry) {
        requests = Counter.build("talos_requests_total", "Requests answered, by interface, class and outcome.")
                .labelNames("interface", "class", "outcome")
                .register(registry);
        LatencyHistogram histogram = LatencyHistogram.register(
                registry,
                "talos_request_seconds",
                "Time from the arrival of a request's headers until its answer was written, by class.",
                "class");
        for (RequestClass requestClass : RequestClass.values()) {
            seconds.put(requestClass, histogram.child(resolution(requestClass), requestClass.text()));
            for (String interfaceName : INTERFACES) {
                // There from the start, so that the first failure is a rise, which alerts see.
                FROM_THE_START.forEach(outcome -> counter(interfaceName, requestClass, outcome));
            }
        }
        receivedBytes = Counter.build("talos_received_bytes_total", "Bytes of request bodies.")
                .register(registry);
        sentBytes = Counter.build("talos_sent_bytes_total", "Bytes of answers' bodies.")
                .register(registry);
    }

    private static Resolution resolution(RequestClass requestClass) {
        return requestClass == RequestClass.PUT || requestClass == RequestClass.GET
                ? Resolution.FINE
                : Resolution.COARSE;
    }

    void answered(String interfaceName, RequestClass requestClass, String outcome, long nanos) {
        counter(interfaceName, requestClass, outcome).inc();
        LatencyHistogram.Child ofClass = seconds.get(requestClass);
        if (ofClass != null) {
            ofClass.observe(nanos);
        }
    }

    private Counter.Child counter(String interfaceName, RequestClass requestClass, String outcome) {
        Map<String, Counter.Child> byOutcome = counters.computeIfAbsent(
                        interfaceName, name -> new ConcurrentHashMap<>())
                .computeIfAbsent(requestClass, name -> new ConcurrentHashMap<>());
        Counter.Child known = byOutcome.get(outcome);
        return known == null
                ? byOutcome.computeIfAbsent(
                        outcome, label -> requests.labels(interfaceName, requestClass.text(), label))
                : known;
    }

    void received(long bytes) {
        receivedBytes.inc((double) bytes);
    }

    void sent(long bytes) {
        sentBytes.inc((double) bytes);
    }
}
