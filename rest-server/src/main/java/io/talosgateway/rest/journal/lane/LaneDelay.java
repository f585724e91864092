package io.talosgateway.rest.journal.lane;

import io.talosgateway.scheduler.RunTimes;

/**
 * How long a put that joins a lane's queue will take until it is durable: the group under way, those before it and its own,
 * each as long as groups have taken of late. Safe for use by any thread.
 */
final class LaneDelay {

    private static final int UNDER_WAY_AND_OWN = 2;

    private final int maxGroupPuts;
    private final long maxGroupBytes;
    private final RunTimes commits = new RunTimes();

    LaneDelay(int maxGroupPuts, long maxGroupBytes) {
        this.maxGroupPuts = maxGroupPuts;
        this.maxGroupBytes = maxGroupBytes;
    }

    void committed(long nanos) {
        commits.add(nanos);
    }

    /**
     * 0 for a put that nothing waits before: there has to be one that finds out whether the lane is faster now.
     *
     * @param puts what waits before it
     * @param bytes what that holds
     */
    long expectedNanos(int puts, long bytes) {
        if (puts == 0) {
            return 0;
        }
        long groupsBefore = Math.max(puts / maxGroupPuts, bytes / maxGroupBytes);
        return commits.expectedNanos(Math.toIntExact(groupsBefore) + UNDER_WAY_AND_OWN);
    }

    /** How long the group that is written next will take. */
    long expectedNanosOfGroup() {
        return commits.expectedNanos(1);
    }
}
