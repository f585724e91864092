package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayDeque;
import java.util.Deque;

import io.talosgateway.loadgen.process.ChildProcess;

/** The processes of an experiment, which all end when the user wants no more. Safe for use by any thread. */
public final class Interruption {

    // Guarded by this; the last started first.
    private final Deque<ChildProcess> processes = new ArrayDeque<>();
    private boolean interrupted;

    public synchronized boolean isInterrupted() {
        return interrupted;
    }

    /**
     * Takes a process that was just started into its care.
     *
     * @throws InterruptedException if it is too late for that; the process is ended
     */
    public ChildProcess add(ChildProcess process) throws InterruptedException {
        synchronized (this) {
            if (!interrupted) {
                processes.push(process);
                return process;
            }
        }
        process.kill();
        throw new InterruptedException();
    }

    /** Ends all processes, now and from now on. */
    public void interrupt() {
        synchronized (this) {
            interrupted = true;
        }
        endAll();
    }

    /** Ends all processes that there are, the last started first. */
    public void endAll() {
        while (true) {
            ChildProcess process;
            synchronized (this) {
                process = processes.peek();
            }
            if (process == null) {
                return;
            }
            process.kill();
            synchronized (this) {
                processes.remove(process);
            }
        }
    }
}
