package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.talosgateway.powercut.CutDisk;
import io.talosgateway.powercut.PowerCutJvm;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Cuts the power of a gateway that is put to: what was not forced is lost, in parts.
 *
 * <p>{@code -Dpowercut.cuts} says how many cuts, {@code -Dpowercut.first-seed} with which seed to begin; each seed is a gateway that
 * starts on an empty disk and goes through {@value #CUTS_OF_SEED} cuts. {@code -Dpowercut.storage=hdfs} cuts a NameNode, its DataNodes
 * and the gateway.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class PowerCutIT {

    private static final int CUTS_OF_SEED = 5;
    private static final int CUTS = Integer.getInteger("powercut.cuts", 5);
    private static final long FIRST_SEED = Long.getLong("powercut.first-seed", 1);
    private static final String STORAGE = System.getProperty("powercut.storage", "files");

    @TestFactory
    Stream<DynamicTest> promisesOutlivePowerCuts() {
        return Stream.iterate(FIRST_SEED, seed -> seed + 1)
                .limit((CUTS + CUTS_OF_SEED - 1) / CUTS_OF_SEED)
                .map(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(seed)));
    }

    private static void run(long seed) throws Exception {
        Path directory = Files.createTempDirectory("powercut-").toRealPath();
        try (PowerCutMachine machine = machine(directory);
                PowerCutLife life = new PowerCutLife(machine, directory, seed, PowerCutJvm.inDirectory(directory))) {
            assertTimeoutPreemptively(Duration.ofMinutes(6L * CUTS_OF_SEED), () -> life.run(CUTS_OF_SEED));
        } catch (AssertionError | Exception e) {
            throw new AssertionError(
                    "with -Dpowercut.storage=%s -Dpowercut.first-seed=%d -Dpowercut.cuts=%d; logs, records and disk are kept in %s"
                            .formatted(STORAGE, seed, CUTS_OF_SEED, directory),
                    e);
        }
        CutDisk.write(Map.of(), directory);
        Files.delete(directory);
    }

    private static PowerCutMachine machine(Path directory) throws IOException, InterruptedException {
        return switch (STORAGE) {
            case "files" -> PowerCutMachine.onFiles(directory);
            case "hdfs" -> PowerCutMachine.onHdfs(directory);
            default -> throw new IllegalArgumentException("powercut.storage must be files or hdfs: " + STORAGE);
        };
    }
}
