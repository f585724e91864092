package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

import com.google.common.base.Throwables;

/** Does the same with several files of a journal at the same time: each waits for the storage, and little else. */
public final class FilesAtOnce {

    private final Executor threads;

    public FilesAtOnce(Executor threads) {
        this.threads = threads;
    }

    public interface Work<F, T> {
        T on(F file) throws IOException;
    }

    /**
     * The results in the order of the files. Blocks.
     *
     * @throws IOException what was thrown for the first of the files with which it did not work
     */
    public <F, T> List<T> each(List<F> files, Work<F, T> work) throws IOException {
        List<FutureTask<T>> tasks = new ArrayList<>();
        try {
            for (F file : files) {
                FutureTask<T> task = new FutureTask<>(() -> work.on(file));
                tasks.add(task);
                threads.execute(task);
            }
            List<T> results = new ArrayList<>();
            for (FutureTask<T> task : tasks) {
                results.add(task.get());
            }
            return results;
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            Throwables.throwIfInstanceOf(cause, IOException.class);
            Throwables.throwIfUnchecked(cause);
            throw new IOException(cause);
        } catch (CancellationException | RejectedExecutionException e) {
            throw new IOException("The threads that work on the files of a journal were closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while working on the files of a journal", e);
        } finally {
            // Those that have not begun are not needed any more if one has failed.
            tasks.forEach(task -> task.cancel(false));
        }
    }
}
