package io.talosgateway.benchmarks.selection;

import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class PoolLoadTest {

    @TempDir
    private Path temporary;

    private JsonNode result(String policy) throws Exception {
        Path out = temporary.resolve(policy);
        int status = PoolLoad.commandLine()
                .execute("--threads=40", "--policy=" + policy, "--warmup=100ms", "--duration=500ms", "--out=" + out);
        assertThat(status).isZero();
        assertThat(Files.size(out.resolve("put.hlog"))).isPositive();
        return new ObjectMapper().readTree(out.resolve("result.json").toFile());
    }

    private static double percent(JsonNode result, String which) {
        return result.path("values").path("pool.%sPercent".formatted(which)).asDouble();
    }

    @Test
    void everyTaskIsRunByAThreadThatThePolicyChooses() throws Exception {
        for (String policy : new String[] {"hash", "least-loaded"}) {
            JsonNode result = result(policy);

            assertThat(result.path("put").path("count").asLong()).isBetween(1_500L, 2_500L);
            assertThat(result.path("put").path("meanMs").asDouble()).isGreaterThan(1);
            assertThat(percent(result, "busiest")).isBetween(100 / 40.0, 100.0);
            assertThat(percent(result, "first8")).isBetween(1.0, percent(result, "first16"));
            assertThat(percent(result, "first32")).isBetween(percent(result, "first16"), 100.0);
        }
    }

    @Test
    void hashUsesAllThreadsAlike() throws Exception {
        // 32 of 40.
        assertThat(percent(result("hash"), "first32")).isCloseTo(80, within(15.0));
    }
}
