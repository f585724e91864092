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

    private final RunListener listener;
    private final List<Deque<ProcessMessage>> waiting = new ArrayList<>();
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

    /** Nothing more comes of a process, whether or not it came to its end. */
    void gone(int process) {
        if (waiting.get(process).stream().noneMatch(take -> take.type() == ProcessMessage.Type.END)
                && !ended[process]) {
            add(process, ProcessMessage.tallies(ProcessMessage.Type.END, Map.of(), 0, true));
        }
    }

    /** @param take one of what it counted */
    void add(int process, ProcessMessage take) {
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
        ProcessMessage.Type type = ProcessMessage.Type.END;
        long nanos = 0;
        boolean counts = false;
        for (int process = 0; process < ended.length; process++) {
            if (ended[process]) {
                continue;
            }
            ProcessMessage take = waiting.get(process).remove();
            ended[process] = take.type() == ProcessMessage.Type.END;
            type = take.type().compareTo(type) < 0 ? take.type() : type;
            nanos = Math.max(nanos, take.sinceBeginNanos());
            counts |= take.counts();
            take.readTallies()
                    .forEach((kind, tally) ->
                            sum.computeIfAbsent(kind, none -> new Tally()).add(tally));
        }
        latestNanos = Math.max(latestNanos, nanos);
        switch (type) {
            case BEGIN -> listener.begin(sum, counts);
            case SECOND -> listener.second(sum, latestNanos);
            case END -> {
                over = true;
                listener.end(sum, latestNanos);
            }
            default -> throw new IllegalStateException("%s counts nothing".formatted(type));
        }
    }
}
