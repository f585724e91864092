package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.Loadgen;
import io.talosgateway.loadgen.experiment.engine.Experiment;
import io.talosgateway.loadgen.experiment.engine.Scale;
import io.talosgateway.loadgen.experiment.engine.Trial;
import io.talosgateway.loadgen.experiment.engine.TrialClient;
import io.talosgateway.loadgen.experiment.engine.TrialComparison;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What experiments tell {@code talos-loadgen}. */
final class ClientArgumentsTest {

    static List<TrialComparison> comparisons() {
        List<TrialComparison> comparisons = new ArrayList<>();
        for (Experiment experiment : Experiments.ALL) {
            if (experiment instanceof TrialComparison comparison) {
                comparisons.add(comparison);
            }
        }
        return comparisons;
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void commandsKnowThemAll(TrialComparison comparison) {
        for (Scale scale : Scale.values()) {
            List<Trial> trials = comparison.trials(NameCommand.settings(comparison, scale));
            assertThat(trials).isNotEmpty();
            for (Trial trial : trials) {
                for (TrialClient client : trial.clients()) {
                    if (client.mainClass() == null) {
                        List<String> arguments = new ArrayList<>(List.of(client.command()));
                        arguments.addAll(client.arguments());
                        Loadgen.commandLine().parseArgs(arguments.toArray(String[]::new));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void noTwoTrialsHaveTheSameNames(TrialComparison comparison) {
        for (Scale scale : Scale.values()) {
            assertThat(comparison.trials(NameCommand.settings(comparison, scale)))
                    .extracting(trial -> trial.load() + " / " + trial.variant())
                    .doesNotHaveDuplicates();
        }
    }
}
