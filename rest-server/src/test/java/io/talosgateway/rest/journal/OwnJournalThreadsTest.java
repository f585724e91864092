package io.talosgateway.rest.journal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.google.common.util.concurrent.Uninterruptibles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

final class OwnJournalThreadsTest {

    /** Whoever deletes the directory after it must not meet a file that is just being made. */
    @Test
    void nothingOfTheJournalRunsOnAfterItsClose() throws Exception {
        OwnJournalThreads threads = new OwnJournalThreads();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch storageAnswers = new CountDownLatch(1);
        threads.background(() -> {
            running.countDown();
            Uninterruptibles.awaitUninterruptibly(storageAnswers);
        });
        running.await();

        CompletableFuture<Void> closed = CompletableFuture.runAsync(threads::close);

        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> closed.get(200, TimeUnit.MILLISECONDS));
        storageAnswers.countDown();
        closed.get(120, TimeUnit.SECONDS);
    }
}
