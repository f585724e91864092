package io.talosgateway.scheduler;

import java.util.concurrent.CountDownLatch;

/** Holds a task at a place of the test's choosing: {@link #reached} blocks the test, {@link #open} frees the task. */
final class Gate {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    Void pass() throws InterruptedException {
        reached.countDown();
        open.await();
        return null;
    }

    void reached() throws InterruptedException {
        reached.await();
    }

    void open() {
        open.countDown();
    }
}
