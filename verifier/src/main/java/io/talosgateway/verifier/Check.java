package io.talosgateway.verifier;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

import io.talosgateway.verifier.PutTable.OfWriter;
import org.jspecify.annotations.Nullable;

/**
 * Compares what was answered with what is there in the end. Knows every attempt and every message; has no clock, no threads and
 * no connections. For one thread, once.
 */
final class Check {

    private final AttemptLog attempts;
    private final Ledger ledger;
    private final FaultWindows faults;
    private final List<String> gateways;
    private final IntPredicate waitsForEachAnswer;
    private final long toleranceNanos;
    private final Violations violations;

    private final PutTable puts = new PutTable();
    private final Map<String, Long> refused = new TreeMap<>();
    private final Map<String, Long> unknown = new TreeMap<>();
    private long repeats;
    private long latestNanos;

    /**
     * A check.
     *
     * @param ledger what the last reading of all found, and before that, what readers saw
     * @param gateways names
     * @param waitsForEachAnswer which writers have no two puts to one partition under way
     * @param toleranceNanos how much later than its time an answer may come
     * @param violations what is wrong, and what was already found to be wrong
     */
    Check(
            AttemptLog attempts,
            Ledger ledger,
            FaultWindows faults,
            List<String> gateways,
            IntPredicate waitsForEachAnswer,
            long toleranceNanos,
            Violations violations) {
        this.attempts = attempts;
        this.ledger = ledger;
        this.faults = faults;
        this.gateways = gateways;
        this.waitsForEachAnswer = waitsForEachAnswer;
        this.toleranceNanos = toleranceNanos;
        this.violations = violations;
    }

    /** Checks everything. */
    Counts run() {
        attempts.forEach(this::take);
        for (int partition = 0; partition < ledger.partitions(); partition++) {
            find(partition);
        }
        return judge();
    }

    // --- the answers ---

    private void take(Attempt attempt) {
        OfWriter writer = puts.rowFor(attempt);
        int number = attempt.number();
        PutAnswer answer = attempt.answer();
        checkTime(attempt);
        switch (answer.outcome()) {
            case STORED -> takeStored(attempt, writer);
            case NOT_STORED -> refused.merge(answer.code(), 1L, Long::sum);
            case UNKNOWN -> {
                unknown.merge(answer.code(), 1L, Long::sum);
                writer.set(number, PutTable.MAYBE_STORED);
            }
        }
    }

    private void takeStored(Attempt attempt, OfWriter writer) {
        int number = attempt.number();
        PutAnswer answer = attempt.answer();
        boolean before = writer.isAcknowledged(number);
        repeats += answer.repeat() ? 1 : 0;
        if (!before && answer.repeat() && !writer.is(number, PutTable.MAYBE_STORED)) {
            wrong(Rule.REPEAT_IS_MARKED, attempt, "was answered as a repeat, and nothing had stored it before");
        }
        if (before && answer.firstOffset() != writer.acknowledgedAt[number]) {
            wrong(
                    Rule.REPEAT_IS_MARKED,
                    attempt,
                    "was acknowledged at offset %d, and its repeat at offset %d"
                            .formatted(writer.acknowledgedAt[number], answer.firstOffset()));
        } else if (before && !answer.repeat()) {
            wrong(Rule.REPEAT_IS_MARKED, attempt, "was acknowledged twice, and the second time not as a repeat");
        }
        if (!before) {
            writer.acknowledgedNanos[number] = attempt.endNanos();
            writer.acknowledgedAt[number] = answer.firstOffset();
        }
    }

