package io.talosgateway.rest.coordination.zookeeper;

import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.coordination.ClaimedRecoveries;
import io.talosgateway.rest.coordination.RecoveryClaims;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;

/** Curator's mutex. */
final class CuratorMutex implements ClaimedRecoveries.Mutex {

    private final InterProcessSemaphoreMutex mutex;

    private CuratorMutex(InterProcessSemaphoreMutex mutex) {
        this.mutex = mutex;
    }

    static RecoveryClaims claims(CuratorFramework client, String root) {
        return new ClaimedRecoveries(journal -> new CuratorMutex(
                new InterProcessSemaphoreMutex(client, root + "/recoveries/" + journal.replace('/', ':'))));
    }

    @Override
    public boolean acquire(long seconds) throws Exception {
        return mutex.acquire(seconds, TimeUnit.SECONDS);
    }

    @Override
    public void release() throws Exception {
        mutex.release();
    }
}
