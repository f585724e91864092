package io.talosgateway.scheduler;

/** For queues that are looked at when the test wants to. */
final class NoSignals implements KeyedQueues.Signals {

    @Override
    public void wakeUp(int worker) {}

    @Override
    public void expireAt(int worker, Deadline deadline) {}
}
