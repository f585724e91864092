package io.talosgateway.loadgen.process;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/**
 * How long a server process lives: until it is told to end, or until whoever started it is gone. Whatever way the parent ends,
 * the pipe to our standard input is closed.
 */
public final class Lifetime {

    private Lifetime() {}

    /** Something to be done before the process ends. */
    public interface Closing {
        void close() throws Exception;
    }

    /**
     * Returns when it is time to end; {@code closing} is called by then, also when the process is terminated.
     *
     * @param withParent whether to end when standard input does; otherwise only a signal ends it
     */
    public static void live(boolean withParent, Closing closing) throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                closing.close();
                            } catch (Exception e) {
                                System.err.println("Ending was not clean: " + e);
                            } finally {
                                closed.countDown();
                            }
                        },
                        "shutdown"));
        if (withParent) {
            Thread watch = new Thread(Lifetime::endWithStandardInput, "parent-watch");
            watch.setDaemon(true);
            watch.start();
        }
        closed.await();
    }

    private static void endWithStandardInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is expected.
            }
        } catch (IOException e) {
            System.err.println("Standard input is gone: " + e.getMessage());
        }
        System.exit(0);
    }
}
