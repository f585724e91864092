package io.talosgateway.rest.http.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class StreamStepsTest {

    private final StreamSteps steps = new StreamSteps();

    /** Inside, a stream that is read from memory would overflow the stack. */
    @Test
    void aStepOfAStepRunsAfterIt() {
        List<Integer> order = new ArrayList<>();
        steps.run(() -> {
            steps.run(() -> order.add(2));
            order.add(1);
        });
        assertThat(order).containsExactly(1, 2);
        int[] count = new int[1];
        Runnable[] next = new Runnable[1];
        next[0] = () -> {
            if (++count[0] < 1_000_000) {
                steps.run(next[0]);
            }
        };
        steps.run(next[0]);
        assertThat(count[0]).isEqualTo(1_000_000);
    }

    @Test
    void stepsOfSeveralThreadsRunOneAfterAnother() throws Exception {
        int[] unguarded = new int[1];
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            Thread thread = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int index = 0; index < 50_000; index++) {
                    steps.run(() -> unguarded[0]++);
                }
            });
            threads.add(thread);
            thread.start();
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(unguarded[0]).isEqualTo(200_000);
    }
}
