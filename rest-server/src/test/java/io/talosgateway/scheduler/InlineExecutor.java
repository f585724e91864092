package io.talosgateway.scheduler;

/** Runs each task where it is submitted; in this package because only executors may run tasks. */
public final class InlineExecutor<K> implements KeyedExecutor<K> {

    @Override
    public void execute(KeyedTask<K> task) {
        task.run();
    }

    @Override
    public int drain(Deadline deadline) {
        return 0;
    }

    @Override
    public int maxBypasses() {
        return 1;
    }
}
