package io.talosgateway.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.talosgateway.powercut.PowerCutJvm;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Cuts the power of a gateway on a local disk that is put to: what it did not force is lost, in parts.
 *
 * <p>{@code -Dpowercut.cuts} says how many cuts, {@code -Dpowercut.first-seed} with which seed to begin; each seed is a gateway that
 * starts on an empty disk and goes through {@value #CUTS_OF_SEED} cuts.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class PowerCutIT {

    private static final int CUTS_OF_SEED = 5;
    private static final int CUTS = Integer.getInteger("powercut.cuts", 10);
    private static final long FIRST_SEED = Long.getLong("powercut.first-seed", 1);

    @TestFactory
    Stream<DynamicTest> promisesOutlivePowerCuts(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        PowerCutJvm jvm = PowerCutJvm.inDirectory(directory);
        return Stream.iterate(FIRST_SEED, seed -> seed + 1)
                .limit((CUTS + CUTS_OF_SEED - 1) / CUTS_OF_SEED)
                .map(seed -> DynamicTest.dynamicTest(
                        "seed " + seed,
                        () -> run(seed, Files.createDirectory(directory.resolve("seed-" + seed)), jvm)));
    }

    private static void run(long seed, Path directory, PowerCutJvm jvm) throws Exception {
        try (PowerCutLife life = new PowerCutLife(directory, seed, jvm)) {
            assertTimeoutPreemptively(Duration.ofMinutes(2L * CUTS_OF_SEED), () -> life.run(CUTS_OF_SEED));
        } catch (AssertionError | Exception e) {
            throw new AssertionError(
                    "with -Dpowercut.first-seed=%d -Dpowercut.cuts=%d; logs, records and disk are kept in %s"
                            .formatted(seed, CUTS_OF_SEED, directory),
                    e);
        }
    }
}
