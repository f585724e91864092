package io.talosgateway.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.talosgateway.dashboards.DeployFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the start scripts make of their surroundings, with a Java that prints its arguments, a line each. */
final class StartScriptsTest {

    @TempDir
    private Path directory;

    private Path home;
    private Path archive;

    private record Result(int status, List<String> lines) {}

    @BeforeEach
    void install() throws IOException {
        home = Files.createDirectory(directory.resolve("a home"));
        archive = home.resolve("cache/classes.jsa");
        Files.createDirectory(home.resolve("lib"));
        Files.createFile(home.resolve("lib/a.jar"));
        Files.createDirectory(home.resolve("bin"));
        for (String script : List.of("talos-gateway", "talos-loadgen", "talos-share-classes")) {
            executable(
                    home.resolve("bin").resolve(script),
                    Files.readString(
                            DeployFiles.file("src/main/distribution/bin").resolve(script)));
        }
        Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
        executable(
                java,
                "#!/bin/sh\necho \"charset of ${LC_ALL:-${LANG:-}}\"\nfor word in \"$@\"; do echo \"$word\"; done\n");
    }

    private static void executable(Path file, String content) throws IOException {
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Result run(String script, String... arguments) throws Exception {
        return run(Map.of(), script, arguments);
    }

    private Result run(Map<String, String> environment, String script, String... arguments) throws Exception {
        Path output = directory.resolve("output.txt");
        ProcessBuilder builder =
                new ProcessBuilder(home.resolve("bin").resolve(script).toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().keySet().removeIf(name -> name.startsWith("TALOS_"));
        builder.environment().putAll(environment);
        builder.environment().put("JAVA_HOME", directory.resolve("java").toString());
        builder.environment().put("TALOS_CLIENT_JAVA_OPTS", "-Dof=user");
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), Files.readAllLines(output));
    }

    private List<String> sharing() {
        return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off");
    }

    private void prepare() throws IOException {
        Files.createDirectories(archive.getParent());
        Files.writeString(archive, "classes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"talos-gateway server", "talos-gateway doctor", "talos-gateway topic", "talos-loadgen run"})
    void everyProgramUsesTheClassesThatWerePrepared(String command) throws Exception {
        String[] words = command.split(" ", 2);
        assertThat(run(words[0], words[1], "two words").lines).doesNotContainAnyElementsOf(sharing());

        prepare();

        assertThat(run(words[0], words[1], "two words").lines)
                .containsSubsequence(sharing())
                .endsWith(words[1], "two words");
    }

    /** Java would read and write every other character than ASCII as a question mark. */
    @Test
    void textIsUtf8WhateverTheLocale() throws Exception {
        Map<String, String> plain = Map.of("LC_ALL", "C", "LC_CTYPE", "", "LANG", "");
        assertThat(run(plain, "talos-gateway", "put").lines).contains("charset of C.UTF-8");
        Map<String, String> german = Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", "de_DE.UTF-8");
        assertThat(run(german, "talos-gateway", "put").lines).contains("charset of de_DE.UTF-8");
    }

    @Test
    void optionsOfTheUserComeAfterThoseOfTheScript() throws Exception {
        prepare();

        assertThat(run("talos-gateway", "topic").lines)
                .containsSubsequence(sharing().get(0), sharing().get(1), "-Dof=user");
    }

    /** Asks the Java of this test, which does not start with an option that it does not know, whatever the collector. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | G1MaxNewSizePercent=20 MinHeapFreeRatio=75 MaxHeapFreeRatio=90",
                "-XX:G1MaxNewSizePercent=30 -XX:MinHeapFreeRatio=50 | G1MaxNewSizePercent=30 MinHeapFreeRatio=50 MaxHeapFreeRatio=90",
                "-XX:+UseSerialGC | G1MaxNewSizePercent=20",
                "-XX:+UseZGC | G1MaxNewSizePercent=20"
            })
    void sizesOfAServersHeapAreThoseOfTheScriptUnlessTheUserSaysOtherwise(String ofUser, String sizes)
            throws Exception {
        executable(
                directory.resolve("java/bin/java"),
                "#!/bin/sh\nexec '%s/bin/java' -XX:+PrintFlagsFinal \"$@\"\n"
                        .formatted(System.getProperty("java.home")));

        List<String> lines = run(Map.of("TALOS_SERVER_JAVA_OPTS", ofUser), "talos-gateway", "server").lines;
        for (String size : sizes.split(" ", -1)) {
            assertThat(lines)
                    .anyMatch(line -> line.matches(" *uintx %s .*command line.*".formatted(size.replace("=", " += "))));
        }
    }

    /** Also one with the time and size of the former one, which is all that the JVM would look at. */
    @Test
    void classesAreNotUsedAfterALibraryHasChanged() throws Exception {
        prepare();
        Path library = home.resolve("lib/a.jar");
        // The clock of a file system may stand still for some milliseconds.
        while (changedAt(library).compareTo(changedAt(archive)) <= 0) {
            Files.setLastModifiedTime(library, Files.getLastModifiedTime(library));
        }

        for (String script : List.of("talos-gateway", "talos-loadgen")) {
            assertThat(run(script, "run").lines).isNotEmpty().doesNotContainAnyElementsOf(sharing());
        }
    }

    private static FileTime changedAt(Path path) throws IOException {
        return (FileTime) Files.getAttribute(path, "unix:ctime");
    }

    @Test
    void classesArePreparedOnceIfThatWillDo() throws Exception {
        prepare();

        assertThat(run("talos-share-classes", "--if-needed")).isEqualTo(new Result(0, List.of()));
        assertThat(archive).hasContent("classes");
    }

    /** The Java of this test writes no archive. */
    @Test
    void nothingIsLeftOfClassesThatCouldNotBePrepared() throws Exception {
        assertThat(run("talos-share-classes").status).isNotZero();

        assertThat(home.resolve("cache")).isEmptyDirectory();
    }

    @Test
    void folderThatCannotBeWrittenToIsSaidAndDoesNoHarm() throws Exception {
        Files.createFile(home.resolve("cache"));

        assertThat(run("talos-share-classes"))
                .isEqualTo(new Result(
                        1, List.of("talos-share-classes: " + home.resolve("cache") + " cannot be written to")));
        assertThat(run("talos-gateway", "topic").lines).endsWith("topic").doesNotContainAnyElementsOf(sharing());
    }
}
