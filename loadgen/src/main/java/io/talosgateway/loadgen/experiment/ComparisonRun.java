package io.talosgateway.loadgen.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.report.Environment;
import io.talosgateway.loadgen.report.ResultFile;
import io.talosgateway.loadgen.report.ResultFolder;

/** Makes the trials of a comparison in turn, and keeps what came of them. For one thread. */
final class ComparisonRun {

    private static final int FAILED = 1;
    private static final int INTERRUPTED = 130;

    private final Experiment experiment;
    private final TrialEnvironment environment;
    private final List<Trial> trials;
    private final List<Measurement> measurements = new ArrayList<>();
    private final Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final long startedAtNanos = System.nanoTime();

    ComparisonRun(Experiment experiment, TrialEnvironment environment) {
        this.experiment = experiment;
        this.environment = environment;
        this.trials = experiment.trials().stream()
                .filter(trial -> environment.wants(trial.variant()))
                .toList();
    }

    /**
     * Does it, and says and keeps what came of it.
     *
     * @return the exit status
     */
    int run() {
        boolean interrupted = !makeAll();
        environment.progress().end();
        if (measurements.isEmpty()) {
            return INTERRUPTED;
        }
        show(interrupted);
        if (interrupted) {
            return INTERRUPTED;
        }
        return measurements.stream().anyMatch(run -> run.failure() != null) ? FAILED : 0;
    }

    /** Returns false if it was interrupted. */
    private boolean makeAll() {
        int rounds = environment.settings().rounds();
        try {
            for (int round = 1; round <= rounds; round++) {
                for (Trial trial : order(trials, round)) {
                    make(trial, round, rounds);
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * In which order a round makes its trials. All variants of a load come one after another, since the machine changes from minute
     * to minute; and each round begins with another variant, so that none is always the first.
     *
     * @param round from 1
     */
    static List<Trial> order(List<Trial> trials, int round) {
        Map<String, List<Trial>> byLoad = new LinkedHashMap<>();
        trials.forEach(trial ->
                byLoad.computeIfAbsent(trial.load(), any -> new ArrayList<>()).add(trial));
        byLoad.values().forEach(variants -> Collections.rotate(variants, 1 - round));
        return byLoad.values().stream().flatMap(List::stream).toList();
    }

    private void make(Trial trial, int round, int rounds) throws InterruptedException {
        String name = "round %d of %d, %s".formatted(round, rounds, trial.text());
        String left = "about %s left".formatted(TrialSettings.text(left(rounds)));
        String file = "%s-round-%d".formatted(trial.fileName(), round);
        Path out = environment.out().resolve("runs").resolve(file);
        TrialRun run = new TrialRun(
                environment,
                trial,
                round,
                environment.work().resolve(file),
                out,
                stage -> environment.progress().show("%s: %s; %s".formatted(name, stage, left)));
        Measurement measurement = run.measure();
        measurements.add(measurement);
        environment.progress().say(name + ": " + text(measurement));
    }

    private Duration left(int rounds) {
        int toDo = trials.size() * rounds - measurements.size();
        return measurements.isEmpty()
                ? environment.settings().ofTrial().multipliedBy(toDo)
                : Duration.ofNanos((System.nanoTime() - startedAtNanos) / measurements.size() * toDo);
    }

    private static String text(Measurement run) {
        if (run.failure() != null) {
            return "failed: " + run.shortFailure();
        }
        List<String> parts = new ArrayList<>();
        for (String kind : List.of("put", "get")) {
            if (Double.isFinite(run.value(kind + ".perSecond"))) {
                parts.add("%s %ss/s, mean %s ms, P99 %s ms"
                        .formatted(
                                Numbers.three(run.value(kind + ".perSecond")),
                                kind,
                                Numbers.three(run.value(kind + ".meanMs")),
                                Numbers.three(run.value(kind + ".p99Ms"))));
            }
        }
        double errors = run.value("errors");
        if (errors > 0) {
            parts.add("%.0f errors".formatted(errors));
        }
        return String.join("; ", parts);
    }

    private void show(boolean interrupted) {
        ExperimentReport report = new ExperimentReport(
                experiment,
                environment.settings(),
                startedAt.toString(),
                interrupted,
                Environment.here(),
                new Results(trials, measurements));
        Path out = environment.out();
        ResultFile.write(out.resolve(ResultFolder.RESULT), report.json());
        String markdown = report.markdown();
        ResultFile.writeText(out.resolve("table.md"), markdown);
        Path page = out.resolve(ResultFolder.REPORT);
        ResultFile.writeText(page, report.page());
        environment.text().print(markdown);
        environment.text().println("\nReport: " + page);
        environment.text().flush();
    }
}
