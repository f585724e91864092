package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import io.talosgateway.loadgen.chart.LineChart;

/** An experiment that puts servers under loads, and compares them. */
public interface TrialComparison extends Experiment {

    /** What a second of load may write to the disk, if the experiment does not know better. */
    long BYTES_PER_SECOND = 400L << 20;

    /** In the order of the tables; each round makes each of them once. */
    List<Trial> trials(TrialSettings settings);

    /** What an answer to a put promises, where that differs; a column of the first table, empty for none. */
    default String promise(Trial trial) {
        return "";
    }

    /** The columns of the first table. */
    List<Metric> columns();

    /** Whose ratios are shown; none by default. */
    default List<Contrast> contrasts() {
        return List.of();
    }

    /** What the ratios are of. */
    default List<Metric> contrasted() {
        return List.of(Metrics.PUTS, Metrics.PUT_MEAN, Metrics.PUT_P99);
    }

    /** Figures that others have published, and what else is to be said below the tables; each a paragraph. */
    default List<String> remarks() {
        return List.of();
    }

    /** The plots; by default latencies by percentile, of each load. */
    default List<LineChart> charts(Results results) {
        return PercentileCharts.of(results);
    }

    /** What a second of load writes to the disk at most. */
    default long bytesPerSecond() {
        return BYTES_PER_SECOND;
    }

    @Override
    default List<String> variants(TrialSettings settings) {
        return trials(settings).stream().map(Trial::variant).distinct().toList();
    }

    @Override
    default boolean needsKit(TrialSettings settings) {
        boolean hdfs = settings.storage() == StorageKind.HDFS;
        return trials(settings).stream()
                .anyMatch(trial -> trial.server().ofKit()
                        || (hdfs && trial.server().stores())
                        || trial.clients().stream().anyMatch(client -> client.mainClass() != null));
    }

    @Override
    default String cost(TrialSettings settings) {
        int trials = trials(settings).size();
        Timing timing = settings.timing();
        Duration all = timing.ofTrial().multipliedBy((long) trials * timing.rounds());
        return "%d runs in each of %d rounds, with %d s of warm-up and %d s that count: about %s, and %d GiB of disk"
                .formatted(
                        trials,
                        timing.rounds(),
                        timing.warmup().toSeconds(),
                        timing.duration().toSeconds(),
                        Durations.text(all),
                        1 + (settings.bytesOfTrial(bytesPerSecond()) >> 30));
    }

    @Override
    default int run(TrialEnvironment environment) throws IOException, InterruptedException {
        return new ComparisonRun(this, environment).run();
    }
}
