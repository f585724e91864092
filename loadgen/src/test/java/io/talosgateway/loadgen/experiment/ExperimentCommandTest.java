package io.talosgateway.loadgen.experiment;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.LoadFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

final class ExperimentCommandTest {

    @TempDir
    private Path directory;

    private record Result(int status, String out, String err) {}

    private static Result execute(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = CommandLines.of(ExperimentCommand.spec(true), LoadFailure.class::isInstance)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        return new Result(command.execute(arguments), out.toString(), err.toString());
    }

    static List<String> names() {
        return Experiments.NAMES;
    }

    private static String question(String name) {
        return Experiments.usually(name, Scale.QUICK).question();
    }

    @ParameterizedTest
    @MethodSource("names")
    void helpTeachesWhatAnExperimentAsksAndTakes(String name) {
        Result help = execute(name, "--help");

        assertThat(help.status()).isZero();
        assertThat(help.out().replaceAll("\\s+", " "))
                .contains(question(name))
                .contains("--scale quick: ")
                .contains("--scale full: ")
                .doesNotContain("%%");
    }

    @Test
    void listShowsAllWithTheirQuestionsAndCosts() {
        Result list = execute("list");

        assertThat(list.status()).isZero();
        assertThat(Experiments.NAMES)
                .allSatisfy(
                        name -> assertThat(list.out()).contains(name + System.lineSeparator() + "  " + question(name)));
        assertThat(list.out()).contains("quick  ").contains("full   ");
    }

    @Test
    void namesAreUnlikeEachOther() {
        assertThat(Experiments.NAMES).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z0-9-]+"));
    }

    @Test
    void withoutANameItSaysWhereTheNamesAre() {
        Result result = execute();

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("Which experiment? 'talos-loadgen experiment list' shows them");
    }

    @Test
    void nameThatIsNearlyRightIsCorrected() {
        Result result = execute("talos-ful");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("talos-full");
    }

    @Test
    void variantThatIsNotThereIsRefusedWithThoseThatAre() {
        Result result = execute("talos-full", "--only", "2.1.6,2.1.7");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains("--only: there is no variant '2.1.7'; there are 2.1.5, 2.1.6, 2.1.6-new, ours");
    }

    @Test
    void folderThatIsNotEmptyIsRefusedBeforeAnythingIsStarted() throws Exception {
        Files.createFile(directory.resolve("file"));

        Result result = execute("talos-full", "--out", directory.toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("is not empty; name another folder");
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        assertThat(execute("talos-full", "--rounds", "0").err()).contains("--rounds must be at least 1");
        assertThat(execute("talos-full", "--duration", "0s").err()).contains("--duration must be positive");
        assertThat(execute("talos-full", "--data-nodes", "0").err()).contains("--data-nodes must be at least 1");
        assertThat(execute("talos-full", "--scale", "huge").status()).isEqualTo(2);
    }

    @Test
    void outsideOfADistributionItSaysWhatToUse() {
        Result result = execute(
                "talos-full",
                "--storage",
                "file",
                "--out",
                directory.resolve("out").toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("use its bin/talos-loadgen");
    }
}
