package io.talosgateway.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Puts to and gets from one partition, with little work for each request: a put is encoded once and sent as often as
 * wanted, and what is got is decoded only if it is looked at.
 *
 * <p>For any thread; nothing blocks. Futures fail with a {@link GatewayClientException} only.
 */
public interface PartitionClient {

    /** The offset of the first message that is kept, whatever it is. */
    long EARLIEST = -1;

    /**
     * Encodes a put.
     *
     * @param messages at least one
     * @throws IllegalArgumentException if there is none
     */
    PreparedPut prepare(List<NewMessage> messages);

    /** Puts messages at consecutive offsets, all or none; what is encoded is sent once. */
    default CompletableFuture<Void> put(List<NewMessage> messages) {
        return prepare(messages).send();
    }

    /**
     * Gets messages, none if there are none yet.
     *
     * @param offset of the first message, or {@link #EARLIEST}
     * @param options the Thrift interface never waits, whatever {@link GetOptions#maxWait()} says
     */
    CompletableFuture<Fetched> get(long offset, GetOptions options);

    /** The same partition with another time for a request and its repeats; for later puts and gets. */
    PartitionClient withTimeout(Duration timeout);
}
