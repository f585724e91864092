package io.talosgateway.verifier;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A history in which all is well, and one that breaks each rule. */
final class CheckTest {

    private static final int TIMEOUT_MS = 1_000;
    private static final int ORDERED = 0;
    private static final int OTHER = 1;
    private static final int GATEWAY = 0;

    private final RunRecord books =
            new RunRecord(new Namespace("topic", 2), 2, List.of("gateway-1"), new AttemptLog(1_000), 0);
    private final List<Ledger> ledgers = books.ledgers;
    private final Violations violations = books.violations;
    /** Each attempt begins when the one before has ended, and takes 10 ms, unless a test says otherwise. */
    private long nowMs;

    private void attempt(int writer, int number, int count, long startMs, long endMs, PutAnswer answer) {
        books.attempts.add(new Attempt(
                new Put(writer, number, 0, count, true),
                GATEWAY,
                TimeUnit.MILLISECONDS.toNanos(startMs),
                TimeUnit.MILLISECONDS.toNanos(endMs),
                TIMEOUT_MS,
                answer));
        nowMs = endMs + 1;
    }

    private void attempt(int writer, int number, PutAnswer answer) {
        attempt(writer, number, 1, nowMs, nowMs + 10, answer);
    }

    private static PutAnswer stored(long offset) {
        return PutAnswer.stored("disk", offset, false);
    }

    private static PutAnswer repeat(long offset) {
        return PutAnswer.stored("disk", offset, true);
    }

    private static PutAnswer refused() {
        return PutAnswer.none(Outcome.NOT_STORED, "overloaded");
    }

    private static PutAnswer unknown() {
        return PutAnswer.none(Outcome.UNKNOWN, "outcome-unknown");
    }

    /** Puts messages into partition 0, in this order. */
    private void isThere(MessageId... messages) {
        for (int offset = 0; offset < messages.length; offset++) {
            ledgers.get(0).see(offset, messages[offset], true);
        }
    }

    private static MessageId message(int writer, int number, int index) {
        return MessageId.of(writer, number, index);
    }

    private static MessageId message(int writer, int number) {
        return message(writer, number, 0);
    }

    private Counts check() {
        return new Check(books, writer -> writer == ORDERED).run();
    }

    private void assertOnly(Rule rule, String text) {
        check();
        assertThat(violations.counts()).containsOnlyKeys(rule);
        assertThat(violations.first().get(0).text()).contains(text);
    }

    private void assertGood() {
        check();
        assertThat(violations.first()).isEmpty();
    }

    @Test
    void honestHistoryIsGoodAndCounted() {
        attempt(ORDERED, 0, 2, 0, 10, stored(0));
        attempt(ORDERED, 1, unknown());
        attempt(ORDERED, 1, repeat(2));
        attempt(ORDERED, 1, repeat(2));
        attempt(OTHER, 0, refused());
        attempt(OTHER, 0, refused());
        attempt(OTHER, 1, refused());
        attempt(OTHER, 1, stored(3));
        attempt(OTHER, 2, unknown());
        attempt(OTHER, 3, unknown());
        attempt(OTHER, 3, refused());
        isThere(
                message(ORDERED, 0, 0),
                message(ORDERED, 0, 1),
                message(ORDERED, 1),
                message(OTHER, 1),
                message(OTHER, 3));

        Counts counts = check();

        assertThat(violations.first()).isEmpty();
        assertThat(counts.attempts).isEqualTo(11);
        assertThat(counts.puts).isEqualTo(3);
        assertThat(counts.messages).isEqualTo(4);
        assertThat(counts.repeats).isEqualTo(2);
        assertThat(counts.attemptsRefused).containsOnlyKeys("overloaded");
        assertThat(counts.refused()).isEqualTo(4);
        assertThat(counts.unknown()).isEqualTo(3);
        assertThat(counts.putsRefused).isEqualTo(1);
        assertThat(counts.unknownStored).isEqualTo(1);
        assertThat(counts.unknownNotStored).isEqualTo(1);
        assertThat(counts.stored).isEqualTo(5);
        assertThat(counts.latestMs).isZero();
    }

