package io.talosgateway.loadgen.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.run.RunEvent;

/**
 * Adds up what several processes count, second by second: their first seconds make one, their second ones make one, and so
 * on. A process that ends before the others is missing from what comes then. Their clocks began within milliseconds of each
 * other, which is all that a second needs. For one thread.
 */
final class TakeMerge {

    private final Consumer<RunEvent> listener;
    private final List<Deque<RunEvent>> waiting = new ArrayList<>();
    private final boolean[] ended;
    private long latestNanos;
    private boolean over;

    /** @param listener hears of all processes as if they were one */
    TakeMerge(int processes, Consumer<RunEvent> listener) {
        this.listener = listener;
        this.ended = new boolean[processes];
        for (int process = 0; process < processes; process++) {
            waiting.add(new ArrayDeque<>());
        }
    }

    /** Nothing more comes of a process, whether or not it came to its end. */
    void gone(int process) {
        if (waiting.get(process).stream().noneMatch(take -> take.type() == RunEvent.Type.END) && !ended[process]) {
            add(process, RunEvent.tallies(RunEvent.Type.END, Map.of(), 0, true));
        }
    }

    /** @param take one of what it counted */
    void add(int process, RunEvent take) {
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
        RunEvent.Type type = first();
        long nanos = 0;
        boolean counts = false;
        for (int process = 0; process < ended.length; process++) {
            RunEvent take = waiting.get(process).peek();
            // One whose warm-up is over waits for those in which it goes on.
            if (take == null || (type == RunEvent.Type.WARM_UP && take.type() != type)) {
                continue;
            }
            waiting.get(process).remove();
            ended[process] = take.type() == RunEvent.Type.END;
            nanos = Math.max(nanos, take.atNanos());
            counts |= take.counts();
            take.tallies().forEach((kind, tally) -> sum.merge(kind, tally, Tally::plus));
        }
        latestNanos = type == RunEvent.Type.BEGIN ? 0 : Math.max(latestNanos, nanos);
        over = type == RunEvent.Type.END;
        listener.accept(RunEvent.tallies(type, sum, latestNanos, counts));
    }

    /** The earliest type of what waits. */
    private RunEvent.Type first() {
        return waiting.stream()
                .filter(takes -> !takes.isEmpty())
                .map(takes -> takes.element().type())
                .min(Comparator.naturalOrder())
                .orElse(RunEvent.Type.END);
    }
}
