package io.talosgateway.loadgen.experiment;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.talosgateway.loadgen.Loadgen;
import io.talosgateway.loadgen.cli.YamlFile;
import io.talosgateway.loadgen.plan.Warmup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the files of experiments say. */
final class ExperimentsTest {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{[^}]*}");
    private static final ObjectNode SERVERS = node("{gateway: {settings: {a: 1}}}");

    static Stream<Experiment> experiments() {
        return Experiments.NAMES.stream()
                .flatMap(name -> Stream.of(Scale.values()).map(scale -> Experiments.usually(name, scale)));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void commandsKnowTheirArguments(Experiment experiment) {
        CommandLine commands = Loadgen.commandLine();
        assertThat(experiment.trials()).isNotEmpty().allSatisfy(trial -> {
            commands.parseArgs(Programs.words(trial.client()).toArray(String[]::new));
        });
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void contrastsAreOfVariantsThatThereAre(Experiment experiment) {
        assertThat(experiment.contrasts()).allSatisfy(contrast -> {
            assertThat(experiment.variants()).contains(contrast.of(), contrast.by());
            assertThat(experiment.contrasted()).isNotEmpty();
        });
        assertThat(experiment.columns()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void plotsOverSomethingHaveTrialsThatSayWhereTheyAre(Experiment experiment) {
        boolean sweeps = experiment.plots().stream().anyMatch(plot -> plot.sweep() != null);

        assertThat(experiment.trials())
                .allSatisfy(trial -> assertThat(trial.x() != null).isEqualTo(sweeps));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void namesAreFilledIn(Experiment experiment) {
        assertThat(experiment.description()).isNotEmpty();
        assertThat(experiment.toString()).doesNotContainPattern(VARIABLE);
    }

    private static ObjectNode node(String yaml) {
        return YamlFile.MAPPER.valueToTree(new Yaml().load(yaml));
    }

    private static List<Trial> trials(Scale scale, String trials) {
        Variables variables = Variables.of(Samples.settings(scale, StorageKind.FILE, 1, Samples.WARMUP));
        return Experiments.read(node("{name: sample, trials: [%s]}".formatted(trials)), SERVERS.deepCopy(), variables)
                .trials();
    }

    @Test
    void thereIsATrialForEachCombinationTheLastVariableChangingFirst() {
        String pattern =
                "{for: {batch: [1, 10], size: {quick: [4, 8], full: 16}}, load: 'batch ${batch}', variant: 'size ${size}', "
                        + "server: gateway, settings: {b: '${batch}'}, client: 'run --batch ${batch}  --pending 4', line: '${size}', "
                        + "x: '${size}'}";

        List<Trial> quick = trials(Scale.QUICK, pattern);

        assertThat(quick)
                .extracting(Trial::text)
                .containsExactly("size 4, batch 1", "size 8, batch 1", "size 4, batch 10", "size 8, batch 10");
        assertThat(Programs.words(quick.get(3).client())).containsExactly("run", "--batch", "10", "--pending", "4");
        assertThat(quick.get(3).x()).isEqualTo(8);
        assertThat(quick.get(3).line()).isEqualTo("8");
        assertThat(quick.get(3).server().text()).isEqualTo("bin/talos-gateway server --set a=1 --set b=10, JVM -Xmx2g");
        assertThat(quick.get(0).server().settings()).containsEntry("b", "1");
        assertThat(trials(Scale.FULL, pattern)).extracting(Trial::variant).containsExactly("size 16", "size 16");
    }

    @Test
    void trialsThatComeToTheSameAreOneAndThoseOfALoadAreTogether() {
        String pattern = "{for: {size: [4, 8, 4]}, load: '${size} B', variant: '%s', server: gateway, client: run}";

        assertThat(trials(Scale.QUICK, pattern.formatted("one") + "," + pattern.formatted("other")))
                .extracting(Trial::text)
                .containsExactly("one, 4 B", "other, 4 B", "one, 8 B", "other, 8 B");
    }

    @Test
    void nameThatNothingHasIsRefused() {
        assertThatThrownBy(() -> trials(Scale.QUICK, "{variant: a, server: gateway, client: 'run ${topic}'}"))
                .hasMessageContaining("names ${topic}");
        assertThatThrownBy(() -> trials(Scale.QUICK, "{variant: a, server: other, client: run}"))
                .hasMessageContaining("there is no server 'other'");
        assertThatThrownBy(() -> trials(Scale.QUICK, "{variant: a, client: run}"))
                .hasMessageContaining("there is no server ''");
        assertThatThrownBy(() -> trials(Scale.QUICK, "{for: {b: []}, variant: a, server: gateway, client: run}"))
                .hasMessageContaining("there is no value");
        assertThatThrownBy(() -> trials(Scale.QUICK, "{variant: a, server: gateway, client: run, lode: b}"))
                .hasMessageContaining("lode");
    }

    @Test
    void storageIsHdfsIfNobodySaysOtherwise() {
        assertThat(Experiments.usual("talos-full", Scale.FULL))
                .isEqualTo(
                        new TrialSettings(Scale.FULL, StorageKind.HDFS, 5, Warmup.AUTO, Duration.ofSeconds(30), 1, 1));
        assertThat(Experiments.usual("tls", Scale.FULL).storage()).isEqualTo(StorageKind.FILE);
    }
}
