package io.talosgateway.verifier;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** What a run writes down. Safe for use by any thread. */
final class RunRecord implements CallLog {

    /** Names. */
    final List<String> gateways;

    final AttemptLog attempts;
    /** By partition. */
    final List<Ledger> ledgers;

    final ServiceGaps gaps;
    final FaultWindows faults = new FaultWindows();
    final Violations violations = new Violations();
    final LateGets lateGets;
    final Bounds bounds;

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

    private final Map<String, Long> readErrors = new TreeMap<>();

    RunRecord(Namespace names, int partitions, List<String> gateways, AttemptLog attempts, long toleranceNanos) {
        this.gateways = gateways;
        this.attempts = attempts;
        ledgers = Stream.generate(Ledger::new).limit(partitions).toList();
        gaps = new ServiceGaps(partitions, "");
        lateGets = new LateGets(toleranceNanos);
        bounds = new Bounds(partitions, names::expires, gateways, violations);
    }

    @Override
    public void attempted(Attempt attempt) {
        attempts.add(attempt);
        switch (attempt.answer().outcome()) {
            case STORED -> {
                acknowledged.add(attempt.answer().repeat() ? 0 : attempt.put().count());
                gaps.put(attempt.put().partition(), attempt.endNanos());
            }
            case NOT_STORED -> refused.increment();
            case UNKNOWN -> unknown.increment();
        }
    }

    @Override
    public void got(Get get) {
        lateGets.ended(get);
        if (get.answer().messages() == null) {
            readFailed(get.answer().code());
        } else {
            gaps.got(get.partition(), get.endNanos());
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
