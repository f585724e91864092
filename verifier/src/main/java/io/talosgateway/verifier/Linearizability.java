package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides whether operations on one partition are linearizable: whether each of them can be given an instant between its call
 * and its return, so that a log to which one operation after another is applied gives all these answers. Partitions are
 * checked one by one, because a history is linearizable if that of each object is (Herlihy and Wing).
 *
 * <p>The search is that of Wing and Gong, with the memory of Lowe: it applies one of the operations that no other must precede, goes on
 * with the rest, and takes it back if that fails; a set of applied operations is tried once. Two properties of a log
 * keep it short. An operation that appends nothing is applied as soon as it may be, and never taken back: it changes nothing. And
 * where offsets and messages are known from any answer, only that message can be appended there. So the state of the log
 * is its length, and which puts are in it of which no answer tells the offset.
 *
 * <p>Stateless; gives up after a number of steps.
 */
final class Linearizability {

    private static final int HEAD = 0;
    /** All remembered sets together. */
    private static final long MOST_BITS = 1L << 27;

    private final long mostSteps;

    /** What is known of a history. */
    enum Verdict {
        LINEARIZABLE,
        VIOLATED,
        /** Neither was found within the steps. */
        UNDECIDED
    }

    /** @param mostSteps operations that are looked at, for each history */
    Linearizability(long mostSteps) {
        this.mostSteps = mostSteps;
    }

    /** Checks the history of a partition that was empty before. */
    Verdict check(List<HistoryOperation> history) {
        Known known = new Known();
        return history.stream().allMatch(known::learn) ? new Search(history, known).run() : Verdict.VIOLATED;
    }

    /**
     * Operations of a history that is not linearizable which contradict each other on their own. The other puts are taken to
     * have happened at any time, at their offsets; the other reads are left out.
     */
    List<HistoryOperation> smallest(List<HistoryOperation> history) {
        Known known = new Known();
        for (HistoryOperation operation : history) {
            if (!known.learn(operation)) {
                return history.stream()
                        .filter(other -> contradict(other, operation))
                        .findFirst()
                        .map(other -> List.of(other, operation))
                        .orElse(List.of(operation));
            }
        }
        return weaken(history, List.of()).stream()
                .filter(operation -> !operation.isAnyTime())
                .toList();
    }

    /** Whether two operations, but none of them alone, tell of other messages at the same offset, or of a message at two. */
    private static boolean contradict(HistoryOperation one, HistoryOperation two) {
        Known known = new Known();
        return new Known().learn(two) && known.learn(one) && !known.learn(two);
    }

    /** The part of a history, with as much of it weakened as can be while it contradicts itself and the others. */
    private List<HistoryOperation> weaken(List<HistoryOperation> part, List<HistoryOperation> others) {
        List<HistoryOperation> weak = part.stream()
                .filter(HistoryOperation::isPut)
                .map(HistoryOperation::anyTime)
                .toList();
        if (check(concat(weak, others)) == Verdict.VIOLATED) {
            return weak;
        }
        if (part.size() <= 1) {
            return part;
        }
        List<HistoryOperation> second = part.subList(part.size() / 2, part.size());
        List<HistoryOperation> first = weaken(part.subList(0, part.size() / 2), concat(second, others));
        return concat(first, weaken(second, concat(first, others)));
    }

    private static List<HistoryOperation> concat(List<HistoryOperation> one, List<HistoryOperation> two) {
        return Stream.concat(one.stream(), two.stream()).toList();
    }

    /** Which message is at which offset, as far as any answer tells. */
    private static final class Known {
        private final Map<Long, MessageId> at = new HashMap<>();
        private final Map<MessageId, Long> offsets = new HashMap<>();

