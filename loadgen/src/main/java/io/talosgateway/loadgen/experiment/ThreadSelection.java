package io.talosgateway.loadgen.experiment;

import java.time.Duration;
import java.util.List;

import io.talosgateway.loadgen.experiment.engine.ProgramExperiment;
import io.talosgateway.loadgen.experiment.engine.Scale;
import io.talosgateway.loadgen.experiment.engine.Timing;
import io.talosgateway.loadgen.experiment.engine.TrialSettings;

/** The scheduler alone: why it helps to give a task to the thread that has the least to do. */
final class ThreadSelection implements ProgramExperiment {

    private static final String QUICK_THREADS = "16,32,100,200,800";
    private static final String FULL_THREADS = "16,24,32,64,100,200,400,800";
    private static final int POLICIES = 2;

    @Override
    public String name() {
        return "thread-selection";
    }

    @Override
    public String question() {
        return "Why does choosing the least-loaded thread help, and how many threads does it need?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "The scheduler alone, without HTTP and storage, under 4,000 tasks a second at random times, of 1,200 keys. A "
                        + "task computes a little and then waits 3 ms in the mean, as a put that is written and synced by its "
                        + "thread. Pools of many sizes, by hash and least-loaded: latency, context switches, and which threads "
                        + "run the tasks.",
                "It is the program that benchmarks/thread-selection.sh runs, which has more options.");
    }

    @Override
    public Timing timing(Scale scale) {
        return Timing.of(scale == Scale.QUICK ? 2 : 3, 2, 5);
    }

    @Override
    public String cost(TrialSettings settings) {
        Timing timing = settings.timing();
        int runs = threads(settings).split(",", -1).length * POLICIES * timing.rounds();
        Duration all = timing.warmup().plus(timing.duration()).multipliedBy(runs);
        return "%d runs of %d s: about %d min, no disk"
                .formatted(runs, timing.duration().toSeconds(), Math.max(1, all.toMinutes()));
    }

    @Override
    public String mainClass() {
        return "io.talosgateway.benchmarks.selection.ThreadSelection";
    }

    @Override
    public List<String> javaOptions() {
        return List.of("-Xmx1g");
    }

    private static String threads(TrialSettings settings) {
        return settings.choose(QUICK_THREADS, FULL_THREADS);
    }

    @Override
    public List<String> arguments(TrialSettings settings) {
        Timing timing = settings.timing();
        return List.of(
                "--threads",
                threads(settings),
                "--rounds",
                Integer.toString(timing.rounds()),
                "--seconds",
                Long.toString(Math.max(1, timing.duration().toSeconds())),
                "--seed",
                Long.toString(settings.seed()));
    }
}
