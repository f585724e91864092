package io.talosgateway.powercut;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.talosgateway.powercut.CutDisk.Rule;
import io.talosgateway.powercut.FileProgram.Forgets;
import io.talosgateway.powercut.FileProgram.Hand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Programs that forget to force something lose just that, whatever they write with. They are killed, with all they know. */
final class CutDiskTest {

    private static final int SEEDS = 100;
    private static final String DIRECTORY = FileProgram.DIRECTORY + "/";
    private static final String FILE = DIRECTORY + FileProgram.FILE;
    private static final String TEMPORARY = DIRECTORY + FileProgram.TEMPORARY;

    @TempDir
    private static Path directory;

    /** What the programs left. */
    private static Path disk;
    /** By seed. */
    private static List<Map<String, byte[]>> cuts = new ArrayList<>();

    @BeforeAll
    static void killPrograms() throws Exception {
        Path trace = Files.createDirectory(directory.resolve("trace"));
        disk = makeHomes("disk");
        Path output = directory.resolve("output");
        Process programs = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        PowerCutJvm.inDirectory(directory).option(disk, trace, 0),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FileProgram.class.getName(),
                        disk.toString())
                .redirectError(output.toFile())
                .start();
        try {
            assertThat(programs.getInputStream().read())
                    .as(Files.readString(output))
                    .isEqualTo('d');
        } finally {
            programs.destroyForcibly().waitFor();
        }
        CutDisk cutDisk = replayed(Rule.POSIX);
        for (int seed = 0; seed < SEEDS; seed++) {
            cuts.add(cutDisk.afterCut(Fate.of(new Random(seed))));
        }
    }

    @AfterAll
    static void forgetCuts() {
        cuts = List.of();
    }

    private static Path makeHomes(String name) throws Exception {
        Path root = Files.createDirectory(directory.resolve(name));
        for (Hand hand : Hand.values()) {
            for (Forgets forgets : Forgets.values()) {
                Files.createDirectory(root.resolve(FileProgram.home(hand, forgets)));
            }
        }
        return root;
    }

    /** The disk as it was before, with all that the programs did to it. */
    private static CutDisk replayed(Rule rule) throws Exception {
        Path after = directory.resolve("after");
        Files.move(disk, after);
        try {
            makeHomes("disk");
            CutDisk cutDisk = CutDisk.before(disk, path -> rule);
            cutDisk.replay(directory.resolve("trace"));
            return cutDisk;
        } finally {
            CutDisk.write(Map.of(), disk);
            Files.delete(disk);
            Files.move(after, disk);
        }
    }

    /** What is found of a program for each seed. */
    private static List<Map<String, byte[]>> cutsOf(Hand hand, Forgets forgets) {
        return cuts.stream().map(cut -> of(hand, forgets, cut)).toList();
    }

    private static Map<String, byte[]> of(Hand hand, Forgets forgets, Map<String, byte[]> cut) {
        String home = FileProgram.home(hand, forgets) + "/";
        Map<String, byte[]> found = new TreeMap<>();
        cut.forEach((name, bytes) -> {
            if (name.startsWith(home) && !name.equals(home)) {
                found.put(name.substring(home.length()), bytes);
            }
        });
        return found;
    }

    private static boolean isWhole(byte[] bytes) {
        return Arrays.equals(bytes, FileProgram.CONTENT);
    }

    private static void assertSame(Map<String, byte[]> found, Map<String, byte[]> expected) {
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        found.forEach((name, bytes) ->
                assertThat(Arrays.equals(bytes, expected.get(name))).as(name).isTrue());
    }

    static Stream<Arguments> programsThatForget() {
        return Stream.of(Hand.values())
                .flatMap(hand -> Stream.of(Forgets.BYTES, Forgets.DIRECTORY, Forgets.NAME, Forgets.RENAME)
                        .map(forgets -> Arguments.of(hand, forgets)));
    }

    @Test
    void recordHoldsAllThatWasDone() throws Exception {
        assertSame(replayed(Rule.POSIX).afterCut(Fate.everything()), CutDisk.contentOf(disk));
    }

    @Test
    void contentIsWrittenAsItWasFound() throws Exception {
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Files.writeString(copy.resolve("old"), "old");
        for (Map<String, byte[]> cut : cuts.subList(0, 5)) {
            CutDisk.write(cut, copy);
            assertSame(CutDisk.contentOf(copy), cut);
        }
    }

    @Test
    void sameSeedFindsTheSame() throws Exception {
        CutDisk cutDisk = replayed(Rule.POSIX);
        for (int seed = 0; seed < SEEDS; seed++) {
            assertSame(cutDisk.afterCut(Fate.of(new Random(seed))), cuts.get(seed));
        }
    }

    @ParameterizedTest
    @EnumSource(Hand.class)
    void whatIsForcedSurvivesEachCut(Hand hand) {
        for (Map<String, byte[]> cut : cutsOf(hand, Forgets.NOTHING)) {
            assertThat(cut.keySet()).containsExactly(DIRECTORY, FILE);
            assertThat(isWhole(cut.get(FILE))).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("programsThatForget")
    void whatIsNotForcedIsLostForSomeSeedAndNothingElse(Hand hand, Forgets forgets) {
        int lost = 0;
        for (Map<String, byte[]> cut : cutsOf(hand, forgets)) {
            boolean all = cut.containsKey(FILE) && isWhole(cut.get(FILE));
            lost += all ? 0 : 1;
            switch (forgets) {
                case BYTES -> assertThat(cut.keySet()).containsExactly(DIRECTORY, FILE);
                case DIRECTORY -> assertThat(all).isEqualTo(!cut.isEmpty());
                case NAME -> {
                    assertThat(cut.keySet()).contains(DIRECTORY).isSubsetOf(DIRECTORY, FILE);
                    assertThat(all).isEqualTo(cut.containsKey(FILE));
                }
                default -> {
                    assertThat(cut.keySet()).containsExactly(DIRECTORY, all ? FILE : TEMPORARY);
                    assertThat(isWhole(cut.get(all ? FILE : TEMPORARY))).isTrue();
                }
            }
        }
        assertThat(lost).isBetween(1, SEEDS - 1);
    }

    /** Each sector is as it was written or as it was not, and sectors do not survive in order. */
    @Test
    void unforcedBytesAreTornBetweenSectors() {
        int holes = 0;
        for (Map<String, byte[]> cut : cutsOf(Hand.STREAM, Forgets.BYTES)) {
            byte[] found = cut.get(FILE);
            boolean lostBefore = false;
            // The first byte is written for itself.
            for (int from = 512; from < found.length; from += 512) {
                int to = Math.min(from + 512, found.length);
                boolean there = Arrays.equals(found, from, to, FileProgram.CONTENT, from, to);
                boolean zeros = Arrays.equals(found, from, to, new byte[512], 0, to - from);
                assertThat(there || zeros).isTrue();
                holes += there && lostBefore ? 1 : 0;
                lostBefore |= zeros;
            }
        }
        assertThat(holes).isPositive();
    }

    @Test
    void forcedFileKeepsItsNameWhereTheFileSystemDoesThat() throws Exception {
        CutDisk named = replayed(Rule.NAMED);
        for (int seed = 0; seed < SEEDS; seed++) {
            Map<String, byte[]> cut = of(Hand.CHANNEL, Forgets.NAME, named.afterCut(Fate.of(new Random(seed))));
            assertThat(isWhole(cut.get(FILE))).isTrue();
        }
    }

    @Test
    void nothingIsLostOfWhatIsSpared() throws Exception {
        CutDisk spared = replayed(Rule.SPARED);
        for (int seed = 0; seed < SEEDS; seed++) {
            assertSame(spared.afterCut(Fate.of(new Random(seed))), CutDisk.contentOf(disk));
        }
    }

    /** Later programs force files. */
    @Test
    void laterForceMakesNamesSafeWhereThereIsOneJournal() throws Exception {
        CutDisk journaled = replayed(Rule.JOURNALED);
        for (int seed = 0; seed < SEEDS; seed++) {
            Map<String, byte[]> cut = journaled.afterCut(Fate.of(new Random(seed)));
            assertThat(isWhole(of(Hand.CHANNEL, Forgets.RENAME, cut).get(FILE))).isTrue();
        }
    }
}
