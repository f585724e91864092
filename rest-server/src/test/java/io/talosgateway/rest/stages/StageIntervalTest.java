package io.talosgateway.rest.stages;

import java.util.List;

import io.talosgateway.rest.stages.StageInterval.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class StageIntervalTest {

    private static final long END = 100;

    private final Stages stages = new Stages(() -> 0);

    private void pass(Stage stage, long atNanos) {
        stages.stamp(stage, atNanos);
    }

    private List<StageInterval> ofPut() {
        return StageInterval.of(stages, false, END);
    }

    @Test
    void putIsReceivedQueuedWrittenAndSynced() {
        // Negative, as the clock may be; and 0.
        pass(Stage.RECEIVED, -10);
        pass(Stage.QUEUED, -5);
        pass(Stage.STARTED, 0);
        pass(Stage.WRITING, 20);
        pass(Stage.WRITTEN, 30);
        pass(Stage.SYNCED, 90);
        pass(Stage.ANSWERED, 95);

        assertThat(ofPut())
                .containsExactly(
                        new StageInterval(Kind.RECEIVE, -10, -5),
                        new StageInterval(Kind.QUEUE, -5, 1),
                        new StageInterval(Kind.LANE, 1, 30),
                        new StageInterval(Kind.SYNC, 30, 90),
                        new StageInterval(Kind.ANSWER, 90, END));
    }

    @Test
    void timeOfAPutThatFailsGoesWhereItWas() {
        pass(Stage.RECEIVED, 10);
        pass(Stage.QUEUED, 20);
        pass(Stage.ANSWERED, 99);

        assertThat(ofPut())
                .containsExactly(
                        new StageInterval(Kind.RECEIVE, 10, 20),
                        new StageInterval(Kind.QUEUE, 20, 99),
                        new StageInterval(Kind.ANSWER, 99, END));
    }

    @Test
    void getIsRead() {
        pass(Stage.RECEIVED, 10);
        pass(Stage.QUEUED, 20);
        pass(Stage.STARTED, 30);
        pass(Stage.READ, 40);

        assertThat(StageInterval.of(stages, true, END))
                .extracting(StageInterval::kind)
                .containsExactly(Kind.RECEIVE, Kind.QUEUE, Kind.READ, Kind.ANSWER);
    }

    @Test
    void forwardingIsOnePhase() {
        pass(Stage.RECEIVED, 10);
        pass(Stage.FORWARDED, 20);
        pass(Stage.RETURNED, 80);
        pass(Stage.ANSWERED, 90);

        assertThat(ofPut())
                .containsExactly(
                        new StageInterval(Kind.RECEIVE, 10, 20),
                        new StageInterval(Kind.FORWARD, 20, 80),
                        new StageInterval(Kind.ANSWER, 80, END));
    }

    /** Its partition moved away while it was queued. */
    @Test
    void phasesAreInTheOrderInWhichTheyWere() {
        pass(Stage.RECEIVED, 10);
        pass(Stage.QUEUED, 20);
        pass(Stage.FORWARDED, 50);
        pass(Stage.RETURNED, 80);

        assertThat(ofPut())
                .extracting(StageInterval::kind)
                .containsExactly(Kind.RECEIVE, Kind.QUEUE, Kind.FORWARD, Kind.ANSWER);
    }

    @Test
    void nothingIsSaidOfARequestWhoseWayIsNotKnown() {
        assertThat(ofPut()).isEmpty();
        pass(Stage.RECEIVED, 10);
        assertThat(ofPut()).isEmpty();
        pass(Stage.ANSWERED, 90);
        assertThat(ofPut()).isEmpty();
    }
}
