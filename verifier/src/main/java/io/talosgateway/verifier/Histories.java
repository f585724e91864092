package io.talosgateway.verifier;

import java.util.List;

import io.talosgateway.verifier.Linearizability.Verdict;

/** What came of checking histories. Safe for use by any thread. */
final class Histories {

    /** A history of thousands of operations takes thousands of steps, unless many unknown puts are never found. */
    private static final long MOST_STEPS = 50_000_000;
    /** To find the operations that contradict each other, a history is checked again and again. */
    private static final long MOST_STEPS_FOR_A_PART = 20_000_000;

    private static final int MOST_SHOWN = 40;

    private final Violations violations;
    private long checked;
    private long operations;
    private long undecided;

    Histories(Violations violations) {
        this.violations = violations;
    }

    /**
     * Checks a history.
     *
     * @param name such as {@code partition 2 of orders}
     */
    void check(String name, List<HistoryOperation> history) {
        Verdict verdict = new Linearizability(MOST_STEPS).check(history);
        add(history.size(), verdict);
        if (verdict == Verdict.VIOLATED) {
            List<HistoryOperation> smallest = new Linearizability(MOST_STEPS_FOR_A_PART).smallest(history);
            violations.add(
                    Rule.LINEARIZABLE,
                    "of %d operations on %s, these %d contradict each other (call, return, gateway, answer)"
                            .formatted(history.size(), name, smallest.size()),
                    smallest.stream()
                            .limit(MOST_SHOWN)
                            .map(HistoryOperation::toString)
                            .toList());
        }
    }

    private synchronized void add(int more, Verdict verdict) {
        checked++;
        operations += more;
        undecided += verdict == Verdict.UNDECIDED ? 1 : 0;
    }

    /**
     * How many histories were checked.
     *
     * @param undecided of them, those of which nothing is known because the search took too long
     */
    record Summary(long histories, long operations, long undecided) {}

    synchronized Summary summary() {
        return new Summary(checked, operations, undecided);
    }
}
