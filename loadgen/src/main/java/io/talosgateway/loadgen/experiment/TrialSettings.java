package io.talosgateway.loadgen.experiment;

/**
 * What the user has said, with the experiment's own values for the rest.
 *
 * @param dataNodes how many DataNodes HDFS has, and how many of them hold each message
 * @param seed of the loads
 */
record TrialSettings(Scale scale, StorageKind storage, Timing timing, int dataNodes, long seed) {

    /** If the user does not say otherwise. */
    public static final int DATA_NODES = 1;

    public static final long SEED = 1;

    /** What one trial may write to the disk, generously. */
    long bytesOfTrial(long bytesPerSecond) {
        return Math.max(1, timing.ofLoad().toSeconds())
                * bytesPerSecond
                * (storage == StorageKind.HDFS ? dataNodes : 1);
    }
}
