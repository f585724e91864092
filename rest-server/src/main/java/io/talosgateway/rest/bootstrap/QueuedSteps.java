package io.talosgateway.rest.bootstrap;

import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.KeyedTask;

/**
 * Has each task run on a worker of the pool: in the layout {@code file-per-partition}, it blocks for the storage.
 *
 * @param <K> the key
 */
record QueuedSteps<K>(KeyedExecutor<K> pool) implements KeyedExecutor<K> {

    @Override
    public void execute(KeyedTask<K> task) {
        pool.execute(task);
    }

    @Override
    public int drain(Deadline deadline) throws InterruptedException {
        return pool.drain(deadline);
    }

    @Override
    public int maxBypasses() {
        return pool.maxBypasses();
    }
}
