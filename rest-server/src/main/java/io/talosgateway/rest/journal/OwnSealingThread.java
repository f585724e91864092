package io.talosgateway.rest.journal;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread. */
public final class OwnSealingThread implements SealingThread {

    private static final Logger log = LoggerFactory.getLogger(OwnSealingThread.class);
    private static final long PATIENCE_SECONDS = 30;

    private final ScheduledThreadPoolExecutor thread;

    public OwnSealingThread() {
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread sealer = new Thread(task, "journal-sealer");
            sealer.setDaemon(true);
            return sealer;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    @Override
    public void executeLater(Runnable task, long delayMs) {
        try {
            thread.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.warn("A file is left without a footer; the next start reads it through");
        }
    }

    @Override
    public void close() {
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
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            thread.shutdownNow();
        }
    }
}
