package io.talosgateway.scheduler;

/** Chooses the worker for a key. Called by any thread, again if the loads change meanwhile: must be quick and stateless. */
public interface PlacementPolicy {

    /** Tasks per worker, queued and running; they may change while they are looked at. */
    interface Loads {
        int workers();

        int load(int worker);
    }

    /** The worker for an idle key, from 0 to {@code loads.workers() - 1}. A key that is not idle stays where it is. */
    int workerFor(Object key, Loads loads);

    /** The worker with the fewest tasks, the lowest index among equals, so that placement is repeatable in tests. */
    PlacementPolicy LEAST_LOADED = (key, loads) -> {
        int best = 0;
        for (int worker = 1; worker < loads.workers() && loads.load(best) > 0; worker++) {
            if (loads.load(worker) < loads.load(best)) {
                best = worker;
            }
        }
        return best;
    };

    /** The key's hash picks the worker for ever, whatever the load: the model that least-loaded placement replaced. */
    PlacementPolicy HASH = (key, loads) -> {
        // Spreads keys whose hash codes differ in few bits; the finalizer of MurmurHash3 (A. Appleby, public domain).
        int hash = key.hashCode();
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        return Math.floorMod(hash ^ (hash >>> 16), loads.workers());
    };
}
