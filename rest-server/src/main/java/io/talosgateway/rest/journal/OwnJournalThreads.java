package io.talosgateway.rest.journal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread for each lane, one that seals, and a few for files, which end when there is nothing to do. */
public final class OwnJournalThreads implements JournalThreads {

    private static final Logger log = LoggerFactory.getLogger(OwnJournalThreads.class);
    private static final long PATIENCE_SECONDS = 30;
    private static final long INTERRUPTED_PATIENCE_SECONDS = 5;

    private static final int FILES_AT_ONCE = 8;
    private static final long IDLE_SECONDS = 10;

    private final Map<LaneCommitter, Thread> committers = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor thread;
    private final ThreadPoolExecutor files;

    public OwnJournalThreads() {
        this.thread = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "journal-sealer"));
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.files = new ThreadPoolExecutor(
                FILES_AT_ONCE,
                FILES_AT_ONCE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(task, "journal-files"));
        files.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void commit(LaneCommitter committer) {
        Thread committing = daemon(() -> run(committer), "lane-" + committer.name());
        committers.put(committer, committing);
        committing.start();
    }

    private static void run(LaneCommitter committer) {
        try {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = committer.step(Long.MAX_VALUE);
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            committer.ended(e);
        }
    }

    @Override
    public void awaitEnd(LaneCommitter committer) throws InterruptedException {
        Thread committing = committers.remove(committer);
        if (committing != null) {
            committing.join();
        }
    }

    @Override
    public void seal(Runnable task) {
        thread.execute(task);
    }

    @Override
    public void sealLater(Runnable task, long delayMs) {
        try {
            thread.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.warn("A file is left without a footer; the next start reads it through");
        }
    }

    @Override
    public Executor files() {
        return files;
    }

    @Override
    public void background(Runnable task) {
        files.execute(task);
    }

    @Override
    public void close() {
        for (Runnable dropped : files.shutdownNow()) {
            if (dropped instanceof Future<?> awaited) {
                awaited.cancel(false);
            }
        }
        int unsettled = thread.getQueue().size();
        thread.shutdown();
        if (thread.getQueue().size() < unsettled) {
            log.warn("Files are left without a footer; the next start reads them through");
        }
        try {
            if (!thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                log.warn(
                        "The sealer is still busy after {} s; the next start reads unsealed files through",
                        PATIENCE_SECONDS);
                thread.shutdownNow();
            }
            if (!files.awaitTermination(INTERRUPTED_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                log.warn(
                        "Files are still being read or made {} s after that was interrupted; the storage may hang",
                        INTERRUPTED_PATIENCE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            thread.shutdownNow();
        }
    }
}
