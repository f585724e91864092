package io.talosgateway.loadgen.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.run.RunListener;

/**
 * Adds up what several processes count, second by second: their first seconds make one, their second ones make one, and so
 * on. A process that ends before the others is missing from what comes then. Their clocks began within milliseconds of each
 * other, which is all that a second needs. For one thread.
 */
final class TakeMerge {

    /** What one process counted. */
    private record Take(Stage stage, Map<Kind, Tally> tallies, long sinceBeginNanos, boolean counts) {}

    private enum Stage {
        BEGIN,
        SECOND,
        END
    }

    private final RunListener listener;
    private final List<Deque<Take>> waiting = new ArrayList<>();
    private final boolean[] ended;
    private long latestNanos;
    private boolean over;

    /** @param listener hears of all processes as if they were one */
    TakeMerge(int processes, RunListener listener) {
        this.listener = listener;
        this.ended = new boolean[processes];
        for (int process = 0; process < processes; process++) {
            waiting.add(new ArrayDeque<>());
        }
    }

    void begin(int process, Map<Kind, Tally> early, boolean counts) {
        add(process, new Take(Stage.BEGIN, early, 0, counts));
    }

    void second(int process, Map<Kind, Tally> tallies, long sinceBeginNanos) {
        add(process, new Take(Stage.SECOND, tallies, sinceBeginNanos, true));
    }

    void end(int process, Map<Kind, Tally> rest, long sinceBeginNanos) {
        add(process, new Take(Stage.END, rest, sinceBeginNanos, true));
    }

    /** Nothing more comes of a process, whether or not it came to its end. */
    void gone(int process) {
        if (waiting.get(process).stream().noneMatch(take -> take.stage == Stage.END) && !ended[process]) {
            end(process, Map.of(), 0);
        }
    }

    private void add(int process, Take take) {
        waiting.get(process).add(take);
        while (!over && allHaveOne()) {
            mergeNext();
        }
    }

    private boolean allHaveOne() {
        for (int process = 0; process < ended.length; process++) {
            if (!ended[process] && waiting.get(process).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private void mergeNext() {
        Map<Kind, Tally> sum = new EnumMap<>(Kind.class);
        Stage stage = Stage.END;
        long nanos = 0;
        boolean counts = false;
        for (int process = 0; process < ended.length; process++) {
            if (ended[process]) {
                continue;
            }
            Take take = waiting.get(process).remove();
            ended[process] = take.stage == Stage.END;
            stage = take.stage.compareTo(stage) < 0 ? take.stage : stage;
            nanos = Math.max(nanos, take.sinceBeginNanos);
            counts |= take.counts;
            take.tallies.forEach((kind, tally) ->
                    sum.computeIfAbsent(kind, none -> new Tally()).add(tally));
        }
        latestNanos = Math.max(latestNanos, nanos);
        switch (stage) {
            case BEGIN -> listener.begin(sum, counts);
            case SECOND -> listener.second(sum, latestNanos);
            case END -> {
                over = true;
                listener.end(sum, latestNanos);
            }
        }
    }
}
