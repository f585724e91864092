package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.recovery.KeyedPuts;
import io.talosgateway.rest.placement.CurrentPlacement;
import io.talosgateway.rest.placement.PlacementMap;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a host needs to take its partitions over before it asks for them, while the others still serve them: so a
 * partition that moves waits for what was written last, and not for hundreds of files.
 */
final class ReadAhead {

    private static final Logger log = LoggerFactory.getLogger(ReadAhead.class);

    private final String host;
    private final ClusterPorts cluster;
    private final CurrentPlacement placement;
    private final NanoClock clock;

    ReadAhead(String host, ClusterPorts cluster, CurrentPlacement placement, NanoClock clock) {
        this.host = host;
        this.cluster = cluster;
        this.placement = placement;
        this.clock = clock;
    }

    /** Reads for an incarnation that is about to begin. Blocks; what fails is read when partitions are taken over. */
    void read(Incarnation next) {
        long beganNanos = clock.nanoTime();
        PlacementMap map = placement.mapWith(host);
        List<TopicPartition> coming = cluster.topics().all().stream()
                .flatMap(topic -> map.partitionsOf(host, topic).mapToObj(topic::partition))
                .toList();
        KeyedPuts keyedPuts = next.keyedPuts(coming);
        try {
            new TakeOver(
                            next.journal().id(),
                            next.journal().archive(),
                            cluster.ownership(),
                            cluster.claims(),
                            keyedPuts,
                            false)
                    .readAhead(
                            coming,
                            cluster.ownership().read(coming),
                            cluster.hosts().alive());
            next.keep(keyedPuts);
            log.info(
                    "Read ahead for {} partitions in {} ms",
                    coming.size(),
                    TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - beganNanos));
        } catch (IOException | GatewayException e) {
            log.warn("Reading ahead for {} partitions failed; they come later: {}", coming.size(), e.toString());
        }
    }
}
