package io.talosgateway.rest.hosting;

import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.RecoveryClaims;
import io.talosgateway.rest.coordination.TopicRegistry;

/** What hosting agrees on with other hosts. */
public record ClusterPorts(
        Hosts hosts,
        TopicRegistry topics,
        OwnershipRecords ownership,
        PlacementRecord placement,
        RecoveryClaims claims) {}
