package io.talosgateway.loadgen.verify;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** What a run writes down. Safe for use by any thread. */
final class Books {

    private final AttemptLog attempts;
    private final Ledger ledger;
    private final ServiceGaps gaps;
    private final FaultWindows faults = new FaultWindows();
    private final Violations violations = new Violations();
    private final LateGets lateGets;
    private final Map<String, Long> readErrors = new TreeMap<>();

    /** Messages of puts that were acknowledged. */
    final LongAdder acknowledged = new LongAdder();
    /** Attempts to put of which nobody knows. */
    final LongAdder unknown = new LongAdder();
    /** Attempts to put that were refused. */
    final LongAdder refused = new LongAdder();
    /** Messages that readers have read, all together. */
    final LongAdder read = new LongAdder();

    Books(int partitions, long capacity, long toleranceNanos) {
        attempts = new AttemptLog(capacity);
        ledger = new Ledger(partitions);
        gaps = new ServiceGaps(partitions, "", 0);
        lateGets = new LateGets(toleranceNanos);
    }

    AttemptLog attempts() {
        return attempts;
    }

    Ledger ledger() {
        return ledger;
    }

    ServiceGaps gaps() {
        return gaps;
    }

    FaultWindows faults() {
        return faults;
    }

    Violations violations() {
        return violations;
    }

    LateGets lateGets() {
        return lateGets;
    }

    /** Writes an attempt down, and what follows from it. */
    void attempted(Attempt attempt) {
        attempts.add(attempt);
        switch (attempt.answer().outcome()) {
            case STORED -> {
                acknowledged.add(attempt.answer().repeat() ? 0 : attempt.count());
                gaps.acknowledged(attempt.partition(), attempt.endNanos());
            }
            case NOT_STORED -> refused.increment();
            case UNKNOWN -> unknown.increment();
        }
    }

    /** A get was answered with an error. */
    synchronized void readFailed(String code) {
        readErrors.merge(code, 1L, Long::sum);
    }

    /** Gets that were not answered with messages, by code. */
    synchronized Map<String, Long> readErrors() {
        return new TreeMap<>(readErrors);
    }
}
