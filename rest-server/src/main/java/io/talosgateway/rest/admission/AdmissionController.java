package io.talosgateway.rest.admission;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.scheduler.NanoClock;

/**
 * Bounds what is under way. Asked before the body of a request is read, so that a refusal costs no memory. Safe for use by
 * any thread; does not block.
 */
public final class AdmissionController {

    /** How long everything must be refused, and nothing end, before the host counts as stuck. */
    static final Duration STUCK_AFTER = Duration.ofSeconds(10);

    private final AdmissionConfig config;
    private final NanoClock clock;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger requests = new AtomicInteger();
    private final Counter refused;
    private volatile boolean draining;
    /** When a request was last admitted or ended. */
    private volatile long progressAtNanos;
    /** Whether one was refused for want of room since then. */
    private volatile boolean refusedSinceProgress;

    public AdmissionController(AdmissionConfig config, CollectorRegistry registry, NanoClock clock) {
        this.config = config;
        this.clock = clock;
        this.progressAtNanos = clock.nanoTime();
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

    /** What a request was given; to be released once its exchange has ended. */
    public final class Permit {

        private long held;
        private boolean released;

        private Permit(long initialBytes) {
            this.held = initialBytes;
        }

        /**
         * Takes room for more bytes.
         *
         * @throws GatewayException {@code OVERLOADED} if there is none
         */
        public void reserve(long more) {
            if (bytes.get() + more > config.maxBytesInFlight().toBytes()) {
                throw refusal("bytes", "bytes of requests");
            }
            count(more);
        }

        /**
         * Counts bytes that are there already, so that this is not refused; the next request is. Does nothing once the
         * permit is released: nobody would give the bytes back.
         */
        public synchronized void count(long more) {
            if (!released) {
                held += more;
                bytes.addAndGet(more);
            }
        }

        /** Gives everything back; further calls do nothing. */
        public synchronized void release() {
            if (!released) {
                released = true;
                bytes.addAndGet(-held);
                requests.decrementAndGet();
                progress();
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
        progress();
        return new Permit(bodyBytes);
    }

    private GatewayException refusal(String reason, String what) {
        refused.labels(reason).inc();
        refusedSinceProgress = true;
        return new GatewayException(
                ErrorCode.OVERLOADED, "Too many " + what + " are under way; try again later, and slower.");
    }

    private void progress() {
        progressAtNanos = clock.nanoTime();
        if (refusedSinceProgress) {
            refusedSinceProgress = false;
        }
    }

    /**
     * Whether this host serves nobody: for {@link #STUCK_AFTER}, no request was admitted and none ended, and at least one was
     * refused for want of room. Ends with the next request that ends or is admitted.
     */
    public boolean isStuck() {
        return refusedSinceProgress && clock.nanoTime() - progressAtNanos >= STUCK_AFTER.toNanos();
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
