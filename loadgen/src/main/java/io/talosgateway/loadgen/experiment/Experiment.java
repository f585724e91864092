package io.talosgateway.loadgen.experiment;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.talosgateway.loadgen.measure.Metric;

/**
 * A question about the gateway, and how to answer it by measuring: servers are put under loads and compared. {@link Experiments} reads
 * it from a file, {@code experiments/NAME.yaml} in the jar.
 *
 * @param name as users call it: small letters and hyphens
 * @param question what is asked, in one sentence
 * @param description what is started, loaded and measured: paragraphs for the help
 * @param trials what is measured, each of them once in each round, in the order of the tables
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
        List<Trial> trials,
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

    public Experiment {
        contrasted = contrasted.isEmpty()
                ? Stream.of("put.perSecond", "put.meanMs", "put.p99Ms")
                        .map(Metric::of)
                        .toList()
                : List.copyOf(contrasted);
    }

    /** What {@code --only} can choose among, in the order of the tables. */
    public List<String> variants() {
        return trials.stream().map(Trial::variant).distinct().toList();
    }

    public boolean needsKit(TrialSettings settings) {
        boolean hdfs = settings.storage() == StorageKind.HDFS;
        return trials.stream().map(Trial::server).anyMatch(server -> server.isOfKit() || (hdfs && server.stores()));
    }

    /** How long all of it takes, a line for the help. */
    public String cost(TrialSettings settings) {
        int count = trials.size();
        Duration all = settings.ofTrial().multipliedBy((long) count * settings.rounds());
        return "%d runs in each of %d rounds, %s and %d s that count: about %s"
                .formatted(
                        count,
                        settings.rounds(),
                        settings.warmupText(),
                        settings.duration().toSeconds(),
                        TrialSettings.text(all));
    }
}
