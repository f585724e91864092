package io.talosgateway.loadgen.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What happens at Ctrl-C: a run ends early, and the process waits until what there is has been shown. */
public final class LastWords {

    private final CountDownLatch said = new CountDownLatch(1);

    private LastWords() {}

    /**
     * From now on, when the process is told to end, it waits until {@link #areSaid}.
     *
     * @param interrupt ends the run; another thread calls it
     * @param atMost how long the process waits
     */
    public static LastWords before(Runnable interrupt, Duration atMost) {
        LastWords words = new LastWords();
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

    /** Everything is said. */
    public void areSaid() {
        said.countDown();
    }
}
