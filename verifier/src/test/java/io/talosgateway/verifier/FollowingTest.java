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
    private final Ledger ledger = new Ledger(1);
    private final Violations violations = new Violations();

    private Following reader(String name, boolean last) {
        return new Following(name, 0, last, false, content, ledger, violations);
    }

    private static MessageId id(int number) {
        return new MessageId(1, number, 0);
    }

    private Messages answer(long from, long end, int... numbers) {
        List<Message> messages = new ArrayList<>();
        for (int number : numbers) {
            byte[] payload = content.bytes(id(number), 1);
            messages.add(new Message(from + messages.size(), null, payload, null, null, null));
        }
        return new Messages("topic", 0, messages, from + numbers.length, 0, end);
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

        assertThat(one.nextOffset()).isEqualTo(3);
        assertThat(ledger.at(0, 2)).isEqualTo(ObservedMessage.of(id(9)));
        assertThat(ledger.end(0)).isEqualTo(3);
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
        assertThat(ledger.at(0, 0)).isEqualTo(ObservedMessage.of(id(8)));
    }

    @Test
    void messageThatIsGoneInTheEnd() {
        reader("one", false).take(answer(0, 9, 7, 8));
        Following last = reader("the last reader", true);
        last.take(answer(0, 1, 7));
        last.endsHere();

        assertOnly(
                Rule.ONE_ORDER,
                "partition 0 ends at 1, and a reader has seen message 0 of put 8 of writer 1 at offset 1");
        assertThat(ledger.end(0)).isEqualTo(1);
        assertThat(ledger.at(0, 1)).isNull();
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
        assertThat(one.nextOffset()).isEqualTo(3);
    }

    @Test
    void partitionThatDoesNotBeginAtZero() {
        reader("one", false).take(new Messages("topic", 0, List.of(), 0, 5, 9L));

        assertOnly(Rule.DENSE, "partition 0 begins at offset 5 instead of 0, for one");
    }

    @Test
    void messagesThatExpireAreLeftOut() {
        Following one = new Following("one", 0, false, true, content, ledger, violations);
        one.takeEarliest(answer(0, 9, 7));
        one.takeEarliest(new Messages("topic", 0, answer(5, 9, 8).messages(), 6, 5, 9L));
        Following last = new Following("the last reader", 0, true, true, content, ledger, violations);
        last.takeEarliest(new Messages("topic", 0, answer(5, 6, 8).messages(), 6, 5, 6L));
        last.endsHere();

        assertThat(one.nextOffset()).isEqualTo(6);
        assertThat(ledger.start(0)).isEqualTo(5);
        assertThat(ledger.end(0)).isEqualTo(6);
        assertThat(violations.first()).isEmpty();
    }

    @Test
    void endThatGoesBack() {
        Following one = reader("one", false);
        one.take(answer(0, 9, 7, 8));
        one.take(answer(2, 1));

        assertOnly(Rule.DENSE, "partition 0 has offsets to 1, and the next is said to be 2, and the end 1, for one");
    }
}
