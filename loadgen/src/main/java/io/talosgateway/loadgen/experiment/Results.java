package io.talosgateway.loadgen.experiment;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

import io.talosgateway.loadgen.measure.Metric;

/**
 * Everything that was measured so far.
 *
 * @param trials those that were to be made, in the order of the tables
 */
record Results(List<Trial> trials, List<Measurement> measurements) {

    /** The loads, in the order of the tables. */
    List<String> loads() {
        return trials.stream().map(Trial::load).distinct().toList();
    }

    List<Trial> under(String load) {
        return trials.stream().filter(trial -> trial.load().equals(load)).toList();
    }

    /** The runs of a trial that did not fail. */
    List<Measurement> of(Trial trial) {
        return measurements.stream()
                .filter(run -> run.isOf(trial) && run.failure() == null)
                .toList();
    }

    /** The latest run of a trial that did not fail. */
    Optional<Measurement> last(Trial trial) {
        return of(trial).stream().reduce((before, after) -> after);
    }

    /** Of the runs that have it. */
    List<Double> values(Trial trial, Metric metric) {
        return of(trial).stream()
                .map(run -> run.value(metric.key()))
                .filter(Double::isFinite)
                .toList();
    }

    /** Ratios of the two runs of each round; without those rounds in which one of them has no value, or is 0. */
    List<Double> ratios(String load, Experiment.Contrast contrast, Metric metric) {
        return measurements.stream()
                .filter(run -> run.load().equals(load) && run.variant().equals(contrast.of()))
                .map(run -> {
                    OptionalDouble other = measurements.stream()
                            .filter(by -> by.load().equals(load)
                                    && by.variant().equals(contrast.by())
                                    && by.round() == run.round())
                            .mapToDouble(by -> by.value(metric.key()))
                            .findFirst();
                    return run.value(metric.key()) / other.orElse(Double.NaN);
                })
                .filter(Double::isFinite)
                .toList();
    }

    /** @param values one at least */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
