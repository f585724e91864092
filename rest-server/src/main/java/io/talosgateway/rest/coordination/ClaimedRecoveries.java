package io.talosgateway.rest.coordination;

import java.io.IOException;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims by a mutex for each journal, which the coordination has. */
public final class ClaimedRecoveries implements RecoveryClaims {

    private static final Logger log = LoggerFactory.getLogger(ClaimedRecoveries.class);
    private static final long LONGEST_WAIT_SECONDS = 20;
    private static final long LOOK_AGAIN_SECONDS = 1;

    private final Function<String, Mutex> mutexes;

    /** What one host at a time holds, until it releases it or its session ends. Methods may throw anything. */
    public interface Mutex {

        /** Waits for it; false if another host has had it for so long. */
        @SuppressWarnings("checkstyle:IllegalThrows")
        boolean acquire(long seconds) throws Exception;

        @SuppressWarnings("checkstyle:IllegalThrows")
        void release() throws Exception;
    }

    /** @param mutexes a mutex for a journal, for one claim */
    public ClaimedRecoveries(Function<String, Mutex> mutexes) {
        this.mutexes = mutexes;
    }

    @Override
    public void claim(String journal, Done done, Recovery recovery) throws IOException {
        Mutex mutex = mutexes.apply(journal);
        boolean claimed = !done.isDone() && acquire(mutex, journal, done);
        try {
            if (claimed && done.isDone()) {
                release(mutex);
                claimed = false;
            }
            recovery.run();
        } finally {
            if (claimed) {
                release(mutex);
            }
        }
    }

    private static boolean acquire(Mutex mutex, String journal, Done done) throws IOException {
        try {
            for (long waited = 0; waited < LONGEST_WAIT_SECONDS; waited += LOOK_AGAIN_SECONDS) {
                if (mutex.acquire(LOOK_AGAIN_SECONDS)) {
                    return true;
                }
                if (done.isDone()) {
                    return false;
                }
            }
            log.warn("Another host has been recovering {} for {} s; not waiting longer", journal, LONGEST_WAIT_SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            log.debug("No claim on {}", journal, e);
        }
        return false;
    }

    private static void release(Mutex mutex) {
        try {
            mutex.release();
        } catch (Exception e) {
            log.debug("Releasing a claim failed; the session's end does it", e);
        }
    }
}
