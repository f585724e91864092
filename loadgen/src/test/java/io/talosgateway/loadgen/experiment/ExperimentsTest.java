package io.talosgateway.loadgen.experiment;

import java.util.List;
import java.util.regex.Pattern;

import io.talosgateway.loadgen.Loadgen;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/** What the files of experiments say. */
final class ExperimentsTest {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{[^}]*}");

    static List<Experiment> experiments() {
        return Experiments.ALL;
    }

    static List<Experiment> comparisons() {
        return Experiments.ALL.stream().filter(one -> one.program() == null).toList();
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void commandsKnowTheirArguments(Experiment experiment) {
        CommandLine commands = Loadgen.commandLine();
        for (Scale scale : Scale.values()) {
            assertThat(experiment.trials(experiment.usual(scale))).isNotEmpty().allSatisfy(trial -> {
                if (!trial.client().isOfKit()) {
                    commands.parseArgs(trial.client().words().toArray(String[]::new));
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void contrastsAreOfVariantsThatThereAre(Experiment experiment) {
        List<String> variants = experiment.variants(experiment.usual(Scale.FULL));

        assertThat(experiment.contrasts()).allSatisfy(contrast -> {
            assertThat(variants).contains(contrast.of(), contrast.by());
            assertThat(experiment.contrasted()).isNotEmpty();
        });
        assertThat(experiment.columns()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void plotsOverSomethingHaveTrialsThatSayWhereTheyAre(Experiment experiment) {
        boolean sweeps = experiment.plots().stream().anyMatch(plot -> plot.sweep() != null);

        assertThat(experiment.trials(experiment.usual(Scale.QUICK)))
                .allSatisfy(trial -> assertThat(Double.isFinite(trial.x())).isEqualTo(sweeps));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void namesAreFilledIn(Experiment experiment) {
        for (Scale scale : Scale.values()) {
            assertThat(experiment.description(experiment.usual(scale)))
                    .isNotEmpty()
                    .noneMatch(VARIABLE.asPredicate());
            assertThat(experiment.trials(experiment.usual(scale)))
                    .extracting(Object::toString)
                    .noneMatch(VARIABLE.asPredicate());
        }
    }
}
