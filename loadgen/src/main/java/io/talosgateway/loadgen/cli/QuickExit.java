package io.talosgateway.loadgen.cli;

import java.util.Arrays;

/**
 * Ends the process without a pause. When the JVM exits, it waits up to 300 ms for threads that are in native code. The thread of an
 * HTTP client is, as it waits there for its sockets, and before Java 21 a client cannot be closed.
 */
public final class QuickExit {

    private static final long PATIENCE_MS = 100;

    private QuickExit() {}

    public static void exit(int status) {
        endHttpClients();
        System.exit(status);
    }

    /** Interrupts the threads of all HTTP clients, which end then. */
    static void endHttpClients() {
        Thread[] threads = new Thread[2 * Thread.activeCount()];
        try {
            for (Thread thread : Arrays.copyOf(threads, Thread.enumerate(threads))) {
                if (thread.getName().startsWith("HttpClient-")) {
                    thread.interrupt();
                    thread.join(PATIENCE_MS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
