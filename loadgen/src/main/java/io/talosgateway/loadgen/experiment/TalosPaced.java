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

/** Many threads, each at a slow and steady rate. */
final class TalosPaced implements TrialComparison {

    private static final String RATE = "2.1";
    private static final String SIZE = "70000B";

    @Override
    public String name() {
        return "talos-paced";
    }

    @Override
    public String question() {
        return "What latency do the thread models of three releases, and this gateway, have under the same given load?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "A topic of many partitions; each client process has a thread for each partition that puts a message of 70 KB 2.1 "
                        + "times a second, and one that gets as often. Each request is sent at its time (open loop), and its latency "
                        + "counts from then. One client, then two.",
                "--scale full has 1,200 partitions, as the published experiment: 2,520 puts a second, 176 MB, for each client. "
                        + "--scale quick has 200.",
                "The variants are those of talos-full.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(2, 8, 10) : Timing.of(3, 20, 30);
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        String partitions = settings.choose("200", "1200");
        TrialClient client = TrialClient.run(
                "--topic",
                "talos-paced",
                "--partitions",
                partitions,
                "--format",
                "thrift",
                "--put-threads",
                partitions,
                "--get-threads",
                partitions,
                "--put-rate-per-thread",
                RATE,
                "--get-rate-per-thread",
                RATE,
                "--size",
                SIZE);
        List<Trial> trials = new ArrayList<>();
        for (int clients = 1; clients <= 2; clients++) {
            String load = clients == 1 ? "1 client" : clients + " clients";
            List<TrialClient> processes =
                    IntStream.range(0, clients).mapToObj(number -> client).toList();
            HistoricVariants.ofPartitions(partitions)
                    .forEach((name, server) -> trials.add(Trial.of(load, name, server, processes)));
        }
        return trials;
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
        return Stream.of(Metrics.OF_PUTS, Metrics.OF_GETS, List.of(Metrics.STORAGE, Metrics.SERVER_CPU))
                .flatMap(List::stream)
                .toList();
    }
}