    // --- acknowledged-is-there ---

    @Test
    void acknowledgedMessageIsLostAtTheEnd() {
        attempt(OTHER, 0, stored(0));

        assertOnly(
                Rule.ACKNOWLEDGED_IS_THERE,
                "put 0 of writer 1 to partition 0 was acknowledged at offset 0; it is nowhere, and there is nothing, with "
                        + "the partition's end at 0");
    }

    @Test
    void acknowledgedMessageIsReplacedByAnother() {
        attempt(OTHER, 0, stored(0));
        attempt(OTHER, 1, unknown());
        isThere(message(OTHER, 1));

        assertOnly(Rule.ACKNOWLEDGED_IS_THERE, "it is nowhere, and there is message 0 of put 1 of writer 1");
    }

    @Test
    void acknowledgedMessageIsAtAnotherOffset() {
        // Overlapping, so that only the offset is wrong.
        attempt(OTHER, 0, 1, 0, 10, stored(0));
        attempt(OTHER, 1, 1, 5, 20, unknown());
        isThere(message(OTHER, 1), message(OTHER, 0));

        assertOnly(Rule.ACKNOWLEDGED_IS_THERE, "was acknowledged at offset 0; it is at offset 1");
    }

    // --- stored-once ---

    @Test
    void messageIsStoredTwice() {
        attempt(OTHER, 0, stored(0));
        isThere(message(OTHER, 0), message(OTHER, 0));

        assertOnly(
                Rule.STORED_ONCE,
                "message 0 of put 0 of writer 1 of partition 0 is at offset 1, and the put is at offset 0");
    }

    @Test
    void putOfWhichNobodyKnowsIsStoredTwice() {
        attempt(OTHER, 0, unknown());
        attempt(OTHER, 0, unknown());
        isThere(message(OTHER, 0), message(OTHER, 0));

        assertOnly(Rule.STORED_ONCE, "is at offset 1");
    }

    @Test
    void putIsStoredInPart() {
        attempt(OTHER, 0, 3, 0, 10, unknown());
        isThere(message(OTHER, 0, 0), message(OTHER, 0, 1));

        assertOnly(Rule.STORED_ONCE, "is stored in part: 2 of its 3 messages, at offset 0");
    }

    @Test
    void putIsTorn() {
        attempt(OTHER, 0, 2, 0, 10, unknown());
        attempt(OTHER, 1, unknown());
        isThere(message(OTHER, 0, 0), message(OTHER, 1), message(OTHER, 0, 1));

        assertOnly(Rule.STORED_ONCE, "message 1 of put 0");
    }

    // --- the others ---

    @Test
    void bytesAreChanged() {
        attempt(OTHER, 0, stored(0));
        ledgers.get(0).see(0, message(OTHER, 0).changed(), true);

        assertOnly(Rule.UNCHANGED, "is at offset 0 of partition 0 with other bytes than were put");
    }

    @Test
    void offsetIsMissing() {
        attempt(OTHER, 0, stored(1));
        ledgers.get(0).see(1, message(OTHER, 0), true);

        assertOnly(Rule.DENSE, "partition 0 has no message at offset 0, and its end is 2");
    }

    @Test
    void refusedPutIsThere() {
        attempt(OTHER, 0, refused());
        attempt(OTHER, 0, PutAnswer.none(Outcome.NOT_STORED, PutAnswer.NOT_CONNECTED));
        isThere(message(OTHER, 0));

        assertOnly(Rule.NOT_STORED_IS_NOT_THERE, "was answered with 'not stored' each time, and is at offset 0");
    }

    @Test
    void refusedPutMayBeThereIfAnotherAttemptIsUnknown() {
        attempt(OTHER, 0, unknown());
        attempt(OTHER, 0, refused());
        isThere(message(OTHER, 0));

        assertGood();
    }

