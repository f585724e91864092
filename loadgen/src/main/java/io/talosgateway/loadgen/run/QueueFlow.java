package io.talosgateway.loadgen.run;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.measure.KindRecorder;
import org.jspecify.annotations.Nullable;

/**
 * What goes in and out of the queue, counted and timed, and how much may be in it. In the warm-up the queue is short and
 * consumers do nothing; it is empty before a message counts. Safe for use by any thread.
 */
final class QueueFlow {

    private static final int WARM_WINDOW = 64;
    private static final long WAIT_MS = 100;

    private final int batch;
    private final int messageBytes;
    private final KindRecorder puts;
    private final KindRecorder takes;
    private final int warmMessages;
    private final Semaphore warmWindow;
    private final @Nullable Semaphore window;

    /** @param window messages that may be under way; 0 for no bound */
    QueueFlow(Content content, int window, KindRecorder puts, KindRecorder takes) {
        this.batch = content.batch();
        this.messageBytes = content.meanSize();
        this.puts = puts;
        this.takes = takes;
        this.warmMessages = Math.max(batch, WARM_WINDOW);
        this.warmWindow = new Semaphore(warmMessages);
        this.window = window == 0 ? null : new Semaphore(window);
    }

    /** Waits a while until the messages of another put may be put; false if they may not. */
    boolean enter(boolean counts) throws InterruptedException {
        Semaphore room = room(counts);
        return room == null || room.tryAcquire(batch, WAIT_MS, TimeUnit.MILLISECONDS);
    }

    /** Waits a while until no message of the warm-up is left; false if there still is one. */
    boolean isDrained() throws InterruptedException {
        return warmWindow.tryAcquire(warmMessages, WAIT_MS, TimeUnit.MILLISECONDS);
    }

    private @Nullable Semaphore room(boolean counts) {
        return counts ? window : warmWindow;
    }

    /** A put was answered with success. */
    void stored(boolean counts, long nanos) {
        puts.answered(counts, nanos, batch, (long) batch * messageBytes);
    }

    /** A put failed: nobody will acknowledge its messages. */
    void lost(boolean counts, String reason) {
        puts.failed(0, "put", reason);
        leave(counts, batch);
    }

    /** A get failed. */
    void failed(String reason) {
        takes.failed(0, "get", reason);
    }

    /** A consumer has done its work on a message, and acknowledges it. */
    void acknowledge(boolean counts, long ageNanos) {
        takes.answered(counts, Math.max(0, ageNanos), 1, messageBytes);
        leave(counts, 1);
    }

    private void leave(boolean counts, int messages) {
        Semaphore room = room(counts);
        if (room != null) {
            room.release(messages);
        }
    }
}
