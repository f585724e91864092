package io.talosgateway.client;

import java.util.concurrent.CompletableFuture;

/** A put to one partition, encoded, to be sent any number of times by any thread. */
public interface PreparedPut {

    /** Stores the messages, once more if they were sent before. */
    default CompletableFuture<Void> send() {
        return send(GatewayClient.newIdempotencyKey());
    }

    /**
     * Stores the messages, unless they were stored with the same key.
     *
     * @param idempotencyKey 1 to 256 characters
     */
    CompletableFuture<Void> send(String idempotencyKey);

    /** Number of messages. */
    int messages();

    /** Size of the request's body. */
    int bodyBytes();
}
