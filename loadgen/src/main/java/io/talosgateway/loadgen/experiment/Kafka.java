package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.experiment.engine.Contrast;
import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.Metric;
import io.talosgateway.loadgen.experiment.engine.Metrics;
import io.talosgateway.loadgen.experiment.engine.Scale;
import io.talosgateway.loadgen.experiment.engine.Timing;
import io.talosgateway.loadgen.experiment.engine.Trial;
import io.talosgateway.loadgen.experiment.engine.TrialClient;
import io.talosgateway.loadgen.experiment.engine.TrialComparison;
import io.talosgateway.loadgen.experiment.engine.TrialSettings;

/** The same synchronous puts to a Kafka broker, for scale. */
final class Kafka implements TrialComparison {

    private static final int PARTITIONS = 120;
    private static final String LOAD = "io.talosgateway.benchmarks.kafka.KafkaLoad";
    private static final String SHARED = "kafka-shared";
    private static final String PER_THREAD = "kafka-per-thread";
    private static final String OURS = "ours";
    private static final String NOT_FORCED = "not forced";
    private static final String FORCED = "forced";
    private static final List<String> PUTS = List.of(
            "--topic",
            "kafka",
            "--partitions",
            Integer.toString(PARTITIONS),
            "--put-threads",
            "120",
            "--size",
            "10KiB");

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String question() {
        return "How fast are the same synchronous puts with Kafka, and what does each answer promise?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "120 threads put messages of 10 KiB to 120 partitions, each when its message before is answered: with "
                        + "bin/talos-loadgen run to this gateway, and with Kafka's own producer (acks=all, linger.ms=0, the "
                        + "rest as it is by default) to one Kafka broker in a process of its own.",
                "kafka-shared: one producer for all threads, the way Kafka wants to be used. kafka-per-thread: a producer, and so "
                        + "a connection, for each thread, as 120 programs would have. ours: 120 connections.",
                "not forced: Kafka as it is by default, and this gateway with durability memory (hflush). forced: Kafka with "
                        + "log.flush.interval.messages=1, and this gateway with durability disk (hsync), which is its default. An "
                        + "answer does not promise the same in all of them: see the column.",
                "This gateway runs on HDFS, a process more; Kafka writes to the local disk itself, and has one replica.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(3, 8, 8) : Timing.of(5, 15, 20);
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        List<Trial> trials = new ArrayList<>();
        for (String load : List.of(NOT_FORCED, FORCED)) {
            boolean forced = load.equals(FORCED);
            KafkaBroker broker = new KafkaBroker(PARTITIONS, forced ? 1 : 0);
            trials.add(Trial.of(load, SHARED, broker, List.of(kafka("shared"))));
            trials.add(Trial.of(load, PER_THREAD, broker, List.of(kafka("per-thread"))));
            GatewayServer gateway = new GatewayServer(Map.of("journal.durability", forced ? "disk" : "memory"));
            trials.add(Trial.of(load, OURS, gateway, List.of(TrialClient.run(PUTS.toArray(String[]::new)))));
        }
        return trials;
    }

    private static TrialClient kafka(String producers) {
        return TrialClient.kit(LOAD, PUTS.toArray(String[]::new)).with("--producers", producers);
    }

    @Override
    public String promise(Trial trial) {
        boolean forced = trial.load().equals(FORCED);
        if (trial.variant().equals(OURS)) {
            return forced ? "on the disks of all replicas" : "in the memory of all replicas' processes";
        }
        return forced ? "on the disk of one broker" : "in the page cache of one broker";
    }

    @Override
    public List<Metric> columns() {
        return List.of(
                Metrics.PUTS,
                Metrics.PUT_MEAN,
                Metrics.PUT_P50,
                Metrics.PUT_P75,
                Metrics.PUT_P99,
                Metrics.PUT_P999,
                Metrics.SERVER_CPU,
                Metrics.HDFS_CPU,
                Metrics.LOAD_CPU,
                Metrics.CPU_BUSY,
                Metrics.SERVER_SWITCHES_PER_REQUEST,
                Metrics.SERVER_MEMORY,
                Metrics.ERRORS);
    }

    @Override
    public List<Contrast> contrasts() {
        return List.of(new Contrast(OURS, SHARED), new Contrast(OURS, PER_THREAD));
    }

    @Override
    public List<Metric> contrasted() {
        return Metrics.OF_PUTS;
    }
}
