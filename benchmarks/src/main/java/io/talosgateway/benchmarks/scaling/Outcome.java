package io.talosgateway.benchmarks.scaling;

/**
 * What became of a cluster in a scenario.
 *
 * @param moved partitions that changed hands, counted each time
 * @param needed of them, without which it could not have been done
 * @param released of them, by hosts that were alive
 * @param most that one host got at once
 * @param receivers hosts that got some at once, at most
 * @param placementBytes the largest that {@code /placement} was
 * @param after how even it is afterwards
 * @param mapMs mean time until a host knows who has what
 * @param recordBytes of all ownership records afterwards
 * @param journals most journals that a partition's messages are in afterwards
 */
record Outcome(
        String scenario,
        String topics,
        long moved,
        long needed,
        long released,
        int most,
        int receivers,
        ZooKeeperUse zooKeeper,
        int placementBytes,
        Balance after,
        double mapMs,
        long recordBytes,
        int journals) {}
