package io.talosgateway.rest.message;

/**
 * Chooses the partition for a key as the Talos SDKs do, so that messages of one key meet in one partition whoever puts
 * them. (Short keys have small hashes and so share partition 0: that is the SDKs' rule, kept for the sake of order.)
 */
public final class Partitioner {

    private Partitioner() {}

    /** The partition, from 0 to {@code partitions - 1}. */
    public static int partitionFor(String key, int partitions) {
        int hash = key.hashCode() & Integer.MAX_VALUE;
        return hash / (Integer.MAX_VALUE / partitions) % partitions;
    }
}
