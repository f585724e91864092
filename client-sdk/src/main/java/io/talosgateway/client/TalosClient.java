package io.talosgateway.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What the clients of both interfaces of a gateway do alike, for programs that can use either.
 *
 * <p>For any thread; nothing blocks. Futures fail with a {@link GatewayClientException} only.
 */
public interface TalosClient {

    /** Creates a topic; when the future completes, its partitions are served. */
    CompletableFuture<Topic> createTopic(NewTopic topic);

    /** Describes a topic. */
    CompletableFuture<Topic> topic(String name);

    /** Deletes a topic with its messages; gives what was deleted. */
    CompletableFuture<Topic> deleteTopic(String name);

    /**
     * Clients of the partitions of a topic, in order. They are for this incarnation of the topic and this number of
     * partitions, and cost nothing to keep.
     */
    CompletableFuture<List<PartitionClient>> partitionClients(String topic);
}
