package io.talosgateway.rest.hosting;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.UsedQuota;

/** How simulated hosts ask each other: at once, on the same thread. */
@FunctionalInterface
interface SimulatedNetwork extends Forwarder {

    /** @throws io.talosgateway.rest.errors.GatewayException {@code PARTITION_NOT_SERVING} if the host cannot be reached */
    PartitionService reach(Peer host);

    @Override
    default PartitionService owner(Peer owner) {
        return reach(owner);
    }

    @Override
    default CompletableFuture<Void> tell(Peer host, List<UsedQuota> used) {
        throw new UnsupportedOperationException("nobody asks for quotas");
    }

    @Override
    default void retain(Collection<Peer> alive) {
        throw new UnsupportedOperationException("hosts are not forgotten");
    }

    @Override
    default void close() {
        throw new UnsupportedOperationException("it stays open");
    }
}
