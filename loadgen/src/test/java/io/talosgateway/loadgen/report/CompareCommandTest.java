package io.talosgateway.loadgen.report;

import java.nio.file.Files;
import java.nio.file.Path;

import io.talosgateway.loadgen.CommandResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code talos-loadgen compare}. */
final class CompareCommandTest {

    @TempDir
    private Path directory;

    private String run(String name, long putMs) throws Exception {
        Path folder = Files.createDirectory(directory.resolve(name));
        ResultFile.write(folder.resolve("result.json"), SampleReports.report(putMs));
        return folder.toString();
    }

    @Test
    void foldersAndFilesAreCompared() throws Exception {
        Path page = directory.resolve("comparison.html");

        CommandResult result = CommandResult.of(
                "compare", run("a", 3), run("b", 6) + "/result.json", run("c", 9), "--html", page.toString());

        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        assertThat(result.out()).containsPattern("A +B +B/A +C +C/A").endsWith("Report: " + page + "\n");
        assertThat(page).content().contains("Comparison of 3 runs", "&quot;style&quot;:&quot;r3&quot;");
    }

    @Test
    void whatIsNoResultIsSaidInOneLine() throws Exception {
        String run = run("a", 3);
        Path other = Files.writeString(directory.resolve("other.json"), "{\"verdict\":\"GOOD\"}");
        Path text = Files.writeString(directory.resolve("text"), "put 8");

        assertThat(CommandResult.of("compare", run, directory.resolve("none").toString()))
                .isEqualTo(new CommandResult(
                        1, "", "talos-loadgen: There is no result " + directory.resolve("none") + "\n"));
        assertThat(CommandResult.of("compare", run, other.toString()).err())
                .isEqualTo("talos-loadgen: " + other + " is not a result of 'talos-loadgen run'\n");
        assertThat(CommandResult.of("compare", run, text.toString()).err())
                .startsWith("talos-loadgen: " + text + " is not a result of 'talos-loadgen run': ")
                .hasLineCount(1);
    }

    @Test
    void oneRunIsNotEnough() throws Exception {
        CommandResult result = CommandResult.of("compare", run("a", 3));

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).startsWith("talos-loadgen: ").contains("RUN");
    }
}