    private void checkTime(Attempt attempt) {
        PutAnswer answer = attempt.answer();
        boolean met = faults.touch(attempt.gateway(), attempt.startNanos(), attempt.endNanos());
        if (answer.code().equals(PutAnswer.MALFORMED)) {
            wrong(Rule.UNDERSTOOD, attempt, "was not answered by %s with an answer to it".formatted(gateway(attempt)));
        } else if (!answer.isAnswer() && !met) {
            wrong(
                    Rule.ANSWERED,
                    attempt,
                    "was not answered by %s, to which nothing was done: %s, after %.3f s of %.3f s"
                            .formatted(
                                    gateway(attempt),
                                    answer.code(),
                                    seconds(attempt.endNanos() - attempt.startNanos()),
                                    attempt.timeoutMs() / 1e3));
        } else if (answer.isAnswer() && !met) {
            long lateNanos =
                    attempt.endNanos() - attempt.startNanos() - TimeUnit.MILLISECONDS.toNanos(attempt.timeoutMs());
            latestNanos = Math.max(latestNanos, lateNanos);
            if (lateNanos > toleranceNanos) {
                wrong(
                        Rule.IN_TIME,
                        attempt,
                        "was answered by %s with %s after %.3f s; it had %.3f s"
                                .formatted(
                                        gateway(attempt),
                                        answer.code(),
                                        seconds(attempt.endNanos() - attempt.startNanos()),
                                        attempt.timeoutMs() / 1e3));
            }
        }
    }

    // --- the messages ---

    private void find(int partition) {
        long end = ledger.end(partition);
        @Nullable MessageId latestStarted = null;
        long latestStartNanos = Long.MIN_VALUE;
        int[] lastOfWriter = new int[puts.writers().size()];
        for (long offset = ledger.start(partition); offset < end; offset++) {
            ObservedMessage found = ledger.at(partition, offset);
            MessageId message = checked(partition, offset, found);
            if (message == null) {
                continue;
            }
            OfWriter writer = puts.writers().get(message.writer());
            int number = message.number();
            if (message.index() > 0) {
                continue;
            }
            if (latestStarted != null
                    && writer.isAcknowledged(number)
                    && writer.acknowledgedNanos[number] < latestStartNanos) {
                wrong(
                        Rule.REAL_TIME,
                        message,
                        "%s at offset %d was acknowledged at %.3f s, and before it is %s, which began at %.3f s"
                                .formatted(
                                        put(message, partition),
                                        offset,
                                        seconds(writer.acknowledgedNanos[number]),
                                        latestStarted,
                                        seconds(latestStartNanos)));
            }
            if (latestStarted == null || writer.firstStartNanos[number] > latestStartNanos) {
                latestStarted = message;
                latestStartNanos = writer.firstStartNanos[number];
            }
            checkOrderOfWriter(partition, offset, message, lastOfWriter);
        }
    }

    /** @param lastOfWriter one more than the number of the last acknowledged put of each */
    private void checkOrderOfWriter(int partition, long offset, MessageId message, int[] lastOfWriter) {
        OfWriter writer = puts.writers().get(message.writer());
        if (!waitsForEachAnswer.test(message.writer()) || !writer.isAcknowledged(message.number())) {
            return;
        }
        int last = lastOfWriter[message.writer()] - 1;
        if (message.number() < last) {
            wrong(
                    Rule.ORDER_OF_WRITER,
                    message,
                    "%s is at offset %d, behind the writer's put %d".formatted(put(message, partition), offset, last));
        }
        lastOfWriter[message.writer()] = message.number() + 1;
    }

    /** Counts a message for its put; null if it is not one of a put to this partition. */
    private @Nullable MessageId checked(int partition, long offset, @Nullable ObservedMessage found) {
        if (found == null) {
            violations.add(
                    Rule.DENSE,
                    "partition %d has no message at offset %d, and its end is %d"
                            .formatted(partition, offset, ledger.end(partition)));
            return null;
        }
        MessageId message = found.message();
        if (message == null) {
            violations.add(
                    Rule.NOTHING_ELSE,
                    "partition %d has a message at offset %d that nobody put".formatted(partition, offset));
            return null;
        }
        if (found.changed()) {
            wrong(
                    Rule.UNCHANGED,
                    message,
                    "%s is at offset %d of partition %d with other bytes than were put"
                            .formatted(message, offset, partition));
        }
        if (!puts.has(message.writer(), message.number()) || !belongs(partition, message)) {
            wrong(
                    Rule.NOTHING_ELSE,
                    message,
                    "%s is at offset %d of partition %d, where it was never put".formatted(message, offset, partition));
            return null;
        }
        OfWriter writer = puts.writers().get(message.writer());
        int number = message.number();
        long first = offset - message.index();
        if (writer.foundAt[number] == PutTable.NONE) {
            writer.foundAt[number] = first;
        }
        if (writer.foundAt[number] == first) {
            writer.found[number]++;
        } else {
            wrong(
                    Rule.STORED_ONCE,
                    message,
                    "%s of partition %d is at offset %d, and the put is at offset %d already"
                            .formatted(message, partition, offset, writer.foundAt[number]));
        }
        return message;
    }

