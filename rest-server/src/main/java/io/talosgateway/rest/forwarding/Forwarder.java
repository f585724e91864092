package io.talosgateway.rest.forwarding;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.UsedQuota;

/**
 * Hands requests to the hosts that own their partitions.
 *
 * <h2>One hop</h2>
 * The owner serves what it hosts itself and refuses everything else with {@code PARTITION_NOT_SERVING}. What it answers,
 * result or error, is passed on as it is.
 *
 * <h2>Bulkheads</h2>
 * Every host has a queue and connections of its own. One that is slow, frozen or gone changes nothing for the others.
 * While a host cannot be reached, requests to it fail at once.
 *
 * <h2>Outcome</h2>
 * Every future is completed exactly once, no later than the deadline, with the result or a
 * {@link GatewayException}. Requests without a deadline have a minute. What this host itself has
 * to say is:
 * <ul>
 *   <li>{@code OVERLOADED}: the queue of that host is full; nothing was done;
 *   <li>{@code PARTITION_NOT_SERVING}: the host cannot be reached, is not the one that was meant, or is gone. A put with this
 *       error was not sent;
 *   <li>{@code DEADLINE_EXCEEDED}: no answer came in time. A put with this error was not sent;
 *   <li>{@code OUTCOME_UNKNOWN}: a put was sent, in part at least, and no answer came.
 * </ul>
 *
 * <p>Requests of one partition may overtake each other. Safe for use by any thread; does not block. Futures are completed by
 * the caller or by the executor for answers.
 */
public interface Forwarder extends AutoCloseable {

    /**
     * What a host serves. Cancelling the future of a put that waits for its turn withdraws it.
     *
     * @return the same as long as the host is known here
     * @throws GatewayException {@code PARTITION_NOT_SERVING} if the host has begun anew since, or this one is shutting down
     */
    PartitionService owner(Peer owner);

    /**
     * Tells a host what clients of this one have used of quotas. It may not come to know.
     *
     * @return completed when it knows, or with the reason why that is not certain
     */
    CompletableFuture<Void> tell(Peer host, List<UsedQuota> used);

    /**
     * Forgets hosts that are not in this set any more: closes their connections and fails what waits for them with
     * {@code PARTITION_NOT_SERVING}, puts that were sent with {@code OUTCOME_UNKNOWN}.
     */
    void retain(Collection<Peer> alive);

    /**
     * Forgets all hosts, ends the thread. Returns when it has ended: the executor for answers has all answers then. What is
     * asked later fails with {@code PARTITION_NOT_SERVING}.
     */
    @Override
    void close();
}
