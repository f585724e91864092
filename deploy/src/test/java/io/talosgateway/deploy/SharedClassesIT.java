package io.talosgateway.deploy;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Prepares the classes of the distribution, which all other tests then use that start its programs, and looks at what Java makes of
 * them.
 */
final class SharedClassesIT {

    private static final Path ARCHIVE = GatewayProcess.DISTRIBUTION.resolve("cache/classes.jsa");

    @TempDir
    private static Path directory;

    private static int runs;

    @BeforeAll
    static void prepare() throws Exception {
        assertThat(run("talos-share-classes", "--if-needed", "")).isEmpty();
    }

    private static String run(String script, String argument, String options) throws Exception {
        Path output = directory.resolve("output-" + runs++ + ".txt");
        Map<String, String> environment = Map.of("TALOS_CLIENT_JAVA_OPTS", options, "TALOS_LOADGEN_JAVA_OPTS", options);
        Process process = GatewayProcess.run(script, output, List.of(argument), environment);
        assertThat(process.waitFor(9, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }

    private static void assertShares(String script) throws Exception {
        List<String> loaded = run(script, "--help", "-Xlog:class+load")
                .lines()
                .filter(line -> line.contains(" source: "))
                .toList();

        assertThat(loaded).hasSizeGreaterThan(500);
        assertThat(loaded.stream().filter(line -> !line.contains("shared objects file")))
                .hasSizeLessThan(loaded.size() / 5);
    }

    @Test
    void programsTakeMostOfTheirClassesFromTheArchive() throws Exception {
        assertShares("talos-gateway");
        assertShares("talos-loadgen");
    }

    /** A program must not fail, nor say anything, because of classes that were prepared for something else. */
    @Test
    void wrongArchiveIsPassedOverInSilence() throws Exception {
        byte[] good = Files.readAllBytes(ARCHIVE);
        byte[] ofAnotherJava = good.clone();
        byte[] mark = "64-Bit Server VM (".getBytes(StandardCharsets.ISO_8859_1);
        int place = new String(good, 0, 4096, StandardCharsets.ISO_8859_1)
                .indexOf(new String(mark, StandardCharsets.ISO_8859_1));
        assertThat(place).isPositive();
        ofAnotherJava[place + mark.length]++;
        Path archive = directory.resolve("archive.jsa");
        String expected = run("talos-gateway", "--version", "-XX:SharedArchiveFile=" + directory.resolve("none"));
        assertThat(expected).matches("talos-gateway [0-9]\\S+\n");

        for (byte[] content : List.of(
                ofAnotherJava,
                Arrays.copyOf(good, good.length / 2),
                Arrays.copyOf(good, 100),
                new byte[0],
                "not an archive".repeat(1000).getBytes(StandardCharsets.UTF_8))) {
            Files.write(archive, content);
            String options = "-XX:SharedArchiveFile=" + archive;

            assertThat(run("talos-gateway", "--version", options)).isEqualTo(expected);
            assertThat(run("talos-gateway", "--version", options + " -Xlog:class+load"))
                    .contains("io.talosgateway.cli.TalosGateway source: file:")
                    .doesNotContain("io.talosgateway.cli.TalosGateway source: shared");
        }
    }

    /** The packages are the same bytes whoever builds them. */
    @Test
    void archiveIsBesideTheLibrariesOnly() {
        File[] files = GatewayProcess.DISTRIBUTION.resolve("cache").toFile().listFiles();

        assertThat(files).containsExactly(ARCHIVE.toFile());
    }
}
