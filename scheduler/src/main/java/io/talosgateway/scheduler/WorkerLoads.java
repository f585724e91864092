package io.talosgateway.scheduler;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Tasks of each worker, queued and running. Safe for use by any thread, without a lock. */
final class WorkerLoads implements PlacementPolicy.Loads {

    /** Counters so far apart are in different lines of a processor's cache. */
    private static final int APART = 32;

    private final int workers;
    private final AtomicIntegerArray loads;

    WorkerLoads(int workers) {
        this.workers = workers;
        this.loads = new AtomicIntegerArray(APART * workers);
    }

    @Override
    public int workers() {
        return workers;
    }

    @Override
    public int load(int worker) {
        return loads.get(APART * worker);
    }

    /** Chooses a worker and counts one more task for it, together: of two submissions only one gets the idle worker. */
    int addToChosen(PlacementPolicy policy, Object key) {
        while (true) {
            int worker = policy.workerFor(key, this);
            int load = load(worker);
            if (loads.compareAndSet(APART * worker, load, load + 1)) {
                return worker;
            }
        }
    }

    void add(int worker) {
        loads.getAndIncrement(APART * worker);
    }

    void subtract(int worker) {
        loads.getAndDecrement(APART * worker);
    }
}
