package io.talosgateway.rest.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.metrics.Gauges;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what is under way, in total and for each client. A request is admitted before its body is read, and then its bytes
 * before memory is taken for them. Safe for use by any thread; does not block.
 */
public final class AdmissionController {

    /** For how long after a refusal nothing must be admitted, and nothing end, before the host counts as stuck. */
    static final Duration STUCK_AFTER = Duration.ofSeconds(10);

    private final AdmissionConfig config;
    private final NanoClock clock;
    private final Shares keys;
    private final Shares addresses;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger requests = new AtomicInteger();
    private final Counter refused;
    private volatile boolean draining;
    /** When a request was refused for want of room, first since one was admitted or ended; null if none was. */
    private volatile @Nullable Long refusedAtNanos;

    public AdmissionController(AdmissionConfig config, CollectorRegistry registry, NanoClock clock) {
        this.config = config;
        this.clock = clock;
        this.keys = new Shares(config, config.maxPercentPerKey());
        this.addresses = new Shares(config, config.maxPercentPerAddress());
        this.refused = Counter.build(
                        "talos_admission_refused_total", "Requests refused for want of room, or of a share.")
                .labelNames("reason")
                .register(registry);
        List.of("requests", "bytes", "address", "key", "draining").forEach(refused::labels);
        Gauges.gauge(
                registry,
                "talos_bytes_in_flight",
                "Bytes of request bodies, and of answers of more than 1 KiB, in memory.",
                bytes::get);
        Gauges.gauge(registry, "talos_requests_in_flight", "Requests without an answer.", requests::get);
    }

    /** What a request was given; to be released once its exchange has ended. */
    public final class Permit {

        /** Whose shares it counts in: the address, and the key once it is known. */
        private final List<Shares.Share> shares = new ArrayList<>(2);

        private long held;
        private boolean waits;
        private boolean released;

        /**
         * Has the request, and what it holds already, count for a key, too.
         *
         * @throws GatewayException {@code THROTTLED} if the key has too much under way
         */
        public synchronized void countFor(String key) {
            if (!released) {
                join(keys, key, "key");
            }
        }

        private void join(Shares all, String client, String kind) {
            Shares.Share share = all.join(client);
            if (share == null) {
                throw throttled(kind, "requests");
            }
            shares.add(share);
            if (held > 0) {
                share.count(held);
            }
        }

        /**
         * Takes room for more bytes. A request that is alone is always admitted, or a large one could never be served.
         *
         * @throws GatewayException {@code OVERLOADED} if there is none, {@code THROTTLED} if the client has its share
         */
        public synchronized void reserve(long more) {
            if (released) {
                return;
            }
            long total = bytes.addAndGet(more);
            if (total > config.maxBytesInFlight().toBytes() && total > held + more) {
                bytes.addAndGet(-more);
                throw refusal("bytes", "bytes of requests");
            }
            for (int index = 0; index < shares.size(); index++) {
                if (!shares.get(index).add(more, held)) {
                    shares.subList(0, index).forEach(share -> share.count(-more));
                    bytes.addAndGet(-more);
                    throw throttled(index == 0 ? "address" : "key", "bytes of requests");
                }
            }
            held += more;
        }

        /**
         * Counts bytes that are there already, so that this is not refused; the next request is. Does nothing once the
         * permit is released: nobody would give the bytes back.
         */
        public synchronized void count(long more) {
            if (!released) {
                held += more;
                bytes.addAndGet(more);
                shares.forEach(share -> share.count(more));
            }
        }

        /**
         * Has the request count as one that waits for messages.
         *
         * @throws GatewayException {@code THROTTLED} if too many of the client's do
         */
        public synchronized void startWaiting() {
            if (released || waits) {
                return;
            }
            for (int index = 0; index < shares.size(); index++) {
                if (!shares.get(index).addWaiting()) {
                    shares.subList(0, index).forEach(Shares.Share::removeWaiting);
                    throw throttled(index == 0 ? "address" : "key", "gets that wait for messages");
                }
            }
            waits = true;
        }

        /** Gives everything back; further calls do nothing. */
        public synchronized void release() {
            if (!released) {
                released = true;
                bytes.addAndGet(-held);
                for (Shares.Share share : shares) {
                    share.count(-held);
                    if (waits) {
                        share.removeWaiting();
                    }
                    share.leave();
                }
                requests.decrementAndGet();
                progress();
            }
        }
    }

    /**
     * Admits a request of a client.
     *
     * @param address where it comes from
     * @throws GatewayException {@code OVERLOADED}, {@code THROTTLED} if the address has too much under way, or
     *     {@code PARTITION_NOT_SERVING} once the host shuts down
     */
    public Permit admit(String address) {
        Permit permit = admit(0);
        try {
            permit.join(addresses, address, "address");
        } catch (GatewayException e) {
            permit.release();
            throw e;
        }
        return permit;
    }

    /**
     * Admits a request that is there already, of another host.
     *
     * @param bytesOfRequest that it takes in memory
     * @throws GatewayException {@code OVERLOADED}, or {@code PARTITION_NOT_SERVING} once the host shuts down
     */
    public Permit admit(long bytesOfRequest) {
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
        // One request is always admitted, however small the limit, or a large one could never be served.
        long before = bytesOfRequest == 0 ? bytes.get() : bytes.getAndAdd(bytesOfRequest);
        if (before > 0 && before + bytesOfRequest > config.maxBytesInFlight().toBytes()) {
            bytes.addAndGet(-bytesOfRequest);
            requests.decrementAndGet();
            throw refusal("bytes", "bytes of requests");
        }
        progress();
        Permit permit = new Permit();
        permit.held = bytesOfRequest;
        return permit;
    }

    private GatewayException throttled(String kind, String what) {
        refused.labels(kind).inc();
        return new GatewayException(
                ErrorCode.THROTTLED,
                "Too many " + what + " of this " + kind
                        + " are under way; send them slower, or wait for answers first.");
    }

    private GatewayException refusal(String reason, String what) {
        refused.labels(reason).inc();
        if (refusedAtNanos == null) {
            refusedAtNanos = clock.nanoTime();
        }
        return new GatewayException(
                ErrorCode.OVERLOADED, "Too many " + what + " are under way; try again later, and slower.");
    }

    private void progress() {
        // All requests come by here: what is written by each would be fetched by each.
        if (refusedAtNanos != null) {
            refusedAtNanos = null;
        }
    }

    /**
     * Whether this host serves nobody: one request was refused for want of room, and for {@link #STUCK_AFTER} since then none was
     * admitted and none ended. Ends with the next request that ends or is admitted.
     */
    public boolean isStuck() {
        Long since = refusedAtNanos;
        return since != null && clock.nanoTime() - since >= STUCK_AFTER.toNanos();
    }

    /** Admits nothing from now on. */
    public void drain() {
        draining = true;
    }

    /** Keys and addresses that have something under way. */
    int clients() {
        return keys.clients() + addresses.clients();
    }

    /** Requests without an answer. */
    public int requestsInFlight() {
        return requests.get();
    }
}
