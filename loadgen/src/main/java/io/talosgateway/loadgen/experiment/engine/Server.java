package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.GcLog;
import org.jspecify.annotations.Nullable;

/** A kind of server that takes load: how to start one. Stateless. */
interface Server {

    /**
     * What a server is given.
     *
     * @param directory for its data; not there yet
     * @param storage the configuration of its storage, as settings of the gateway
     */
    record Place(Programs programs, Interruption interruption, Path directory, Map<String, String> storage) {}

    /**
     * A server that serves.
     *
     * @param endpoint what the load is told
     * @param ops address of the metrics; null if there are none
     * @param keyFile null if it takes requests without a key, and no questions about topics
     * @param gcLog as {@link GcLog} reads it; null if there is none
     */
    record Running(
            ChildProcess process,
            String endpoint,
            @Nullable URI ops,
            @Nullable Path keyFile,
            @Nullable Path gcLog) {}

    /** Starts one; returns when it serves. */
    Running start(Place place) throws IOException, InterruptedException;

    /**
     * Measures what is of interest of this server only, when the load is over and before it ends.
     *
     * @param values takes it, by the keys of metrics
     */
    default void measureAfterLoad(Running running, Map<String, Double> values)
            throws IOException, InterruptedException {}

    /** Whether it keeps what it is sent, so that HDFS has to be there first. */
    default boolean stores() {
        return true;
    }

    /** Whether it is a program of the kit. */
    default boolean isOfKit() {
        return false;
    }

    /** What makes it what it is, for the report: settings of a gateway, for one. */
    String text();
}
