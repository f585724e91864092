package io.talosgateway.verifier;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.CommandResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code talos-loadgen verify} against clusters that keep their promises, and others. */
final class VerifyCommandTest {

    @TempDir
    private Path directory;

    /** A short run. With a tolerance of seconds, a slow machine does not matter. */
    private static CommandResult verify(StubCluster cluster, String timeout, String tolerance, String... options) {
        List<String> arguments = new ArrayList<>(List.of("verify"));
        cluster.endpoints().forEach(endpoint -> arguments.addAll(List.of("--endpoint", endpoint)));
        arguments.addAll(List.of(
                "--duration",
                "1500ms",
                "--partitions",
                "2",
                "--writers",
                "4",
                "--put-rate",
                "400",
                "--timeout",
                timeout,
                "--tolerance",
                tolerance,
                "--seed",
                "1",
                // How long a phase takes.
                "--fault-every",
                "500ms"));
        arguments.addAll(List.of(options));
        return CommandResult.of(arguments.toArray(String[]::new));
    }

    @Test
    void clusterThatKeepsItsPromisesIsGood() throws Exception {
        try (StubCluster cluster = new StubCluster(StubCluster.Manner.HONEST)) {
            Path file = directory.resolve("report.json");

            CommandResult result = verify(cluster, "200ms", "60s", "--report", file.toString());

            assertThat(result.out()).endsWith("\nGOOD\n");
            assertThat(result.status()).isZero();
            assertThat(result.err()).contains("Topic verify-1-").contains("with 2 partitions, seed 1");
            JsonNode report = new ObjectMapper().readTree(file.toFile());
            JsonNode counts = report.path("counts");
            assertThat(report.path("verdict").asText()).isEqualTo("GOOD");
            assertThat(counts.path("puts").asLong()).isPositive();
            // Three partitions, and more than one phase.
            assertThat(report.path("histories").path("histories").asLong()).isGreaterThan(3);
            assertThat(report.path("histories").path("operations").asLong()).isGreaterThan(20);
            assertThat(counts.path("repeats").asLong()).isPositive();
            assertThat(counts.path("attemptsRefused").path("overloaded").asLong())
                    .isPositive();
            assertThat(counts.path("attemptsUnknown").path("outcome-unknown").asLong())
                    .isPositive();
            assertThat(counts.path("stored").asLong())
                    .isGreaterThanOrEqualTo(counts.path("messages").asLong());
            assertThat(cluster.topicIsThere()).isFalse();
            assertThat(report.path("gaps").path("none").path("worstSeconds").asDouble())
                    .isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LOSES_ACKNOWLEDGED,acknowledged-is-there",
        "STORES_TWICE,stored-once",
        "CHANGES_ORDER,one-order",
        "CHANGES_BYTES,unchanged",
        "STORES_REFUSED,not-stored-is-not-there",
        "FORGETS_KEYS,repeat-is-marked",
        "ANSWERS_TO_ANOTHER_REQUEST,understood",
        "SHOWS_TWO_ORDERS,one-order",
        "SHOWS_STALE_END,acknowledged-is-seen",
        "SHOWS_STALE_END,linearizable",
        "SHOWS_TWO_STARTS,bounds-never-fall",
        "KEEPS_DELETED,linearizable",
        "LOSES_ACKNOWLEDGED,linearizable"
    })
    void clusterThatBreaksAPromiseIsBad(StubCluster.Manner manner, String rule) throws Exception {
        try (StubCluster cluster = new StubCluster(manner)) {
            CommandResult result = verify(cluster, "200ms", "60s");

            assertThat(result.out()).contains("\nBAD: ").contains("\n  " + rule + ": ");
            assertThat(cluster.topicIsThere()).isTrue();
            assertThat(result.status()).isEqualTo(1);
        }
    }

    @Test
    void clusterThatAnswersLateIsBad() throws Exception {
        try (StubCluster cluster = new StubCluster(StubCluster.Manner.ANSWERS_LATE)) {
            CommandResult result = verify(cluster, "40ms", "10ms");

            assertThat(result.out()).contains("\nBAD: ").contains("\n  in-time: ");
            assertThat(result.status()).isEqualTo(1);
        }
    }

    @Test
    void clusterThatIsNotThereIsSaidInALine() throws Exception {
        CommandResult result = CommandResult.of("verify", "--cluster", directory.toString());

        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err())
                .startsWith("talos-loadgen: There is no cluster in " + directory)
                .hasLineCount(1);
        // It is held, so that no other program can have it, and nobody listens.
        try (Socket port = new Socket()) {
            port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String endpoint = "http://127.0.0.1:" + port.getLocalPort();
            CommandResult nobody = CommandResult.of("verify", "--endpoint", endpoint);
            assertThat(nobody.status()).isEqualTo(3);
            assertThat(nobody.err()).contains("No gateway answers at " + endpoint);
        }
    }

    @Test
    void faultsNeedACluster() throws Exception {
        CommandResult result = CommandResult.of("verify", "--endpoint", "http://127.0.0.1:1", "--faults", "kill");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err())
                .startsWith(
                        "talos-loadgen: With --endpoint, nothing can be done to the hosts, so there can be no faults");

        Files.writeString(directory.resolve("cluster.properties"), """
                gateways=gateway-1
                gateway-1.endpoint=http://127.0.0.1:1
                gateway-1.ops=http://127.0.0.1:2
                """);
        CommandResult noScript = CommandResult.of("verify", "--cluster", directory.toString(), "--faults", "kill");
        assertThat(noScript.status()).isEqualTo(3);
        assertThat(noScript.err()).contains("does not say cluster.script");
        CommandResult noNetworks =
                CommandResult.of("verify", "--cluster", directory.toString(), "--faults", "kill,partition");
        assertThat(noNetworks.status()).isEqualTo(2);
        assertThat(noNetworks.err()).contains("leave out 'partition'").contains("up --networks");
        CommandResult noDataNode =
                CommandResult.of("verify", "--cluster", directory.toString(), "--faults", "datanode");
        assertThat(noDataNode.status()).isEqualTo(2);
        assertThat(noDataNode.err()).contains("there is no DataNode in this cluster");
    }

    @ParameterizedTest
    @CsvSource({
        "--faults,explode,--faults: 'explode' is none of kill",
        "--partitions,0,--partitions must be 1 to 1000",
        "--writers,0,--writers must be 1 to 1000",
        "--size,27B,--size must be 28B to 1MiB",
        "--timeout,1ms,--timeout must be 20ms to 60s",
        "--fault-every,often,Invalid value for option '--fault-every'"
    })
    void wrongUsageIsExplained(String option, String value, String line) {
        CommandResult result = CommandResult.of("verify", option, value);

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).startsWith("talos-loadgen: " + line);
    }

    @Test
    void helpTeaches() {
        assertThat(CommandResult.of("verify", "--help").out())
                .contains("byte for byte", "kill -9 of a gateway", "Examples:", "Exit status:", "GOOD", "BAD");
    }
}
