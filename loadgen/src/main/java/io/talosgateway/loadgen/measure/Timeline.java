package io.talosgateway.loadgen.measure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Adds up what came of the requests, second by second. The thread that keeps the time of the run calls it; all instants are
 * in nanoseconds of one clock.
 */
public final class Timeline {

    /** A rest that is shorter belongs to the second before it: its rates would be noise. */
    private static final double SHORTEST_SECONDS = 0.5;

    private final Map<Kind, Tally> totals = new EnumMap<>(Kind.class);
    private final List<Second> seconds = new ArrayList<>();
    /** Of the last one of {@link #seconds}. */
    private Map<Kind, Tally> last = Map.of();

    /** What counts already and was taken with the warm-up: it belongs to the first second. */
    private final Map<Kind, Tally> early = new EnumMap<>(Kind.class);

    private long fromNanos;
    private long takenAtNanos;

    /** Another second of the warm-up is over: its errors count, but they are of no second. */
    public void warmUp(Map<Kind, Tally> tallies) {
        add(tallies);
        tallies.forEach((kind, tally) -> early.merge(kind, tally.withoutErrors(), Tally::plus));
    }

    /** The warm-up is over, with what came of its last second. */
    public void begin(Map<Kind, Tally> ofWarmup, long nowNanos) {
        warmUp(ofWarmup);
        fromNanos = nowNanos;
        takenAtNanos = nowNanos;
    }

    /**
     * A second is over.
     *
     * @param tallies what came of it
     */
    public void second(Map<Kind, Tally> tallies, long nowNanos) {
        double at = sinceBegin(takenAtNanos);
        double until = sinceBegin(nowNanos);
        add(tallies);
        last = together(early, tallies);
        early.clear();
        seconds.add(second(at, until - at, last));
        takenAtNanos = nowNanos;
    }

    /**
     * All requests are answered.
     *
     * @param rest what came since the last second
     * @param endNanos when the last of those that count were sent; their answers may have come later
     */
    public void end(Map<Kind, Tally> rest, long endNanos) {
        long endedAtNanos = Math.max(endNanos, takenAtNanos);
        double at = sinceBegin(takenAtNanos);
        double until = sinceBegin(endedAtNanos);
        if (until - at >= SHORTEST_SECONDS || seconds.isEmpty()) {
            second(rest, endedAtNanos);
            return;
        }
        add(rest);
        last = together(last, rest);
        double lastAt = seconds.remove(seconds.size() - 1).atSeconds();
        seconds.add(second(lastAt, until - lastAt, last));
        takenAtNanos = endedAtNanos;
    }

    private double sinceBegin(long nanos) {
        return (nanos - fromNanos) / 1e9;
    }

    private void add(Map<Kind, Tally> tallies) {
        tallies.forEach((kind, tally) -> totals.merge(kind, tally, Tally::plus));
    }

    private static Map<Kind, Tally> together(Map<Kind, Tally> one, Map<Kind, Tally> other) {
        Map<Kind, Tally> sum = new EnumMap<>(Kind.class);
        Stream.of(one, other).forEach(tallies -> tallies.forEach((kind, tally) -> sum.merge(kind, tally, Tally::plus)));
        return sum;
    }

    private Second second(double at, double seconds, Map<Kind, Tally> tallies) {
        return new Second(
                Millis.rounded(at),
                Millis.rounded(seconds),
                kindSecond(tallies.get(Kind.PUT), seconds),
                kindSecond(tallies.get(Kind.GET), seconds));
    }

    private static @Nullable KindSecond kindSecond(@Nullable Tally tally, double seconds) {
        return tally == null ? null : KindSecond.of(tally, seconds);
    }

    /** Of the whole run, errors of the warm-up included. */
    public Tally total(Kind kind) {
        return totals.getOrDefault(kind, new Tally());
    }

    public List<Second> seconds() {
        return List.copyOf(seconds);
    }
}
