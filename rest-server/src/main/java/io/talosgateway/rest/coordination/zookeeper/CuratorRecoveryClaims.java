package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.coordination.RecoveryClaims;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Curator's mutex. */
final class CuratorRecoveryClaims implements RecoveryClaims {

    private static final Logger log = LoggerFactory.getLogger(CuratorRecoveryClaims.class);
    private static final long LONGEST_WAIT_SECONDS = 20;
    private static final long LOOK_AGAIN_SECONDS = 1;

    private final CuratorFramework client;
    private final String directory;

    CuratorRecoveryClaims(CuratorFramework client, String root) {
        this.client = client;
        this.directory = root + "/recoveries";
    }

    @Override
    public void claim(String journal, Done done, Recovery recovery) throws IOException {
        InterProcessSemaphoreMutex mutex =
                new InterProcessSemaphoreMutex(client, directory + "/" + journal.replace('/', ':'));
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

    private static boolean acquire(InterProcessSemaphoreMutex mutex, String journal, Done done) throws IOException {
        try {
            for (long waited = 0; waited < LONGEST_WAIT_SECONDS; waited += LOOK_AGAIN_SECONDS) {
                if (mutex.acquire(LOOK_AGAIN_SECONDS, TimeUnit.SECONDS)) {
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

    private static void release(InterProcessSemaphoreMutex mutex) {
        try {
            mutex.release();
        } catch (Exception e) {
            log.debug("Releasing a claim failed; the session's end does it", e);
        }
    }
}
