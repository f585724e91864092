package io.talosgateway.loadgen.pipeline;

import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class FlowTest {

    private static final long MS = 1_000_000;

    @Test
    void producerWaitsForTheAcknowledgementThatMakesRoom() throws InterruptedException {
        Flow flow = new Flow(2);
        flow.enter(2);
        CountDownLatch entered = new CountDownLatch(1);
        Thread producer = new Thread(() -> {
            try {
                flow.enter(1);
                entered.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        producer.start();
        while (producer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(entered.getCount()).isEqualTo(1);

        flow.acknowledge(MS);

        entered.await();
        producer.join();
    }

    @Test
    void messagesOfAFailedPutLeaveTheirRoom() throws InterruptedException {
        Flow flow = new Flow(3);
        flow.enter(3);

        flow.lost(3, "refused");
        flow.enter(3);

        assertThat(flow.firstError()).isEqualTo("refused");
        assertThat(flow.take().errors()).isEqualTo(1);
    }

    @Test
    void countsGoOnAndLatenciesAreOfTheTimeBetween() {
        Flow flow = new Flow(0);
        flow.stored(10, 5 * MS);
        flow.acknowledge(7 * MS);

        Flow.Taken first = flow.take();
        flow.stored(10, 50 * MS);
        Flow.Taken second = flow.take();

        assertThat(first.put()).isEqualTo(10);
        assertThat(first.consumed()).isEqualTo(1);
        assertThat(first.ages().getTotalCount()).isEqualTo(1);
        assertThat(second.put()).isEqualTo(20);
        assertThat(second.puts().getTotalCount()).isEqualTo(1);
        assertThat(second.ages().getTotalCount()).isZero();
    }
}
