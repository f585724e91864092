package io.talosgateway.fuzz;

import java.util.List;
import java.util.stream.Stream;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One decoder with Jazzer, which finds inputs by the branches that they take: {@code -Dfuzz.target=NAME}, and the environment
 * variable {@code JAZZER_FUZZ=1}. Not in the build: Jazzer instruments the classes of the whole JVM.
 */
@Tag("by-hand")
final class CoverageGuidedFuzzTest {

    private static final List<FuzzTarget<?>> TARGETS = Targets.all();
    private static final List<Fuzzer> FUZZERS =
            TARGETS.stream().<Fuzzer>map(Fuzzer::new).toList();

    static Stream<byte[]> seeds() {
        return TARGETS.stream().flatMap(target -> target.seeds().stream());
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "")
    void whateverItIsGivenIsDecodedOrRefused(byte[] input) {
        FUZZERS.forEach(fuzzer -> fuzzer.runHere(input));
    }
}
