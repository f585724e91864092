package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.List;

/**
 * The gets that were not answered in time, until it is known what was done to which gateway when. Bounded: a few of them are
 * enough to say that something is wrong. Safe for use by any thread.
 */
final class LateGets {

    private static final int MOST = 10_000;

    private final long toleranceNanos;
    private final List<Get> late = new ArrayList<>();
    private long latestNanos;

    LateGets(long toleranceNanos) {
        this.toleranceNanos = toleranceNanos;
    }

    synchronized void ended(Get get) {
        if ((!get.answer().isAnswer() || get.lateNanos() > 0) && late.size() < MOST) {
            // Without its messages.
            late.add(new Get(
                    get.partition(),
                    get.from(),
                    get.gateway(),
                    get.startNanos(),
                    get.endNanos(),
                    get.timeoutMs(),
                    GetAnswer.failed(get.answer().code(), "")));
        }
    }

    /** Says which of them nothing excuses. */
    synchronized void check(FaultWindows faults, List<String> gateways, Violations violations) {
        for (Get get : late) {
            if (faults.touch(get.gateway(), get.startNanos(), get.endNanos())) {
                continue;
            }
            boolean answered = get.answer().isAnswer();
            latestNanos = Math.max(latestNanos, answered ? get.lateNanos() : 0);
            if (!answered || get.lateNanos() > toleranceNanos) {
                violations.add(
                        answered ? Rule.IN_TIME : Rule.ANSWERED,
                        "a get of partition %d at %.3f s by %s, to which nothing was done, ended with %s after %.3f s; it had %.3f s"
                                .formatted(
                                        get.partition(),
                                        get.startNanos() / 1e9,
                                        gateways.get(get.gateway()),
                                        get.answer().code(),
                                        (get.endNanos() - get.startNanos()) / 1e9,
                                        get.timeoutMs() / 1e3));
            }
        }
    }

    /** How much later than its time the latest answer came that {@link #check} did not excuse. */
    synchronized double latestMs() {
        return latestNanos / 1e6;
    }
}
