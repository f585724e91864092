package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;

/**
 * Compares what was answered with what is there in the end. Knows every attempt and every message; has no clock, no threads and
 * no connections. For one thread, once.
 */
final class Check {

    private final RunRecord books;
    private final IntPredicate waitsForEachAnswer;
    private final Counts counts = new Counts();

    /** By writer and number; null for a put of which there is no attempt. */
    private final List<List<@Nullable PutState>> puts = new ArrayList<>();

    /**
     * A check.
     *
     * @param books with what the last reading of all found in each partition, and before that, what readers saw
     * @param waitsForEachAnswer which writers have no two puts to one partition under way
     */
    Check(RunRecord books, IntPredicate waitsForEachAnswer) {
        this.books = books;
        this.waitsForEachAnswer = waitsForEachAnswer;
    }

    Counts run() {
        books.attempts.forEach(this::take);
        for (int partition = 0; partition < books.ledgers.size(); partition++) {
            Ledger ledger = books.ledgers.get(partition);
            find(partition, ledger);
            counts.stored += ledger.end() - ledger.start();
        }
        for (List<@Nullable PutState> ofWriter : puts) {
            for (PutState put : ofWriter) {
                if (put != null) {
                    judge(put);
                }
            }
        }
        counts.attempts = books.attempts.size();
        counts.latestMs = books.latestPutMs();
        return counts;
    }

    private void take(Attempt attempt) {
        PutState put = stateOf(attempt.put());
        PutAnswer answer = attempt.answer();
        put.firstStartNanos = Math.min(put.firstStartNanos, attempt.startNanos());
        switch (answer.outcome()) {
            case STORED -> takeStored(put, attempt);
            case NOT_STORED -> counts.attemptsRefused.merge(answer.code(), 1L, Long::sum);
            case UNKNOWN -> {
                counts.attemptsUnknown.merge(answer.code(), 1L, Long::sum);
                put.maybeStored = true;
                if (answer.code().equals(PutAnswer.MALFORMED)) {
                    String gateway = books.gateways.get(attempt.gateway());
                    wrong(Rule.UNDERSTOOD, put, "was not answered by %s with an answer to it".formatted(gateway));
                }
            }
        }
    }

    private PutState stateOf(Put put) {
        while (puts.size() <= put.writer()) {
            puts.add(new ArrayList<>());
        }
        List<@Nullable PutState> ofWriter = puts.get(put.writer());
        while (ofWriter.size() <= put.number()) {
            ofWriter.add(null);
        }
        PutState known = ofWriter.get(put.number());
        if (known != null) {
            return known;
        }
        PutState state = new PutState(put);
        ofWriter.set(put.number(), state);
        return state;
    }

    private void takeStored(PutState put, Attempt attempt) {
        PutAnswer answer = attempt.answer();
        counts.repeats += answer.repeat() ? 1 : 0;
        if (!put.isAcknowledged()) {
            if (answer.repeat() && !put.maybeStored) {
                wrong(Rule.REPEAT_IS_MARKED, put, "was answered as a repeat, and nothing had stored it before");
            }
            put.acknowledgedNanos = attempt.endNanos();
            put.acknowledgedAt = answer.firstOffset();
        } else if (answer.firstOffset() != put.acknowledgedAt) {
            wrong(
                    Rule.REPEAT_IS_MARKED,
                    put,
                    "was acknowledged at offset %d, and its repeat at offset %d"
                            .formatted(put.acknowledgedAt, answer.firstOffset()));
        } else if (!answer.repeat()) {
            wrong(Rule.REPEAT_IS_MARKED, put, "was acknowledged twice, and the second time not as a repeat");
        }
    }

    private void find(int partition, Ledger ledger) {
        @Nullable PutState latestStarted = null;
        Map<Integer, Integer> lastOfWriter = new HashMap<>();
        for (long offset = ledger.start(); offset < ledger.end(); offset++) {
            MessageId message = ledger.at(offset);
            if (message == null) {
                books.violations.add(
                        Rule.DENSE,
                        "partition %d has no message at offset %d, and its end is %d"
                                .formatted(partition, offset, ledger.end()));
                continue;
            }
            PutState put = found(partition, offset, message);
            if (put == null || message.index() > 0) {
                continue;
            }
            if (latestStarted != null
                    && put.isAcknowledged()
                    && put.acknowledgedNanos < latestStarted.firstStartNanos) {
                wrong(
                        Rule.REAL_TIME,
                        put,
                        "at offset %d was acknowledged at %.3f s, and before it is %s, which began at %.3f s"
                                .formatted(
                                        offset,
                                        seconds(put.acknowledgedNanos),
                                        MessageId.of(latestStarted.writer, latestStarted.number, 0),
                                        seconds(latestStarted.firstStartNanos)));
            }
            if (latestStarted == null || put.firstStartNanos > latestStarted.firstStartNanos) {
                latestStarted = put;
            }
            if (put.isAcknowledged() && waitsForEachAnswer.test(put.writer)) {
                Integer last = lastOfWriter.put(put.writer, put.number);
                if (last != null && put.number < last) {
                    wrong(
                            Rule.ORDER_OF_WRITER,
                            put,
                            "is at offset %d, behind the writer's put %d".formatted(offset, last));
                }
            }
        }
    }

