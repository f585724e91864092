package io.talosgateway.loadgen.run;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.measure.RunFacts;

/** A run of load, in this process or in others. {@link #run} is called once; {@link #interrupt} by any thread. */
public interface Load {

    /**
     * Runs the load.
     *
     * @throws LoadFailure if it cannot begin
     */
    RunFacts run() throws InterruptedException;

    /** Ends the run early; {@link #run} returns what there is. */
    void interrupt();
}
