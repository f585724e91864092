package io.talosgateway.verifier;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** What a run writes down. Safe for use by any thread. */
final class RunRecord implements CallLog {

    private final AttemptLog attempts;
    private final Ledger ledger;
    private final ServiceGaps gaps;
    private final ServiceGaps getGaps;
    private final FaultWindows faults = new FaultWindows();
    private final Violations violations = new Violations();
    private final LateGets lateGets;
    private final Bounds bounds;
    private final Histories histories;
    private final Map<String, Long> readErrors = new TreeMap<>();

    /** Messages of puts that were acknowledged. */
    final LongAdder acknowledged = new LongAdder();
    /** Attempts to put of which nobody knows. */
    final LongAdder unknown = new LongAdder();
    /** Attempts to put that were refused. */
    final LongAdder refused = new LongAdder();
    /** Messages that readers have read, all together. */
    final LongAdder read = new LongAdder();
    /** Gets that were sent to paused gateways, and answered when these went on. */
    final LongAdder buffered = new LongAdder();

    RunRecord(Namespace names, int partitions, List<String> gateways, long capacity, long toleranceNanos) {
        attempts = new AttemptLog(capacity);
        ledger = new Ledger(partitions);
        gaps = new ServiceGaps(partitions, "", 0);
        getGaps = new ServiceGaps(partitions, "", 0);
        lateGets = new LateGets(toleranceNanos);
        bounds = new Bounds(partitions, names::expires, gateways, violations);
        histories = new Histories(violations);
    }

    AttemptLog attempts() {
        return attempts;
    }

    Ledger ledger() {
        return ledger;
    }

    /** Between acknowledged puts. */
    ServiceGaps gaps() {
        return gaps;
    }

    /** Between gets that were answered with messages, or with the end. */
    ServiceGaps getGaps() {
        return getGaps;
    }

    /** What comes now is measured apart from what was before. */
    void beginPeriod(String name, long nowNanos) {
        gaps.begin(name, nowNanos);
        getGaps.begin(name, nowNanos);
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

    Bounds bounds() {
        return bounds;
    }

    Histories histories() {
        return histories;
    }

    @Override
    public void attempted(Attempt attempt) {
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

    @Override
    public void got(Get get) {
        GetAnswer answer = get.answer();
        lateGets.ended(get);
        if (answer.messages() == null) {
            readFailed(answer.code());
        } else {
            getGaps.acknowledged(get.partition(), get.endNanos());
        }
    }

    /** One of the gets that were sent to a paused gateway was answered. */
    void gotBuffered(Get get) {
        buffered.increment();
        if (get.answer().messages() == null) {
            readFailed(get.answer().code());
        }
    }

    private synchronized void readFailed(String code) {
        readErrors.merge(code, 1L, Long::sum);
    }

    /** Gets that were not answered with messages, by code. */
    synchronized Map<String, Long> readErrors() {
        return new TreeMap<>(readErrors);
    }
}
