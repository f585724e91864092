package io.talosgateway.loadgen.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What happens at Ctrl-C: a run ends early, and the process waits until what there is has been shown. */
public final class ShutdownGate {

    private final CountDownLatch said = new CountDownLatch(1);

    private ShutdownGate() {}

    /**
     * From now on, when the process is told to end, it waits until {@link #areSaid}.
     *
     * @param interrupt ends the run; another thread calls it
     * @param atMost how long the process waits
     */
    public static ShutdownGate before(Runnable interrupt, Duration atMost) {
        ShutdownGate words = new ShutdownGate();
        Thread hook = new Thread(
                () -> {
                    if (words.said.getCount() > 0) {
                        interrupt.run();
                        words.await(atMost);
                    }
                },
                "interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        return words;
    }

    private void await(Duration atMost) {
        try {
            said.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public void areSaid() {
        said.countDown();
    }
}
