package io.talosgateway.rest.admission;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * What each client has of what is under way. There is an entry for those only that have something. Safe for use by any
 * thread.
 */
final class Shares {

    private final long maxBytes;
    private final long maxRequests;
    private final long maxWaiting;
    private final Map<String, Share> shares = new ConcurrentHashMap<>();

    /** @param percent of the limits that one client may have */
    Shares(AdmissionConfig config, int percent) {
        this.maxBytes = AdmissionConfig.part(config.maxBytesInFlight().toBytes(), percent);
        this.maxRequests = AdmissionConfig.part(config.maxRequestsInFlight(), percent);
        this.maxWaiting = AdmissionConfig.part(config.maxWaitingGets(), percent);
    }

    /** What one client has. Every request that has joined has to leave. */
    final class Share {

        private final String client;
        /** Changed by what adds and removes the share only. */
        private int requests;

        private final AtomicLong bytes = new AtomicLong();
        private final AtomicInteger waiting = new AtomicInteger();

        private Share(String client) {
            this.client = client;
        }

        /** True if they were added; a request that is the client's only one may have any number. */
        boolean add(long more, long ofThisRequest) {
            long total = bytes.addAndGet(more);
            if (total > maxBytes && total > ofThisRequest + more) {
                bytes.addAndGet(-more);
                return false;
            }
            return true;
        }

        /** Adds, or takes away, bytes in any case. */
        void count(long more) {
            bytes.addAndGet(more);
        }

        boolean addWaiting() {
            if (waiting.incrementAndGet() > maxWaiting) {
                waiting.decrementAndGet();
                return false;
            }
            return true;
        }

        void removeWaiting() {
            waiting.decrementAndGet();
        }

        void leave() {
            shares.computeIfPresent(client, (name, share) -> --share.requests == 0 ? null : share);
        }
    }

    /** The share of a client, which one more of its requests has joined; null if it has too many. */
    @Nullable
    Share join(String client) {
        boolean[] joined = new boolean[1];
        Share share = shares.compute(client, (name, known) -> {
            Share own = known == null ? new Share(name) : known;
            joined[0] = own.requests < maxRequests;
            own.requests += joined[0] ? 1 : 0;
            return own;
        });
        return joined[0] ? share : null;
    }

    /** Clients that have something. */
    int clients() {
        return shares.size();
    }
}
