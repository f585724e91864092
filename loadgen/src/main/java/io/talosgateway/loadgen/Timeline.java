package io.talosgateway.loadgen;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Takes what the recorders have, second by second, and adds it up. The thread that keeps the time of the run calls it; all
 * instants are of its clock.
 */
final class Timeline {

    /** A rest that is shorter belongs to the second before it: its rates would be noise. */
    private static final double SHORTEST_SECONDS = 0.5;

    private final Map<Kind, KindRecorder> recorders;
    private final IntervalLog log;
    private final Map<Kind, Tally> totals = new EnumMap<>(Kind.class);
    private final List<Second> seconds = new ArrayList<>();
    /** Of the last one of {@link #seconds}. */
    private Map<Kind, Tally> last = Map.of();

    /** What counts already and was taken with the warm-up: it belongs to the first second. */
    private Map<Kind, Tally> early = Map.of();

    private long fromNanos;
    private long takenAtNanos;

    /** @param recorders of the kinds of requests there are in the run */
    Timeline(Map<Kind, KindRecorder> recorders, IntervalLog log) {
        this.recorders = recorders;
        this.log = log;
        recorders.keySet().forEach(kind -> totals.put(kind, new Tally()));
    }

    /** The warm-up is over: its errors count, but they are of no second. */
    void begin(long nowNanos) {
        early = take();
        fromNanos = nowNanos;
        takenAtNanos = nowNanos;
    }

    /** A second is over. */
    void second(long nowNanos) {
        double at = sinceBegin(takenAtNanos);
        double until = sinceBegin(nowNanos);
        last = take();
        early.forEach((kind, tally) -> last.getOrDefault(kind, new Tally()).add(tally.withoutErrors()));
        early = Map.of();
        write(last, at, until);
        seconds.add(second(at, until - at, last));
        takenAtNanos = nowNanos;
    }

    /**
     * All requests are answered.
     *
     * @param endNanos when the last of those that count were sent; their answers may have come later
     */
    void end(long endNanos) {
        long endedAtNanos = Math.max(endNanos, takenAtNanos);
        double at = sinceBegin(takenAtNanos);
        double until = sinceBegin(endedAtNanos);
        if (until - at >= SHORTEST_SECONDS || seconds.isEmpty()) {
            second(endedAtNanos);
            return;
        }
        Map<Kind, Tally> rest = take();
        write(rest, at, until);
        last.forEach((kind, tally) -> tally.add(rest.getOrDefault(kind, new Tally())));
        double lastAt = seconds.remove(seconds.size() - 1).atSeconds();
        seconds.add(second(lastAt, until - lastAt, last));
        takenAtNanos = endedAtNanos;
    }

    private double sinceBegin(long nanos) {
        return (nanos - fromNanos) / 1e9;
    }

    private Map<Kind, Tally> take() {
        Map<Kind, Tally> taken = new EnumMap<>(Kind.class);
        recorders.forEach((kind, recorder) -> taken.put(kind, recorder.take()));
        taken.forEach((kind, tally) -> total(kind).add(tally));
        return taken;
    }

    private void write(Map<Kind, Tally> tallies, double from, double until) {
        tallies.forEach((kind, tally) -> log.interval(kind, from, until, tally.latency()));
    }

    private static Second second(double at, double seconds, Map<Kind, Tally> tallies) {
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
    Tally total(Kind kind) {
        return totals.computeIfAbsent(kind, none -> new Tally());
    }

    List<Second> seconds() {
        return List.copyOf(seconds);
    }
}
