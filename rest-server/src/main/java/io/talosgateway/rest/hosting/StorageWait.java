package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.talosgateway.rest.journal.BlockUnavailableException;
import io.talosgateway.scheduler.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for what the storage cannot give yet: when all hosts start after a power cut, DataNodes may come later than this one. */
final class StorageWait {

    private static final Logger log = LoggerFactory.getLogger(StorageWait.class);
    private static final long RETRY_MS = 1_000;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final NanoClock clock;
    private final BooleanSupplier abandoned;

    /** @param abandoned whether nobody wants the result any more */
    StorageWait(NanoClock clock, BooleanSupplier abandoned) {
        this.clock = clock;
        this.abandoned = abandoned;
    }

    /** @param <T> what is read */
    @FunctionalInterface
    interface Reading<T> {
        T read() throws IOException;
    }

    /**
     * Reads, and tries again for two minutes if the storage does not have it. Blocks.
     *
     * @param <T> what is read
     * @param what its name, for the log
     */
    <T> T read(String what, Reading<T> reading) throws IOException {
        long beganNanos = clock.nanoTime();
        while (true) {
            try {
                return reading.read();
            } catch (BlockUnavailableException e) {
                if (abandoned.getAsBoolean() || clock.nanoTime() - beganNanos > LONGEST_NANOS) {
                    throw e;
                }
                log.warn("Starting: {} cannot be read, trying again: {}", what, e.getMessage());
                pause(what);
            }
        }
    }

    private static void pause(String what) throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for " + what, e);
        }
    }
}
