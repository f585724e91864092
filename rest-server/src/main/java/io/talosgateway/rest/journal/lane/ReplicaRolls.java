package io.talosgateway.rest.journal.lane;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a lane leaves a file that has fewer copies than it should: at once, and then seldom while new files have too few as
 * well, because fewer nodes are there than there should be. For one thread.
 */
public final class ReplicaRolls {

    public static final long FIRST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
    static final long LAST_PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

    private boolean hasRolled;
    private long rolledAtNanos;
    private long pauseNanos;

    /** Told after every sync; if it returns true, the file is left. */
    boolean isDue(int missingReplicas, long nowNanos) {
        if (missingReplicas == 0) {
            pauseNanos = FIRST_PAUSE_NANOS;
            return false;
        }
        if (hasRolled && nowNanos - rolledAtNanos < pauseNanos) {
            return false;
        }
        pauseNanos = hasRolled ? Math.min(2 * pauseNanos, LAST_PAUSE_NANOS) : FIRST_PAUSE_NANOS;
        hasRolled = true;
        rolledAtNanos = nowNanos;
        return true;
    }
}
