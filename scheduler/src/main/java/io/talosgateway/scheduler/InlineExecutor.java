package io.talosgateway.scheduler;

/**
 * Runs each task where it is submitted, at once: for callers that see to it that tasks of one key follow each other, and for
 * simulations. A task that fails throws at its submitter.
 *
 * @param <K> the key, which is not looked at
 */
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
