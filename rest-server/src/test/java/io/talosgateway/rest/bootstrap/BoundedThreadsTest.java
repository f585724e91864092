package io.talosgateway.rest.bootstrap;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import com.google.common.util.concurrent.Uninterruptibles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

final class BoundedThreadsTest {

    @Test
    void whatFindsTheQueueFullIsRunByWhoeverHandsItOver() throws Exception {
        BoundedThreads threads = new BoundedThreads("answer", 1, 2);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        threads.execute(() -> {
            running.countDown();
            Uninterruptibles.awaitUninterruptibly(gate);
        });
        running.await();
        CompletableFuture<String> first = CompletableFuture.supplyAsync(BoundedThreadsTest::thread, threads);
        CompletableFuture<String> second = CompletableFuture.supplyAsync(BoundedThreadsTest::thread, threads);
        assertThat(threads.waiting()).isEqualTo(2);

        CompletableFuture<String> third = CompletableFuture.supplyAsync(BoundedThreadsTest::thread, threads);

        assertThat(third).isCompletedWithValue(thread());
        assertThat(threads.waiting()).isEqualTo(2);
        gate.countDown();
        assertThat(first.get()).isEqualTo("answer-0");
        assertThat(second.get()).isEqualTo("answer-0");
        threads.shutdown();
        assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> threads.execute(() -> {}));
    }

    private static String thread() {
        return Thread.currentThread().getName();
    }
}
