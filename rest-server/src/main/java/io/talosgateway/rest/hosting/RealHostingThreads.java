package io.talosgateway.rest.hosting;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.OwnJournalThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread for changes and a few for what takes time. */
public final class RealHostingThreads implements HostingThreads {

    private static final Logger log = LoggerFactory.getLogger(RealHostingThreads.class);
    private static final int WORKERS = 4;

    private final ScheduledExecutorService changes;
    private final ExecutorService workers;

    public RealHostingThreads() {
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "hosting"));
        one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        changes = one;
        AtomicInteger number = new AtomicInteger();
        workers = Executors.newFixedThreadPool(WORKERS, task -> daemon(task, "take-over-" + number.getAndIncrement()));
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void change(Runnable change) {
        changeLater(change, 0);
    }

    @Override
    public void changeLater(Runnable change, long delayMs) {
        try {
            changes.schedule(() -> run(change), delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("Hosting has ended", e);
        }
    }

    @Override
    public void takeTime(Runnable work) {
        try {
            workers.execute(() -> run(work));
        } catch (RejectedExecutionException e) {
            log.debug("Hosting has ended", e);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("Hosting failed in a way it should not", e);
        }
    }

    @Override
    public JournalThreads newJournalThreads() {
        return new OwnJournalThreads();
    }

    @Override
    public void close() {
        changes.shutdownNow();
        workers.shutdownNow();
    }
}
