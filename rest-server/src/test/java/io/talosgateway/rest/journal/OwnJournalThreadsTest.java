package io.talosgateway.rest.journal;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.google.common.util.concurrent.Uninterruptibles;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.journal.file.FilesAtOnce;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

final class OwnJournalThreadsTest {

    /** One that recovers the journal of another host, for example: it would never recover another. */
    @Test
    void whoeverWaitsForFilesIsToldWhenTheThreadsAreClosed() throws Exception {
        OwnJournalThreads threads = new OwnJournalThreads();
        CountDownLatch never = new CountDownLatch(1);
        ThreadPoolExecutor files = (ThreadPoolExecutor) threads.files();
        for (int thread = 0; thread < files.getCorePoolSize(); thread++) {
            files.execute(new FutureTask<>(() -> {
                never.await();
                return null;
            }));
        }
        CompletableFuture<IOException> told = new CompletableFuture<>();
        Thread waiting = new Thread(() -> told.complete(catchThrowableOfType(
                IOException.class, () -> new FilesAtOnce(files).each(List.of(1, 2), file -> file))));
        waiting.start();
        Await.asLongAs(() -> files.getQueue().size() < 2);

        threads.close();

        assertThat(told.get(120, TimeUnit.SECONDS)).hasMessageContaining("were closed");
    }

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
