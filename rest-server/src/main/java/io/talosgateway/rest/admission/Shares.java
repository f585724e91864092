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
        /** The share begins with its first request. Nobody joins any more once the last has left. */
        private final AtomicInteger requests = new AtomicInteger(1);

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
            if (requests.decrementAndGet() == 0) {
                shares.remove(client, this);
            }
        }
    }

    /** The share of a client, which one more of its requests has joined; null if it has too many. */
    @Nullable
    Share join(String client) {
        while (true) {
            Share share = shares.get(client);
            if (share == null) {
                Share first = new Share(client);
                if (shares.putIfAbsent(client, first) == null) {
                    return first;
                }
                continue;
            }
            int before = share.requests.get();
            if (before >= maxRequests) {
                return null;
            }
            if (before == 0) {
                // Whoever has left it is about to remove it.
                shares.remove(client, share);
            } else if (share.requests.compareAndSet(before, before + 1)) {
                return share;
            }
        }
    }

    /** Clients that have something. */
    int clients() {
        return shares.size();
    }
}
