package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.talosgateway.loadgen.measure.Metric;
import org.jspecify.annotations.Nullable;

/**
 * A question about the gateway, and how to answer it by measuring: servers are put under loads and compared. It is read from a
 * file, {@code experiments/NAME.yaml} in the jar; the components are the file's fields, and their texts may name {@link
 * Variables}.
 *
 * @param name as users call it: small letters and hyphens
 * @param question what is asked, in one sentence
 * @param description what is started, loaded and measured: paragraphs for the help
 * @param quick how often and for how long, at that scale
 * @param full the same
 * @param storage what {@code --storage} is if the user does not say; null for HDFS, as the published experiments have
 * @param values texts, or one for each {@link Scale}, by the name of the variable
 * @param servers what is compared, by the names that trials use
 * @param trials what is measured in each round, in the order of the tables
 * @param program what is run in place of trials; null if there are trials
 * @param columns of the first table
 * @param contrasts whose ratios are shown
 * @param contrasted what the ratios are of; empty for rate, mean and P99 of puts
 * @param plots none for latencies by percentile, of each load
 * @param remarks figures that others have published, and what else is to be said below the tables; each a paragraph
 */
record Experiment(
        String name,
        String question,
        List<String> description,
        Timing quick,
        Timing full,
        @Nullable StorageKind storage,
        Map<String, Scaled> values,
        Map<String, Server> servers,
        List<TrialPattern> trials,
        @Nullable ExperimentProgram program,
        List<Metric> columns,
        List<Contrast> contrasts,
        List<Metric> contrasted,
        List<Plot> plots,
        List<String> remarks) {

    /**
     * Two variants whose ratio is shown.
     *
     * @param of whose values are divided
     * @param by those of this one, of the same round and the same load
     */
    record Contrast(String of, String by) {

        private static final String OVER = " : ";

        /** Reads {@code of : by}. */
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Contrast parse(String text) {
            int at = text.indexOf(OVER);
            if (at < 0) {
                throw new IllegalArgumentException(
                        "'%s' is not two variants with a colon between them".formatted(text));
            }
            return new Contrast(text.substring(0, at), text.substring(at + OVER.length()));
        }

        String text() {
            return of + OVER + by;
        }
    }

    /** What a second of load writes to the disk at most. */
    static final long BYTES_PER_SECOND = 400L << 20;

    public Experiment {
        contrasted = contrasted.isEmpty()
                ? Stream.of("put.perSecond", "put.meanMs", "put.p99Ms")
                        .map(Metric::of)
                        .toList()
                : List.copyOf(contrasted);
    }

    /** What it is if the user does not say otherwise. */
    public TrialSettings usual(Scale scale) {
        return new TrialSettings(
                scale,
                storage == null ? StorageKind.HDFS : storage,
                scale == Scale.QUICK ? quick : full,
                TrialSettings.DATA_NODES,
                TrialSettings.SEED);
    }

    private Variables variables(TrialSettings settings) {
        Variables variables = Variables.of(settings);
        for (Map.Entry<String, Scaled> value : values.entrySet()) {
            variables = variables.with(value.getKey(), value.getValue().one(settings.scale()));
        }
        return variables;
    }

    /** The paragraphs of the help. */
    public List<String> description(TrialSettings settings) {
        return description.stream().map(variables(settings)::fill).toList();
    }

    /** What is measured, each of them once in each round, those of a load together; none if it is a program. */
    public List<Trial> trials(TrialSettings settings) {
        Map<String, Map<String, Trial>> byLoad = new LinkedHashMap<>();
        for (TrialPattern pattern : trials) {
            for (Trial trial : pattern.trials(variables(settings), settings.scale(), servers)) {
                // With as many processors as are compared, two patterns may come to the same.
                byLoad.computeIfAbsent(trial.load(), any -> new LinkedHashMap<>())
                        .putIfAbsent(trial.variant(), trial);
            }
        }
        return byLoad.values().stream().flatMap(load -> load.values().stream()).toList();
    }

    /** What {@code --only} can choose among, in the order of the tables. */
    public List<String> variants(TrialSettings settings) {
        return trials(settings).stream().map(Trial::variant).distinct().toList();
    }

    /** Whether programs are needed that are not in the distribution. */
    public boolean needsKit(TrialSettings settings) {
        boolean hdfs = settings.storage() == StorageKind.HDFS;
        return program != null
                || trials(settings).stream()
                        .anyMatch(trial -> trial.server().isOfKit()
                                || trial.client().isOfKit()
                                || (hdfs && trial.server().stores()));
    }

    /** How long all of it takes and what it needs, a line for the help. */
    public String cost(TrialSettings settings) {
        Timing timing = settings.timing();
        if (program != null) {
            return program.cost(settings);
        }
        int count = trials(settings).size();
        Duration all = timing.ofTrial().multipliedBy((long) count * timing.rounds());
        return "%d runs in each of %d rounds, %s and %d s that count: about %s, and %d GiB of disk"
                .formatted(
                        count,
                        timing.rounds(),
                        timing.warmupText(),
                        timing.duration().toSeconds(),
                        Timing.text(all),
                        1 + (settings.bytesOfTrial(BYTES_PER_SECOND) >> 30));
    }

    /**
     * Does it, and says and keeps what came of it.
     *
     * @return the exit status
     * @throws IOException if it cannot be done; the message is a sentence for the user
     */
    public int run(TrialEnvironment environment) throws IOException, InterruptedException {
        return program == null
                ? new ComparisonRun(this, environment).run()
                : program.run(name, variables(environment.settings()), environment);
    }
}
