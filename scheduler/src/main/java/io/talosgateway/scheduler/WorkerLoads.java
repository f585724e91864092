package io.talosgateway.scheduler;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Tasks of each worker, queued and running. Safe for use by any thread, without a lock. */
final class WorkerLoads implements PlacementPolicy.Loads {

    private final AtomicIntegerArray loads;

    WorkerLoads(int workers) {
        loads = new AtomicIntegerArray(workers);
    }

    @Override
    public int workers() {
        return loads.length();
    }

    @Override
    public int load(int worker) {
        return loads.get(worker);
    }

    /** Chooses a worker and counts one more task for it, together: of two submissions only one gets the idle worker. */
    int addToChosen(PlacementPolicy policy, Object key) {
        while (true) {
            int worker = policy.workerFor(key, this);
            int load = loads.get(worker);
            if (loads.compareAndSet(worker, load, load + 1)) {
                return worker;
            }
        }
    }

    void add(int worker) {
        loads.getAndIncrement(worker);
    }

    void subtract(int worker) {
        loads.getAndDecrement(worker);
    }
}
