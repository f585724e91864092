package io.talosgateway.loadgen.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides when a rate has stopped rising, as that of a program does whose code is being compiled. The rule: for three seconds
 * in a row, the last five seconds have not brought more than 1.05 times as much as the best five seconds that ended before
 * them. So it takes 12 seconds at least. A rate that is given (open loop) does not rise. For one thread.
 */
public final class SettledRate {

    private static final int SPAN_SECONDS = 5;
    private static final int HOLD_SECONDS = 3;
    private static final double RISE = 1.05;

    /** By second, from the beginning on. */
    private final List<Long> counts = new ArrayList<>(List.of(0L));

    private long bestBefore;
    private int held;

    /**
     * A second is over.
     *
     * @param count answers from the beginning on
     * @return whether the rate has stopped rising
     */
    public boolean second(long count) {
        counts.add(count);
        int now = counts.size() - 1;
        int earlier = now - SPAN_SECONDS;
        if (earlier < SPAN_SECONDS) {
            return false;
        }
        bestBefore = Math.max(bestBefore, counts.get(earlier) - counts.get(earlier - SPAN_SECONDS));
        held = count - counts.get(earlier) <= RISE * bestBefore ? held + 1 : 0;
        return held >= HOLD_SECONDS;
    }
}
