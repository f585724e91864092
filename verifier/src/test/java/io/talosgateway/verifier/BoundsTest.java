package io.talosgateway.verifier;

import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.talosgateway.client.Message;
import io.talosgateway.client.Messages;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What gets may not be told, after what was acknowledged or told before they began. */
final class BoundsTest {

    private static final int KEPT = 0;
    private static final int EXPIRING = 1;
    private static final int PUT_BY = 0;
    private static final int ASKED = 1;

    private final Violations violations = new Violations();
    private final Bounds bounds =
            new Bounds(2, partition -> partition == EXPIRING, List.of("gateway-1", "gateway-2"), violations);

    private void acknowledged(int partition, long firstOffset, int count) {
        bounds.attempted(new Attempt(
                new Put(3, 7, partition, count, true),
                PUT_BY,
                0,
                1_000_000_000L,
                100,
                PutAnswer.stored("disk", firstOffset, false)));
    }

    private static Get get(int partition, From from, GetAnswer answer) {
        return new Get(partition, from, ASKED, 2_000_000_000L, 2_500_000_000L, 100, answer);
    }

    /** A get that begins and is answered now. */
    private void told(int partition, From from, GetAnswer answer) {
        bounds.told(get(partition, from, answer), bounds.known(partition));
    }

    private static GetAnswer outOfRange() {
        return GetAnswer.failed("offset-out-of-range", "");
    }

    private static GetAnswer messages(long from, int count, long start, long end) {
        List<Message> messages = Collections.nCopies(count, new Message(from, null, new byte[0], null, null, null));
        return GetAnswer.of(new Messages("topic", 0, messages, from + count, start, end));
    }

    private void assertOnly(Rule rule, String text) {
        assertThat(violations.counts()).isEqualTo(Map.of(rule, 1L));
        assertThat(violations.first().get(0).text()).contains(text);
    }

    @Test
    void getsThatAreToldTheTruth() {
        told(KEPT, new From(0), messages(0, 0, 0, 0));
        acknowledged(KEPT, 0, 2);
        told(KEPT, new From(0), messages(0, 1, 0, 2));
        told(KEPT, new From(2), messages(2, 0, 0, 2));
        told(KEPT, new From(3), outOfRange());
        told(KEPT, From.LATEST, messages(4, 0, 0, 4));
        told(KEPT, From.EARLIEST, messages(0, 3, 0, 4));
        told(KEPT, new From(0), GetAnswer.failed("partition-not-serving", ""));
        told(EXPIRING, From.EARLIEST, messages(5, 1, 5, 6));
        told(EXPIRING, new From(4), outOfRange());

        assertThat(violations.first()).isEmpty();
    }

    @Test
    void whatIsAcknowledgedWhileAGetIsUnderWayNeedNotBeSeen() {
        Bounds.Known before = bounds.known(KEPT);
        acknowledged(KEPT, 0, 2);
        bounds.told(get(KEPT, new From(0), messages(0, 0, 0, 0)), before);

        assertThat(violations.first()).isEmpty();
    }

    @Test
    void endIsBeforeAnAcknowledgedPut() {
        acknowledged(KEPT, 5, 2);
        told(KEPT, new From(3), messages(3, 3, 0, 6));

        assertOnly(
                Rule.ACKNOWLEDGED_IS_SEEN,
                "a get of partition 0 from 3, sent to gateway-2 at 2.000 s, was told at 2.500 s that the partition ends at 6; "
                        + "before it was sent, gateway-1 acknowledged put 7 of writer 3 to partition 0 at offset 5 at 1.000 s");
    }

    @Test
    void latestIsBeforeAnAcknowledgedPut() {
        acknowledged(KEPT, 5, 2);
        told(KEPT, From.LATEST, messages(6, 0, 0, 7));

        assertOnly(Rule.ACKNOWLEDGED_IS_SEEN, "from latest, sent to gateway-2");
    }

    @Test
    void answerIsEmptyBelowTheEnd() {
        acknowledged(KEPT, 5, 2);
        told(KEPT, new From(6), messages(6, 0, 0, 7));

        assertOnly(Rule.ACKNOWLEDGED_IS_SEEN, "that there are no messages");
    }

    @Test
    void acknowledgedOffsetIsOutOfRange() {
        acknowledged(KEPT, 5, 2);
        told(KEPT, new From(7), outOfRange());

        assertOnly(Rule.ACKNOWLEDGED_IS_SEEN, "that its offset is out of range");
    }

    @Test
    void endFallsForAnotherReader() {
        told(KEPT, From.LATEST, messages(8, 0, 0, 8));
        told(KEPT, From.LATEST, messages(7, 0, 0, 7));

        assertOnly(
                Rule.BOUNDS_NEVER_FALL,
                "that the partition ends at 7; before it was sent, gateway-2 said at 2.500 s that the partition begins at 0 and "
                        + "ends at 8");
    }

    @Test
    void startFalls() {
        told(EXPIRING, From.EARLIEST, messages(5, 1, 5, 6));
        told(EXPIRING, From.EARLIEST, messages(4, 2, 4, 6));

        assertOnly(Rule.BOUNDS_NEVER_FALL, "that the partition begins at 4");
    }

    @Test
    void messageComesBackAfterItsOffsetWasOutOfRange() {
        acknowledged(EXPIRING, 5, 2);
        told(EXPIRING, new From(5), outOfRange());
        told(EXPIRING, From.EARLIEST, messages(5, 2, 5, 7));

        assertOnly(Rule.BOUNDS_NEVER_FALL, "that its offset is out of range");
    }
}
