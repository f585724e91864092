package io.talosgateway.loadgen.run;

import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.plan.Plans;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class QueueFlowTest {

    private static final long MS = 1_000_000;

    private final KindRecorder puts = new KindRecorder();
    private final KindRecorder takes = new KindRecorder();

    private QueueFlow flow(int batch, int window) {
        return new QueueFlow(
                Plans.content(Format.JSON, "100B", batch, MessageCompression.NONE, 0), window, puts, takes);
    }

    @Test
    void producerWaitsForTheAcknowledgementThatMakesRoom() throws InterruptedException {
        QueueFlow flow = flow(1, 2);
        assertThat(flow.enter(true)).isTrue();
        assertThat(flow.enter(true)).isTrue();
        assertThat(flow.enter(true)).isFalse();

        flow.acknowledge(true, MS);

        assertThat(flow.enter(true)).isTrue();
    }

    @Test
    void messagesOfAFailedPutLeaveTheirRoom() throws InterruptedException {
        QueueFlow flow = flow(3, 3);
        assertThat(flow.enter(true)).isTrue();

        flow.lost(true, "refused");

        assertThat(flow.enter(true)).isTrue();
        assertThat(puts.take().errors())
                .singleElement()
                .extracting(Tally.ErrorCount::detail)
                .isEqualTo("refused");
    }

    @Test
    void queueOfTheWarmUpIsShortAndDrainedBeforeMessagesCount() throws InterruptedException {
        QueueFlow flow = flow(50, 0);
        assertThat(flow.enter(false)).isTrue();
        assertThat(flow.enter(false)).isFalse();
        for (int message = 0; message < 49; message++) {
            flow.acknowledge(false, MS);
        }
        assertThat(flow.isDrained()).isFalse();

        flow.acknowledge(false, MS);

        assertThat(flow.isDrained()).isTrue();
        assertThat(flow.enter(true)).isTrue();
        assertThat(takes.take().messages()).isZero();
        assertThat(takes.answered()).isEqualTo(50);
    }

    @Test
    void putsAndMessagesAreCountedAndTimed() {
        QueueFlow flow = flow(10, 0);

        flow.stored(true, 5 * MS);
        flow.acknowledge(true, 7 * MS);
        flow.failed("gone");

        Tally put = puts.take();
        assertThat(put.messages()).isEqualTo(10);
        assertThat(put.bytes()).isEqualTo(1_000);
        assertThat(put.latency().getTotalCount()).isEqualTo(1);
        Tally taken = takes.take();
        assertThat(taken.messages()).isEqualTo(1);
        assertThat(taken.latency().getMaxValue()).isBetween(7 * MS, 8 * MS);
        assertThat(taken.failed()).isEqualTo(1);
    }
}
