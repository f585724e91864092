package io.talosgateway.verifier;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What a run writes down. Safe for use by any thread. */
final class RunRecord implements Calls.Log {

    /** Names. */
    final List<String> gateways;

    final AttemptLog attempts;
    /** By partition. */
    final List<Ledger> ledgers;

    final Periods periods;
    final Violations violations = new Violations();
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

    private final long toleranceNanos;
    private final LongAccumulator latestPutNanos = new LongAccumulator(Math::max, 0);
    private final LongAccumulator latestGetNanos = new LongAccumulator(Math::max, 0);
    private final Map<String, Long> readErrors = new TreeMap<>();

    RunRecord(Namespace names, int partitions, List<String> gateways, AttemptLog attempts, long toleranceNanos) {
        this.gateways = gateways;
        this.attempts = attempts;
        ledgers = Stream.generate(Ledger::new).limit(partitions).toList();
        periods = new Periods(partitions, "");
        this.toleranceNanos = toleranceNanos;
        bounds = new Bounds(partitions, names::expires, gateways, violations);
    }

    @Override
    public void attempted(Attempt attempt) {
        attempts.add(attempt);
        Put put = attempt.put();
        checkTime(put, attempt, latestPutNanos, () -> attempts.describe(put.writer(), put.number(), gateways));
        switch (attempt.answer().outcome()) {
            case STORED -> {
                acknowledged.add(attempt.answer().repeat() ? 0 : put.count());
                periods.put(put.partition(), attempt.endNanos());
            }
            case NOT_STORED -> refused.increment();
            case UNKNOWN -> unknown.increment();
        }
    }

    @Override
    public void got(Get get) {
        checkTime("a get of partition " + get.partition(), get, latestGetNanos, List::of);
        if (get.answer().messages() == null) {
            readFailed(get.answer().code());
        } else {
            periods.got(get.partition(), get.endNanos());
        }
    }

    /** A request is answered in its time, by a gateway to which nothing was done. */
    private void checkTime(
            Object what, Request request, LongAccumulator latestNanos, Supplier<List<String>> attemptsOfPut) {
        boolean answered = request.isAnswered();
        long lateNanos = request.lateNanos();
        if ((answered && lateNanos <= 0)
                || periods.excuse(request.gateway(), request.startNanos(), request.endNanos())) {
            return;
        }
        if (answered) {
            latestNanos.accumulate(lateNanos);
        }
        if (!answered || lateNanos > toleranceNanos) {
            violations.add(
                    answered ? Rule.IN_TIME : Rule.ANSWERED,
                    "%s at %.3f s by %s, to which nothing was done, ended with %s after %.3f s; it had %.3f s"
                            .formatted(
                                    what,
                                    request.startNanos() / 1e9,
                                    gateways.get(request.gateway()),
                                    request.code(),
                                    (request.endNanos() - request.startNanos()) / 1e9,
                                    request.timeoutMs() / 1e3),
                    attemptsOfPut);
        }
    }

    /** How much later than its time the latest answer to a put came that nothing excuses. */
    double latestPutMs() {
        return latestPutNanos.get() / 1e6;
    }

    /** The same, of gets. */
    double latestGetMs() {
        return latestGetNanos.get() / 1e6;
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
