package io.talosgateway.loadgen.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

import org.HdrHistogram.Recorder;

/**
 * Counts and times requests of one kind. All workers of the kind share it; one other thread takes what has come together,
 * again and again, and nothing is counted twice or lost in between.
 */
public final class KindRecorder {

    private final Recorder latency = new Recorder(Tally.LOWEST_NANOS, Tally.HIGHEST_NANOS, Tally.DIGITS);
    private final Recorder refusal = new Recorder(Tally.LOWEST_NANOS, Tally.HIGHEST_NANOS, Tally.DIGITS);
    private final ConcurrentMap<String, Tally.ErrorCount> errors = new ConcurrentHashMap<>();
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder empty = new LongAdder();

    private final LongAdder answered = new LongAdder();
    /** Of those, what was taken; for the thread that takes. */
    private long answeredBefore;

    /**
     * Counts an answer that is not an error.
     *
     * @param counts whether it belongs to the window
     */
    public void answered(boolean counts, long nanos, long messagesOfAnswer, long bytesOfAnswer) {
        answered.increment();
        if (counts) {
            latency.recordValue(Math.min(nanos, Tally.HIGHEST_NANOS));
            messages.add(messagesOfAnswer);
            bytes.add(bytesOfAnswer);
            if (messagesOfAnswer == 0) {
                empty.increment();
            }
        }
    }

    /** Counts an error, also of the warm-up: it is worth a look whenever it comes. */
    public void failed(int status, String code, String detail) {
        Tally.ErrorCount one = new Tally.ErrorCount(status, code, 1, detail);
        errors.merge(one.name(), one, Tally.ErrorCount::plus);
    }

    /**
     * Times an answer that is an error.
     *
     * @param counts whether it belongs to the window
     */
    public void refused(boolean counts, long nanos) {
        if (counts) {
            refusal.recordValue(Math.min(nanos, Tally.HIGHEST_NANOS));
        }
    }

    /** Answers that were not errors, from the beginning of the warm-up on. */
    public long answered() {
        return answered.sum();
    }

    /** What has come together since the last call. One thread at a time. */
    public Tally take() {
        List<Tally.ErrorCount> taken = new ArrayList<>();
        for (String kind : errors.keySet()) {
            Tally.ErrorCount count = errors.remove(kind);
            if (count != null) {
                taken.add(count);
            }
        }
        long answeredSoFar = answered.sum();
        long answeredSince = answeredSoFar - answeredBefore;
        answeredBefore = answeredSoFar;
        return new Tally(
                latency.getIntervalHistogram(),
                refusal.getIntervalHistogram(),
                answeredSince,
                messages.sumThenReset(),
                bytes.sumThenReset(),
                empty.sumThenReset(),
                taken);
    }
}
