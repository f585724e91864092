package io.talosgateway.loadgen.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What happens at Ctrl-C: a run ends early, and the process waits until the results have been shown. */
public final class ShutdownGate {

    private final CountDownLatch opened = new CountDownLatch(1);

    private ShutdownGate() {}

    /**
     * From now on, a process that is told to end waits for {@link #open}.
     *
     * @param interrupt ends the run; another thread calls it
     * @param timeout how long the process waits
     */
    public static ShutdownGate closed(Runnable interrupt, Duration timeout) {
        ShutdownGate gate = new ShutdownGate();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> gate.awaitOpen(interrupt, timeout), "interrupt"));
        return gate;
    }

    private void awaitOpen(Runnable interrupt, Duration timeout) {
        if (opened.getCount() > 0) {
            interrupt.run();
            try {
                opened.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The results have been shown: the process may end. */
    public void open() {
        opened.countDown();
    }
}
