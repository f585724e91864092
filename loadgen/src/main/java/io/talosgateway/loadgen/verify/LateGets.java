package io.talosgateway.loadgen.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The gets that were not answered in time, until it is known what was done to which gateway when. Bounded: a few of them are
 * enough to say that something is wrong. Instants are nanoseconds since the run began. Safe for use by any thread.
 */
final class LateGets {

    private static final int MOST = 10_000;

    private final long toleranceNanos;
    private final List<LateGet> late = new ArrayList<>();
    private long latestNanos;

    private record LateGet(
            int gateway, int partition, long startNanos, long endNanos, int timeoutMs, boolean answered, String code) {}

    LateGets(long toleranceNanos) {
        this.toleranceNanos = toleranceNanos;
    }

    /**
     * A get has ended.
     *
     * @param answered whether by an answer
     * @param code what was answered
     */
    synchronized void ended(
            int gateway, int partition, long startNanos, long endNanos, int timeoutMs, boolean answered, String code) {
        long lateNanos = endNanos - startNanos - TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        if ((!answered || lateNanos > 0) && late.size() < MOST) {
            late.add(new LateGet(gateway, partition, startNanos, endNanos, timeoutMs, answered, code));
        }
    }

    /** Says which of them nothing excuses. */
    synchronized void check(FaultWindows faults, List<String> gateways, Violations violations) {
        for (LateGet get : late) {
            if (faults.touch(get.gateway, get.startNanos, get.endNanos)) {
                continue;
            }
            long tookNanos = get.endNanos - get.startNanos;
            long lateNanos = tookNanos - TimeUnit.MILLISECONDS.toNanos(get.timeoutMs);
            latestNanos = Math.max(latestNanos, get.answered ? lateNanos : 0);
            if (!get.answered || lateNanos > toleranceNanos) {
                violations.add(
                        get.answered ? Rule.IN_TIME : Rule.ANSWERED,
                        "a get of partition %d at %.3f s by %s, to which nothing was done, ended with %s after %.3f s; it had %.3f s"
                                .formatted(
                                        get.partition,
                                        get.startNanos / 1e9,
                                        gateways.get(get.gateway),
                                        get.code,
                                        tookNanos / 1e9,
                                        get.timeoutMs / 1e3));
            }
        }
    }

    /** How much later than its time the latest answer came that {@link #check} did not excuse. */
    synchronized double latestMs() {
        return latestNanos / 1e6;
    }
}
