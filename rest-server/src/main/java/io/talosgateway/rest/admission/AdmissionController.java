package io.talosgateway.rest.admission;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;

/**
 * Bounds what is under way. Asked before the body of a request is read, so that a refusal costs no memory. Safe for use by
 * any thread; does not block.
 */
public final class AdmissionController {

    private final AdmissionConfig config;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger requests = new AtomicInteger();
    private final Counter refused;
    private volatile boolean draining;

    public AdmissionController(AdmissionConfig config, CollectorRegistry registry) {
        this.config = config;
        this.refused = Counter.build("talos_admission_refused_total", "Requests refused before their body was read.")
                .labelNames("reason")
                .register(registry);
        Gauge.build("talos_bytes_in_flight", "Bytes of request bodies and answers in memory.")
                .create()
                .setChild(new Gauge.Child() {
                    @Override
                    public double get() {
                        return bytes.get();
                    }
                })
                .register(registry);
        Gauge.build("talos_requests_in_flight", "Requests without an answer.")
                .create()
                .setChild(new Gauge.Child() {
                    @Override
                    public double get() {
                        return requests.get();
                    }
                })
                .register(registry);
    }

    /** What a request was given; to be released once it is answered. */
    public final class Permit {

        private final AtomicLong held;
        private final AtomicBoolean released = new AtomicBoolean();

        private Permit(long initialBytes) {
            this.held = new AtomicLong(initialBytes);
        }

        /**
         * Counts more bytes of a body whose length was not announced.
         *
         * @throws GatewayException if there is no room for them
         */
        public void growForBody(long more) {
            if (bytes.get() + more > config.maxBytesInFlight().toBytes()) {
                throw refusal("bytes", "bytes of requests");
            }
            count(more);
        }

        /** Counts the bytes of the answer. They are there already, so this is not refused; the next request is. */
        public void count(long more) {
            held.addAndGet(more);
            bytes.addAndGet(more);
        }

        /** Gives everything back; further calls do nothing. */
        public void release() {
            if (released.compareAndSet(false, true)) {
                bytes.addAndGet(-held.get());
                requests.decrementAndGet();
            }
        }
    }

    /**
     * Admits a request.
     *
     * @param bodyBytes announced length of its body, 0 if not known
     * @throws GatewayException {@code OVERLOADED}, or {@code PARTITION_NOT_SERVING} once the host shuts down
     */
    public Permit admit(long bodyBytes) {
        if (draining) {
            refused.labels("draining").inc();
            throw new GatewayException(
                    ErrorCode.PARTITION_NOT_SERVING,
                    "This host is shutting down; try again, if you can at another host.");
        }
        if (requests.incrementAndGet() > config.maxRequestsInFlight()) {
            requests.decrementAndGet();
            throw refusal("requests", "requests");
        }
        // One request is always admitted, however small the limit, or a large body could never be put.
        long before = bytes.getAndAdd(bodyBytes);
        if (before > 0 && before + bodyBytes > config.maxBytesInFlight().toBytes()) {
            bytes.addAndGet(-bodyBytes);
            requests.decrementAndGet();
            throw refusal("bytes", "bytes of requests");
        }
        return new Permit(bodyBytes);
    }

    private GatewayException refusal(String reason, String what) {
        refused.labels(reason).inc();
        return new GatewayException(
                ErrorCode.OVERLOADED, "Too many " + what + " are under way; try again later, and slower.");
    }

    /** Admits nothing from now on. */
    public void drain() {
        draining = true;
    }

    /** Requests without an answer. */
    public int requestsInFlight() {
        return requests.get();
    }
}
