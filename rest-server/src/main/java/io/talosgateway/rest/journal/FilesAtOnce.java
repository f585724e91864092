package io.talosgateway.rest.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import com.google.common.base.Throwables;

/** Does the same with several files of a journal at the same time: each waits for the storage, and little else. */
final class FilesAtOnce {

    private static final int THREADS = 8;

    private FilesAtOnce() {}

    interface Work<F, T> {
        T on(F file) throws IOException;
    }

    /**
     * The results in the order of the files. Blocks.
     *
     * @throws IOException what was thrown for the first of the files with which it did not work
     */
    static <F, T> List<T> each(List<F> files, Work<F, T> work) throws IOException {
        if (files.size() < 2) {
            List<T> results = new ArrayList<>();
            for (F file : files) {
                results.add(work.on(file));
            }
            return results;
        }
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(THREADS, files.size()));
        try {
            List<Future<T>> under = new ArrayList<>();
            for (F file : files) {
                under.add(threads.submit(() -> work.on(file)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : under) {
                results.add(one.get());
            }
            return results;
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            Throwables.throwIfInstanceOf(cause, IOException.class);
            Throwables.throwIfUnchecked(cause);
            throw new IOException(cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while working on the files of a journal", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
