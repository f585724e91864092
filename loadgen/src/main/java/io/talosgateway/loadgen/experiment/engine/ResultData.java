package io.talosgateway.loadgen.experiment.engine;

import java.util.List;

import io.talosgateway.loadgen.report.Environment;

/**
 * What is written to {@code result.json}. Fields are only ever added.
 *
 * @param format grows when a field changes its meaning
 * @param startedAt UTC
 * @param interrupted whether runs are missing
 * @param trials what was compared under which loads
 * @param runs every single run, in the order in which they were made
 */
record ResultData(
        int format,
        String experiment,
        String question,
        String scale,
        String storage,
        int dataNodes,
        int rounds,
        String warmup,
        double seconds,
        long seed,
        String startedAt,
        boolean interrupted,
        Environment environment,
        List<TrialText> trials,
        List<Measurement> runs) {

    static final int FORMAT = 2;

    /** What a trial was. */
    record TrialText(String load, String variant, String server, String client) {

        static TrialText of(Trial trial) {
            return new TrialText(
                    trial.load(),
                    trial.variant(),
                    trial.server().text(),
                    trial.client().text());
        }
    }

    static ResultData of(
            Experiment experiment, TrialSettings settings, String startedAt, boolean interrupted, Results results) {
        return new ResultData(
                FORMAT,
                experiment.name(),
                experiment.question(),
                settings.scale().text(),
                settings.storage().text(),
                settings.dataNodes(),
                settings.timing().rounds(),
                settings.timing().warmup().text(),
                settings.timing().duration().toMillis() / 1000.0,
                settings.seed(),
                startedAt,
                interrupted,
                Environment.here(),
                results.trials().stream().map(TrialText::of).toList(),
                results.measurements());
    }

    /** Circumstances in a line. */
    String machine() {
        return "%d processors, %,d MiB, %s, %s; %s; %s storage; %d round%s of %.0f s after a warm-up (%s); begun at %s"
                .formatted(
                        environment.processors(),
                        environment.memoryMiB(),
                        environment.system(),
                        environment.java(),
                        "scale " + scale,
                        storage.equals("hdfs")
                                ? "HDFS with %d DataNode%s as".formatted(dataNodes, dataNodes == 1 ? "" : "s")
                                : "local",
                        rounds,
                        rounds == 1 ? "" : "s",
                        seconds,
                        warmup,
                        startedAt);
    }
}