    /** Counts a message for its put; null if it is not one of a put to this partition. */
    private @Nullable PutState found(int partition, long offset, MessageId found) {
        if (found.isForeign()) {
            books.violations.add(
                    Rule.NOTHING_ELSE,
                    "partition %d has a message at offset %d that nobody put".formatted(partition, offset));
            return null;
        }
        MessageId message = found.original();
        if (found.isChanged()) {
            wrong(
                    Rule.UNCHANGED,
                    message,
                    "is at offset %d of partition %d with other bytes than were put".formatted(offset, partition));
        }
        PutState put = putOf(message);
        if (put == null || put.partition != partition || message.index() >= put.count) {
            wrong(
                    Rule.NOTHING_ELSE,
                    message,
                    "is at offset %d of partition %d, where it was never put".formatted(offset, partition));
            return null;
        }
        long first = offset - message.index();
        if (put.foundAt == PutState.NONE) {
            put.foundAt = first;
        }
        if (put.foundAt == first) {
            put.found++;
        } else {
            wrong(
                    Rule.STORED_ONCE,
                    message,
                    "of partition %d is at offset %d, and the put is at offset %d already"
                            .formatted(partition, offset, put.foundAt));
        }
        return put;
    }

    private @Nullable PutState putOf(MessageId message) {
        boolean known = message.writer() < puts.size()
                && message.number() < puts.get(message.writer()).size();
        return known ? puts.get(message.writer()).get(message.number()) : null;
    }

    private void judge(PutState put) {
        boolean isThere = put.found > 0;
        Ledger ledger = books.ledgers.get(put.partition);
        boolean isExpired =
                isThere ? put.foundAt < ledger.start() : put.isAcknowledged() && put.acknowledgedAt < ledger.start();
        if (put.isAcknowledged()) {
            counts.puts++;
            counts.messages += put.count;
            counts.expired += isExpired ? put.count : 0;
        }
        if (isExpired) {
            return;
        }
        if (isThere && put.found != put.count) {
            wrong(
                    Rule.STORED_ONCE,
                    put,
                    "is stored in part: %d of its %d messages, at offset %d"
                            .formatted(put.found, put.count, put.foundAt));
        }
        if (put.isAcknowledged()) {
            if (!isThere || put.foundAt != put.acknowledgedAt) {
                wrong(
                        Rule.ACKNOWLEDGED_IS_THERE,
                        put,
                        "was acknowledged at offset %d; %s"
                                .formatted(
                                        put.acknowledgedAt,
                                        isThere
                                                ? "it is at offset " + put.foundAt
                                                : "it is nowhere, and there is "
                                                        + describe(ledger, put.acknowledgedAt)));
            }
        } else if (put.maybeStored) {
            counts.unknownStored += isThere ? 1 : 0;
            counts.unknownNotStored += isThere ? 0 : 1;
        } else {
            counts.putsRefused++;
            if (isThere) {
                wrong(
                        Rule.NOT_STORED_IS_NOT_THERE,
                        put,
                        "was answered with 'not stored' each time, and is at offset %d".formatted(put.foundAt));
            }
        }
    }

    private static String describe(Ledger ledger, long offset) {
        MessageId found = ledger.at(offset);
        return found != null ? found.toString() : "nothing, with the partition's end at " + ledger.end();
    }

    private void wrong(Rule rule, PutState put, String what) {
        books.violations.add(
                rule, put + " " + what, () -> books.attempts.describe(put.writer, put.number, books.gateways));
    }

    private void wrong(Rule rule, MessageId message, String what) {
        books.violations.add(
                rule,
                message + " " + what,
                () -> books.attempts.describe(message.writer(), message.number(), books.gateways));
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
