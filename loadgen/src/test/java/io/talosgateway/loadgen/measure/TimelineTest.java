package io.talosgateway.loadgen.measure;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class TimelineTest {

    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;
    private static final long START = 77 * SECOND;

    private final KindRecorder puts = new KindRecorder();
    private final Timeline timeline = new Timeline();

    private Map<Kind, Tally> taken() {
        return Map.of(Kind.PUT, puts.take());
    }

    private void put(int count, long ms) {
        for (int number = 0; number < count; number++) {
            puts.answered(true, ms * MS, 1, 10);
        }
    }

    @Test
    void requestsBelongToTheSecondInWhichTheyWereAnswered() {
        timeline.begin(taken(), START);
        put(3, 5);
        timeline.second(taken(), START + SECOND);
        put(1, 70);
        timeline.second(taken(), START + 2 * SECOND);
        timeline.end(taken(), START + 3 * SECOND);

        assertThat(timeline.seconds()).extracting(Second::atSeconds).containsExactly(0.0, 1.0, 2.0);
        KindSecond first = timeline.seconds().get(0).put();
        KindSecond second = timeline.seconds().get(1).put();
        assertThat(first.count()).isEqualTo(3);
        assertThat(first.bytes()).isEqualTo(30);
        assertThat(first.p99Ms()).isCloseTo(5, within(0.01));
        assertThat(second.maxMs()).isCloseTo(70, within(0.1));
        assertThat(timeline.seconds().get(2).put().count()).isZero();
        assertThat(timeline.seconds().get(0).get()).isNull();
        assertThat(timeline.total(Kind.PUT).latency().getTotalCount()).isEqualTo(4);
    }

    @Test
    void shortRestBelongsToTheLastSecondAndItsRateIsOfBoth() {
        timeline.begin(taken(), START);
        timeline.second(taken(), START + SECOND);
        put(10, 1);
        timeline.second(taken(), START + 2 * SECOND);
        put(2, 400);
        timeline.end(taken(), START + 2 * SECOND + 200 * MS);

        assertThat(timeline.seconds()).hasSize(2);
        Second last = timeline.seconds().get(1);
        assertThat(last.atSeconds()).isEqualTo(1);
        assertThat(last.seconds()).isEqualTo(1.2);
        assertThat(last.put().count()).isEqualTo(12);
        assertThat(last.put().perSecond()).isEqualTo(10);
        assertThat(last.put().maxMs()).isCloseTo(400, within(1.0));
        assertThat(timeline.total(Kind.PUT).latency().getTotalCount()).isEqualTo(12);
    }

    @Test
    void whatCountsBeforeTheWarmUpIsTakenBelongsToTheFirstSecond() {
        put(2, 1);
        timeline.begin(taken(), START);
        put(3, 1);
        timeline.second(taken(), START + SECOND);

        assertThat(timeline.seconds().get(0).put().count()).isEqualTo(5);
        assertThat(timeline.total(Kind.PUT).latency().getTotalCount()).isEqualTo(5);
    }

    @Test
    void answersAfterTheEndBelongToTheLastSecond() {
        timeline.begin(taken(), START);
        timeline.second(taken(), START + SECOND);
        put(10, 1);
        timeline.end(taken(), START + SECOND - MS);

        assertThat(timeline.seconds()).hasSize(1);
        assertThat(timeline.seconds().get(0).seconds()).isEqualTo(1);
        assertThat(timeline.seconds().get(0).put().count()).isEqualTo(10);
    }

    @Test
    void runThatIsCutShortHasOneSecondHoweverShort() {
        timeline.begin(taken(), START);
        put(2, 1);
        timeline.end(taken(), START + 100 * MS);

        assertThat(timeline.seconds()).hasSize(1);
        assertThat(timeline.seconds().get(0).put().perSecond()).isEqualTo(20);
    }

    @Test
    void errorsOfTheWarmUpCountInAllAndInNoSecond() {
        puts.failed(0, "not-connected", "refused");
        timeline.begin(taken(), START);
        puts.failed(503, "overloaded", "Too much.");
        puts.failed(503, "overloaded", "Too much.");
        timeline.second(taken(), START + SECOND);
        timeline.end(taken(), START + 2 * SECOND);

        assertThat(timeline.seconds().get(0).put().errors()).isEqualTo(Map.of("503 overloaded", 2L));
        assertThat(timeline.seconds().get(1).put().errors()).isEmpty();
        assertThat(timeline.total(Kind.PUT).failed()).isEqualTo(3);
    }
}
