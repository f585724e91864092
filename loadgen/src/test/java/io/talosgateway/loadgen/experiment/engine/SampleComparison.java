package io.talosgateway.loadgen.experiment.engine;

import java.util.List;

/** Two variants under a load. */
class SampleComparison implements TrialComparison {

    @Override
    public String name() {
        return "sample";
    }

    @Override
    public String question() {
        return "Is the new one better?";
    }

    @Override
    public List<String> description() {
        return List.of("Measures both.");
    }

    @Override
    public Timing timing(Scale scale) {
        return Timing.of(3, 2, 8);
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        return List.of(Samples.trial("", "old"), Samples.trial("", "new"));
    }

    @Override
    public List<Metric> columns() {
        return List.of(Metrics.PUTS, Metrics.PUT_MEAN, Metrics.GETS);
    }

    @Override
    public List<Contrast> contrasts() {
        return List.of(new Contrast("new", "old"));
    }

    @Override
    public List<Metric> contrasted() {
        return List.of(Metrics.PUTS, Metrics.PUT_MEAN);
    }
}
