package io.talosgateway.localcluster;

import java.time.Duration;

/** How long hosts may take. */
final class Timeouts {

    /**
     * Until a host is ready: a gateway that fences the files of a killed one waits for HDFS up to a minute. Less than
     * the two minutes that {@code talos-loadgen verify} gives a command, so that it hears what is missing.
     */
    static final Duration READY = Duration.ofSeconds(100);

    /** Until hosts that were told to stop are gone: a gateway finishes its requests for up to 20 s. */
    static final Duration STOP = Duration.ofSeconds(40);

    private Timeouts() {}
}
