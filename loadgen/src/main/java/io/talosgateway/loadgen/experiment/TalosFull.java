package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.talosgateway.loadgen.experiment.engine.Contrast;
import io.talosgateway.loadgen.experiment.engine.Metric;
import io.talosgateway.loadgen.experiment.engine.Metrics;
import io.talosgateway.loadgen.experiment.engine.Scale;
import io.talosgateway.loadgen.experiment.engine.Timing;
import io.talosgateway.loadgen.experiment.engine.Trial;
import io.talosgateway.loadgen.experiment.engine.TrialClient;
import io.talosgateway.loadgen.experiment.engine.TrialComparison;
import io.talosgateway.loadgen.experiment.engine.TrialSettings;

/** Every thread puts or gets as fast as it is answered. */
final class TalosFull implements TrialComparison {

    private static final String PARTITIONS = "120";

    @Override
    public String name() {
        return "talos-full";
    }

    @Override
    public String question() {
        return "How much can the thread models of three releases, and this gateway, put and get at full load?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Two topics of 120 partitions; each client process has 120 threads that put messages of 10 KiB, and 120 "
                        + "that get them, all as fast as they are answered (synchronous, closed loop). One client, which uses "
                        + "the first topic, then two, the second of which uses the second topic.",
                "Four variants of the gateway: 2.1.5 (a key's hash picks the thread, 100 HTTP threads), 2.1.6 (the least-loaded "
                        + "thread), 2.1.6-new (300 HTTP threads), each with pools of 200 threads, blocking, with a file for each "
                        + "partition; and ours (asynchronous, shared lanes). All answer when the message is in the memory of "
                        + "all replicas (hflush).",
                "Gets follow the ends of their partitions and wait for messages there, so that their latency includes the time "
                        + "until the next put.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(2, 7, 8) : Timing.of(5, 15, 30);
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        List<Trial> trials = new ArrayList<>();
        for (int clients = 1; clients <= 2; clients++) {
            String load = clients == 1 ? "1 client" : clients + " clients";
            List<TrialClient> processes = IntStream.rangeClosed(1, clients)
                    .mapToObj(TalosFull::client)
                    .toList();
            HistoricVariants.all().forEach((name, server) -> trials.add(Trial.of(load, name, server, processes)));
        }
        return trials;
    }

    private static TrialClient client(int number) {
        return TrialClient.run(
                "--topic",
                "talos-full-" + number,
                "--partitions",
                PARTITIONS,
                "--format",
                "thrift",
                "--put-threads",
                "120",
                "--get-threads",
                "120",
                "--size",
                "10KiB");
    }

    @Override
    public List<Metric> columns() {
        return HistoricVariants.COLUMNS;
    }

    @Override
    public List<Contrast> contrasts() {
        return HistoricVariants.CONTRASTS;
    }

    @Override
    public List<Metric> contrasted() {
        return Stream.of(Metrics.OF_PUTS, Metrics.OF_GETS, List.of(Metrics.STORAGE))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<String> remarks() {
        return List.of(
                "Published, on machines with many cores: 2.1.6 over 2.1.5 10 % more requests, 30 % less latency, and 30 to "
                        + "50 % less storage latency; with more HTTP threads the storage's share of the latency rose from 25 % to "
                        + "over 60 %.");
    }
}
