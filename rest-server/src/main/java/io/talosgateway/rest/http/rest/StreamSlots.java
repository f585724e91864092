package io.talosgateway.rest.http.rest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;

/** Bounds the streams that are open, in total and for each client. Safe for use by any thread; does not block. */
final class StreamSlots {

    private final int maxStreams;
    private final int maxPerClient;
    /** Those that have streams only. */
    private final Map<String, Integer> clients = new HashMap<>();

    private int open;

    StreamSlots(int maxStreams, int maxPerClient) {
        this.maxStreams = maxStreams;
        this.maxPerClient = maxPerClient;
    }

    /**
     * Takes a slot.
     *
     * @param names under which the client is counted: its key, its address
     * @throws GatewayException {@code TOO_MANY_STREAMS}; nothing is taken then
     */
    synchronized void take(List<String> names) {
        if (open >= maxStreams) {
            throw new GatewayException(
                    ErrorCode.TOO_MANY_STREAMS,
                    "This host has %d streams, and stream.max-streams allows no more; end others, or try another host."
                            .formatted(open));
        }
        for (String name : names) {
            int has = clients.getOrDefault(name, 0);
            if (has >= maxPerClient) {
                throw new GatewayException(
                        ErrorCode.TOO_MANY_STREAMS,
                        "This key or address has %d streams at this host, and may have no more (stream.max-percent-per-client); end others first."
                                .formatted(has));
            }
        }
        open++;
        names.forEach(name -> clients.merge(name, 1, Integer::sum));
    }

    /** Gives a slot back that was taken under these names. */
    synchronized void giveBack(List<String> names) {
        open--;
        names.forEach(name -> clients.computeIfPresent(name, (client, has) -> has == 1 ? null : has - 1));
    }

    synchronized int open() {
        return open;
    }

    /** Keys and addresses that have streams. */
    synchronized int clients() {
        return clients.size();
    }
}
