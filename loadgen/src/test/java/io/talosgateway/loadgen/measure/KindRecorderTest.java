package io.talosgateway.loadgen.measure;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class KindRecorderTest {

    @Test
    void nothingIsLostOrCountedTwiceWhileItIsTaken() throws Exception {
        KindRecorder recorder = new KindRecorder();
        int workers = 4;
        int each = 20_000;
        List<Thread> threads = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            threads.add(new Thread(() -> {
                for (int number = 0; number < each; number++) {
                    recorder.answered(true, 1_000_000, number % 2, 3);
                    recorder.failed(503, "overloaded", "Too much.");
                }
            }));
        }
        Tally total = new Tally();

        threads.forEach(Thread::start);
        while (threads.stream().anyMatch(Thread::isAlive)) {
            total = total.plus(recorder.take());
        }
        for (Thread thread : threads) {
            thread.join();
        }
        total = total.plus(recorder.take());

        long all = (long) workers * each;
        assertThat(total.latency().getTotalCount()).isEqualTo(all);
        assertThat(total.bytes()).isEqualTo(3 * all);
        assertThat(total.messages()).isEqualTo(all / 2);
        assertThat(total.empty()).isEqualTo(all / 2);
        assertThat(total.failed()).isEqualTo(all);
        assertThat(recorder.answered()).isEqualTo(all);
        assertThat(recorder.take().latency().getTotalCount()).isZero();
    }
}
