package io.talosgateway.fuzz;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Damaged and hostile bytes for each decoder: the same in every build. {@code -Dfuzz.inputs=...} or {@code -Dfuzz.seconds=...} for
 * each decoder, {@code -Dfuzz.seed=...}, {@code -Dfuzz.target=REGEX} for more, others, or some.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class DecodersFuzzTest {

    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final long INPUTS = Long.getLong("fuzz.inputs", 3_000);
    private static final long SECONDS = Long.getLong("fuzz.seconds", 0);

    static Stream<FuzzTarget<?>> targets() {
        return Targets.all().stream();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void whateverItIsGivenIsDecodedOrRefused(FuzzTarget<?> target) throws Exception {
        long startedAtNanos = System.nanoTime();
        Fuzzer.Until until = SECONDS == 0
                ? inputs -> inputs >= INPUTS
                : inputs -> System.nanoTime() - startedAtNanos
                        >= Duration.ofSeconds(SECONDS).toNanos();
        Fuzzer.Counts counts = new Fuzzer(target).run(SEED, until);
        System.out.printf(
                "fuzz %-24s seed %d: %,d inputs, %,d decoded, slowest %,d us, most %,d bytes, %,d ms%n",
                target,
                SEED,
                counts.inputs(),
                counts.decoded(),
                counts.slowestMicros(),
                counts.mostBytes(),
                (System.nanoTime() - startedAtNanos) / 1_000_000);
    }

    /** What a failure has left behind: {@code -Dfuzz.file=PATH -Dfuzz.target=NAME}. */
    @Test
    @Tag("by-hand")
    void oneInput() throws Exception {
        List<FuzzTarget<?>> targets = Targets.all();
        assertThat(targets).hasSize(1);
        new Fuzzer(targets.get(0)).run(Files.readAllBytes(Path.of(System.getProperty("fuzz.file"))));
    }
}
