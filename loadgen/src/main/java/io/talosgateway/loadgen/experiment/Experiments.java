package io.talosgateway.loadgen.experiment;

import java.util.List;

import io.talosgateway.loadgen.experiment.engine.Experiment;

/** The registry of experiments. Stateless. */
final class Experiments {

    /** In the order in which they are listed. */
    static final List<Experiment> ALL = List.of(
            new TalosFull(),
            new TalosPaced(),
            new TalosInit(),
            new ThreadSelection(),
            new SizeSweep(),
            new Pipeline(),
            new Gc(),
            new Encodings(),
            new TlsProviders(),
            new PartitionScale(),
            new Ideal(),
            new Kafka());

    private Experiments() {}
}