        /** False if it contradicts what is known. */
        private boolean learn(HistoryOperation operation) {
            if (operation.offset() == HistoryOperation.UNPLACED) {
                return true;
            }
            for (int index = 0; index < operation.payloads().size(); index++) {
                MessageId payload = operation.payloads().get(index);
                Long offset = operation.offset() + index;
                MessageId before = at.putIfAbsent(offset, payload);
                Long place = offsets.putIfAbsent(payload, offset);
                if ((before != null && !before.equals(payload)) || (place != null && !place.equals(offset))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** One search. Calls and returns are a list in the order of time; those of applied operations are taken out of it. */
    private final class Search {

        private final List<HistoryOperation> history;
        private final Known known;
        /** By entry. */
        private final int[] next;

        private final int[] previous;
        private final int[] operationOf;
        /** By operation. */
        private final int[] callOf;

        private final int[] returnOf;

        /** The applied operations, in their order. */
        private final List<Integer> applied = new ArrayList<>();

        /** Without the puts of which no answer tells the offset. */
        private final BitSet appliedSet = new BitSet();

        private final Set<BitSet> tried = new HashSet<>();
        private final Set<MessageId> unplaced = new HashSet<>();
        private long length;
        private long steps;

        private Search(List<HistoryOperation> history, Known known) {
            this.history = history;
            this.known = known;
            int entries = 2 * history.size() + 1;
            next = new int[entries];
            previous = new int[entries];
            operationOf = new int[entries];
            callOf = new int[history.size()];
            returnOf = new int[history.size()];
            link();
        }

        /** What happens at the same instant overlaps: calls come first. */
        private void link() {
            List<Integer> events = new ArrayList<>();
            for (int operation = 0; operation < history.size(); operation++) {
                events.add(operation);
                events.add(~operation);
            }
            events.sort((one, two) -> {
                int byTime = Long.compare(instant(one), instant(two));
                return byTime != 0 ? byTime : Boolean.compare(one < 0, two < 0);
            });
            for (int entry = 1; entry <= events.size(); entry++) {
                int event = events.get(entry - 1);
                operationOf[entry] = event < 0 ? ~event : event;
                (event < 0 ? returnOf : callOf)[operationOf[entry]] = entry;
                link(entry - 1, entry);
            }
            link(events.size(), HEAD);
        }

        private long instant(int event) {
            return event < 0
                    ? history.get(~event).returnNanos()
                    : history.get(event).callNanos();
        }

        private void link(int before, int after) {
            next[before] = after;
            previous[after] = before;
        }

        private boolean isCall(int entry) {
            return callOf[operationOf[entry]] == entry;
        }

        /** Whether nothing that has returned is left. */
        private boolean isLastReturn(int entry) {
            return !isCall(entry) && history.get(operationOf[entry]).returnNanos() == HistoryOperation.NEVER;
        }

        private Verdict run() {
            applyReads();
            int entry = next[HEAD];
            while (true) {
                if (++steps > mostSteps || (long) tried.size() * history.size() > MOST_BITS) {
                    return Verdict.UNDECIDED;
                }
                if (entry == HEAD || isLastReturn(entry)) {
                    return Verdict.LINEARIZABLE;
                }
                int operation = operationOf[entry];
                if (!isCall(entry)) {
                    // It has returned, and cannot have taken effect yet.
                    int lastPut = takeBackPut();
                    if (lastPut < 0) {
                        return Verdict.VIOLATED;
                    }
                    entry = next[callOf[lastPut]];
                } else if (mayPut(history.get(operation)) && isNew(operation)) {
                    apply(operation);
                    applyReads();
                    entry = next[HEAD];
                } else {
                    entry = next[entry];
                }
            }
        }

        private void applyReads() {
            for (int entry = next[HEAD]; entry != HEAD && isCall(entry); entry = next[entry]) {
                steps++;
                if (mayRead(history.get(operationOf[entry]))) {
                    apply(operationOf[entry]);
                }
            }
        }

        private boolean mayRead(HistoryOperation operation) {
            return switch (operation.kind()) {
                case PUT, MAYBE_PUT -> false;
                case REPEAT -> operation.offset() < length;
                case READ ->
                    operation.payloads().isEmpty()
                            ? operation.offset() == length
                            : operation.offset() + operation.payloads().size() <= length;
                case END -> operation.offset() == length;
                case BEYOND -> operation.offset() > length;
            };
        }

        private boolean mayPut(HistoryOperation operation) {
            if (!operation.isPut()) {
                return false;
            }
            MessageId payload = operation.payloads().get(0);
            Long offset = known.offsets.get(payload);
            return offset == null ? !known.at.containsKey(length) && !unplaced.contains(payload) : offset == length;
        }

        /** Of the puts of which no answer tells the offset, it only matters how many are applied: they may all wait. */
        private boolean isNew(int operation) {
            BitSet set = (BitSet) appliedSet.clone();
            if (isPlaced(operation)) {
                set.set(operation);
                set.set(history.size() + unplaced.size());
            } else {
                set.set(history.size() + unplaced.size() + 1);
            }
            return tried.add(set);
        }

        private boolean isPlaced(int operation) {
            return known.offsets.containsKey(history.get(operation).payloads().get(0));
        }

        private void apply(int operation) {
            // The call last, so that it still tells what comes next.
            link(previous[returnOf[operation]], next[returnOf[operation]]);
            link(previous[callOf[operation]], next[callOf[operation]]);
            applied.add(operation);
            if (!history.get(operation).isPut()) {
                appliedSet.set(operation);
                return;
            }
            length++;
            if (isPlaced(operation)) {
                appliedSet.set(operation);
            } else {
                unplaced.add(history.get(operation).payloads().get(0));
            }
        }

        /** Takes everything back since the last operation that appended, and this one; -1 if there is none. */
        private int takeBackPut() {
            while (!applied.isEmpty()) {
                int operation = applied.remove(applied.size() - 1);
                appliedSet.clear(operation);
                // In the opposite order, so that each finds its neighbours.
                relink(callOf[operation]);
                relink(returnOf[operation]);
                if (history.get(operation).isPut()) {
                    length--;
                    unplaced.remove(history.get(operation).payloads().get(0));
                    return operation;
                }
            }
            return -1;
        }

        private void relink(int entry) {
            next[previous[entry]] = entry;
            previous[next[entry]] = entry;
        }
    }
}
