package io.talosgateway.rest.stages;

import java.util.List;

import io.talosgateway.rest.stages.Phase.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PhaseTest {

    private static final long END = 100;

    private final Stages stages = new Stages(() -> 0);

    private void pass(Stage stage, long atNanos) {
        stages.stamp(stage, atNanos);
    }

    private List<Phase> ofPut() {
        return Phase.of(stages, false, END);
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
                        new Phase(Kind.RECEIVE, -10, -5),
                        new Phase(Kind.QUEUE, -5, 1),
                        new Phase(Kind.LANE, 1, 30),
                        new Phase(Kind.SYNC, 30, 90),
                        new Phase(Kind.ANSWER, 90, END));
    }

    @Test
    void timeOfAPutThatFailsGoesWhereItWas() {
        pass(Stage.RECEIVED, 10);
        pass(Stage.QUEUED, 20);
        pass(Stage.ANSWERED, 99);

        assertThat(ofPut())
                .containsExactly(
                        new Phase(Kind.RECEIVE, 10, 20),
                        new Phase(Kind.QUEUE, 20, 99),
                        new Phase(Kind.ANSWER, 99, END));
    }

    @Test
    void getIsRead() {
        pass(Stage.RECEIVED, 10);
        pass(Stage.QUEUED, 20);
        pass(Stage.STARTED, 30);
        pass(Stage.READ, 40);

        assertThat(Phase.of(stages, true, END))
                .extracting(Phase::kind)
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
                        new Phase(Kind.RECEIVE, 10, 20),
                        new Phase(Kind.FORWARD, 20, 80),
                        new Phase(Kind.ANSWER, 80, END));
    }

    /** Its partition moved away while it was queued. */
    @Test
    void phasesAreInTheOrderInWhichTheyWere() {
        pass(Stage.RECEIVED, 10);
        pass(Stage.QUEUED, 20);
        pass(Stage.FORWARDED, 50);
        pass(Stage.RETURNED, 80);

        assertThat(ofPut())
                .extracting(Phase::kind)
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
