package io.talosgateway.rest.topicadmin;

import java.util.List;

/**
 * What some partitions are like.
 *
 * @param statuses of those that are served, in no order
 * @param othersMove whether some of the others are just moving: they will be served shortly
 */
public record PartitionStatuses(List<PartitionStatus> statuses, boolean othersMove) {}
