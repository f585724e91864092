package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.client.Message;
import io.talosgateway.client.Messages;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What readers notice by themselves, and by comparing. */
final class FollowingTest {

    private final WrittenContent content = new WrittenContent(42, 100);
    private final RunRecord books =
            new RunRecord(new Namespace("topic", 1), 1, List.of("gateway-1"), new AttemptLog(10), 0);
    private final Ledger ledger = books.ledgers.get(0);
    private final Violations violations = books.violations;

    private Following reader(String name, boolean last) {
        return new Following(name, 0, last, false, content, books);
    }

    private static MessageId id(int number) {
        return MessageId.of(1, number, 0);
    }

    private GetAnswer answer(long from, long end, int... numbers) {
        List<Message> messages = new ArrayList<>();
        for (int number : numbers) {
            byte[] payload = content.bytes(id(number), 1);
            messages.add(new Message(from + messages.size(), null, payload, null, null, null));
        }
        return answer(messages, from + numbers.length, 0, end);
    }

    private static GetAnswer answer(List<Message> messages, long next, long start, long end) {
        return GetAnswer.of(new Messages("topic", 0, messages, next, start, end));
    }

    private GetAnswer answerFromFive(long end) {
        return answer(List.of(new Message(5, null, content.bytes(id(8), 1), null, null, null)), 6, 5, end);
    }

    private void assertOnly(Rule rule, String text) {
        assertThat(violations.counts()).containsOnlyKeys(rule);
        assertThat(violations.first().get(0).text()).isEqualTo(text);
    }

    @Test
    void readersThatSeeTheSameAreGood() {
        Following one = reader("one", false);
        Following two = reader("two", false);
        one.take(answer(0, 9, 7, 8));
        two.take(answer(0, 9, 7, 8, 9));
        one.take(answer(2, 9, 9));
        one.take(answer(3, 9));

        assertThat(one.next()).isEqualTo(new From(3));
        assertThat(ledger.at(2)).isEqualTo(id(9));
        assertThat(ledger.end()).isEqualTo(3);
        assertThat(violations.first()).isEmpty();
    }

    @Test
    void readersThatDifferAreFoundAtTheOffset() {
        reader("one", false).take(answer(0, 9, 7, 8, 9));
        reader("two", false).take(answer(0, 9, 7, 9, 9));

        assertOnly(
                Rule.ONE_ORDER,
                "at offset 1 of partition 0, two found message 0 of put 9 of writer 1, where message 0 of put 8 of writer 1 "
                        + "was before");
    }

    @Test
    void lastReadingIsWhatCounts() {
        reader("one", false).take(answer(0, 9, 7));
        reader("the last reader", true).take(answer(0, 9, 8));

        assertThat(violations.counts()).containsOnlyKeys(Rule.ONE_ORDER);
        assertThat(ledger.at(0)).isEqualTo(id(8));
    }

    @Test
    void messageThatIsGoneInTheEnd() {
        reader("one", false).take(answer(0, 9, 7, 8));
        Following last = reader("the last reader", true);
        last.take(answer(0, 1, 7));
        assertThat(last.isAtEnd(answer(0, 1, 7))).isFalse();
        assertThat(last.isAtEnd(answer(1, 1))).isTrue();
        assertThat(last.isAtEnd(answer(1, 2))).isFalse();
        last.endsHere();

        assertOnly(
                Rule.ONE_ORDER,
                "partition 0 ends at 1, and a reader has seen message 0 of put 8 of writer 1 at offset 1");
        assertThat(ledger.end()).isEqualTo(1);
        assertThat(ledger.at(1)).isNull();
    }

    @Test
    void offsetsWithAGap() {
        reader("one", false).take(answer(2, 9, 7));

        assertOnly(Rule.DENSE, "partition 0 has offset 2 where 0 should be, for one");
    }

    @Test
    void offsetsThatComeAgain() {
        Following one = reader("one", false);
        one.take(answer(0, 9, 7, 8));
        one.take(answer(1, 9, 8, 9));

        assertOnly(Rule.DENSE, "partition 0 has offset 1 where 2 should be, for one");
        assertThat(one.next()).isEqualTo(new From(3));
    }

    @Test
    void partitionThatDoesNotBeginAtZero() {
        reader("one", false).take(answer(List.of(), 0, 5, 9));

        assertOnly(Rule.DENSE, "partition 0 begins at offset 5 instead of 0, for one");
    }

    @Test
    void messagesThatExpireAreLeftOut() {
        Following one = new Following("one", 0, false, true, content, books);
        assertThat(one.next()).isEqualTo(From.EARLIEST);
        one.take(answer(0, 9, 7));
        assertThat(one.next()).isEqualTo(new From(1));
        assertThat(one.take(GetAnswer.failed("offset-out-of-range", ""))).isFalse();
        assertThat(one.next()).isEqualTo(From.EARLIEST);
        one.take(answerFromFive(9));
        Following last = new Following("the last reader", 0, true, true, content, books);
        last.take(answerFromFive(6));
        last.endsHere();

        assertThat(one.next()).isEqualTo(new From(6));
        assertThat(ledger.start()).isEqualTo(5);
        assertThat(ledger.end()).isEqualTo(6);
        assertThat(violations.first()).isEmpty();
    }

    @Test
    void answerThatIsNotUnderstood() {
        Following one = reader("one", false);
        one.take(answer(0, 9, 7, 8));

        assertThat(one.take(GetAnswer.failed(PutAnswer.MALFORMED, "HTTP status 502")))
                .isFalse();
        assertOnly(
                Rule.UNDERSTOOD,
                "one, which has read partition 0 up to offset 1, was answered with malformed-answer: HTTP status 502");
    }

    @Test
    void endThatGoesBack() {
        Following one = reader("one", false);
        one.take(answer(0, 9, 7, 8));
        one.take(answer(2, 1));

        assertOnly(Rule.DENSE, "partition 0 has offsets to 1, and the next is said to be 2, and the end 1, for one");
    }
}