    private boolean belongs(int partition, MessageId message) {
        OfWriter writer = puts.writers().get(message.writer());
        return writer.partition(message.number()) == partition && message.index() < writer.count[message.number()];
    }

    // --- the puts ---

    private Counts judge() {
        Counts.Builder counts = new Counts.Builder();
        for (int writer = 0; writer < puts.writers().size(); writer++) {
            OfWriter ofWriter = puts.writers().get(writer);
            for (int number = 0; number < ofWriter.size; number++) {
                if (ofWriter.has(number)) {
                    judge(writer, number, ofWriter, counts);
                }
            }
        }
        long stored = 0;
        for (int partition = 0; partition < ledger.partitions(); partition++) {
            stored += ledger.end(partition) - ledger.start(partition);
        }
        return counts.build(attempts.size(), refused, unknown, repeats, stored, latestNanos);
    }

    private void judge(int writer, int number, OfWriter puts, Counts.Builder counts) {
        MessageId message = new MessageId(writer, number, 0);
        boolean isThere = puts.found[number] > 0;
        long start = ledger.start(puts.partition(number));
        if (isThere
                ? puts.foundAt[number] < start
                : puts.isAcknowledged(number) && puts.acknowledgedAt[number] < start) {
            counts.expired(puts.count[number], puts.isAcknowledged(number));
            return;
        }
        if (isThere && puts.found[number] != puts.count[number]) {
            wrong(
                    Rule.STORED_ONCE,
                    message,
                    "%s is stored in part: %d of its %d messages, at offset %d"
                            .formatted(
                                    put(message, puts.partition(number)),
                                    puts.found[number],
                                    puts.count[number],
                                    puts.foundAt[number]));
        }
        if (puts.isAcknowledged(number)) {
            counts.acknowledged(puts.count[number]);
            if (!isThere || puts.foundAt[number] != puts.acknowledgedAt[number]) {
                wrong(
                        Rule.ACKNOWLEDGED_IS_THERE,
                        message,
                        "%s was acknowledged at offset %d; %s"
                                .formatted(
                                        put(message, puts.partition(number)),
                                        puts.acknowledgedAt[number],
                                        isThere
                                                ? "it is at offset " + puts.foundAt[number]
                                                : "it is nowhere, and there is "
                                                        + describe(
                                                                puts.partition(number), puts.acknowledgedAt[number])));
            }
            return;
        }
        if (puts.is(number, PutTable.MAYBE_STORED)) {
            counts.unknown(isThere);
            return;
        }
        counts.refused();
        if (isThere) {
            wrong(
                    Rule.NOT_STORED_IS_NOT_THERE,
                    message,
                    "%s was answered with 'not stored' each time, and is at offset %d"
                            .formatted(put(message, puts.partition(number)), puts.foundAt[number]));
        }
    }

    // --- words ---

    private String describe(int partition, long offset) {
        ObservedMessage found = ledger.at(partition, offset);
        return found != null ? found.toString() : "nothing, with the partition's end at " + ledger.end(partition);
    }

    private static String put(MessageId message, int partition) {
        return "put %d of writer %d to partition %d".formatted(message.number(), message.writer(), partition);
    }

    private String gateway(Attempt attempt) {
        return gateways.get(attempt.gateway());
    }

    private void wrong(Rule rule, Attempt attempt, String what) {
        violations.add(rule, attempt.writer(), attempt.number(), attempt.put() + " " + what);
    }

    private void wrong(Rule rule, MessageId message, String text) {
        violations.add(rule, message.writer(), message.number(), text);
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