    @Test
    void repeatHasAnotherOffset() {
        attempt(OTHER, 0, stored(0));
        attempt(OTHER, 0, repeat(1));
        isThere(message(OTHER, 0));

        assertOnly(Rule.REPEAT_IS_MARKED, "was acknowledged at offset 0, and its repeat at offset 1");
    }

    @Test
    void repeatIsNotMarked() {
        attempt(OTHER, 0, stored(0));
        attempt(OTHER, 0, stored(0));
        isThere(message(OTHER, 0));

        assertOnly(Rule.REPEAT_IS_MARKED, "was acknowledged twice, and the second time not as a repeat");
    }

    @Test
    void repeatOfWhatWasRefused() {
        attempt(OTHER, 0, refused());
        attempt(OTHER, 0, repeat(0));
        isThere(message(OTHER, 0));

        assertOnly(Rule.REPEAT_IS_MARKED, "was answered as a repeat, and nothing had stored it before");
    }

    @Test
    void answerIsToSomethingElse() {
        attempt(OTHER, 0, PutAnswer.none(Outcome.UNKNOWN, PutAnswer.MALFORMED));

        assertOnly(Rule.UNDERSTOOD, "was not answered by gateway-1 with an answer to it");
    }

    @Test
    void messageOfSomebodyElse() {
        ledgers.get(0).see(0, MessageId.foreign(7), true);

        assertOnly(Rule.NOTHING_ELSE, "partition 0 has a message at offset 0 that nobody put");
    }

    @Test
    void messageOfAPutThatWasNeverMade() {
        attempt(OTHER, 1, refused());
        isThere(message(OTHER, 0));

        assertOnly(
                Rule.NOTHING_ELSE,
                "message 0 of put 0 of writer 1 is at offset 0 of partition 0, where it was never put");
    }

    @Test
    void messageOfAnotherPartition() {
        attempt(OTHER, 0, unknown());
        ledgers.get(1).see(0, message(OTHER, 0), true);

        assertOnly(Rule.NOTHING_ELSE, "is at offset 0 of partition 1, where it was never put");
    }

    @Test
    void messageMoreThanThePutHas() {
        attempt(OTHER, 0, unknown());
        isThere(message(OTHER, 0), message(OTHER, 0, 1));

        assertOnly(Rule.NOTHING_ELSE, "message 1 of put 0 of writer 1 is at offset 1");
    }

    @Test
    void putThatBeganLaterIsBeforeAnAcknowledgedOne() {
        attempt(OTHER, 0, 1, 0, 10, stored(1));
        attempt(OTHER, 1, 1, 11, 20, stored(0));
        isThere(message(OTHER, 1), message(OTHER, 0));

        assertOnly(
                Rule.REAL_TIME,
                "put 0 of writer 1 to partition 0 at offset 1 was acknowledged at 0.010 s, and before it is message 0 of put "
                        + "1 of writer 1, which began at 0.011 s");
    }

    @Test
    void putsThatOverlapMayBeInAnyOrder() {
        attempt(OTHER, 0, 1, 0, 10, stored(1));
        attempt(OTHER, 1, 1, 10, 20, stored(0));
        isThere(message(OTHER, 1), message(OTHER, 0));

        assertGood();
    }

    @Test
    void putThatBeganLaterOnlyAgainMayBeBefore() {
        attempt(OTHER, 1, 1, 0, 5, unknown());
        attempt(OTHER, 0, 1, 0, 10, stored(1));
        attempt(OTHER, 1, 1, 11, 20, repeat(0));
        isThere(message(OTHER, 1), message(OTHER, 0));

        assertGood();
    }

    @Test
    void writerThatWaitsFindsItsPutsInAnotherOrder() {
        // Overlapping, so that only the writer's order is wrong.
        attempt(ORDERED, 0, 1, 0, 10, stored(1));
        attempt(ORDERED, 1, 1, 5, 20, stored(0));
        isThere(message(ORDERED, 1), message(ORDERED, 0));

        assertOnly(Rule.ORDER_OF_WRITER, "put 0 of writer 0 to partition 0 is at offset 1, behind the writer's put 1");
    }
}
