package io.talosgateway.localcluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Gateways are stopped (SIGSTOP) for longer than their sessions, so that others take their partitions over. A thousand gets that wait in
 * the connections of a stopped gateway are answered when it goes on (SIGCONT): none of them may be told of an end that
 * is not the end any more.
 */
final class PausedGatewayIT {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    private ClusterScript cluster;

    @BeforeEach
    void up() throws Exception {
        cluster = new ClusterScript(directory);
        cluster.succeed(
                "up",
                "--gateways",
                "3",
                "--datanodes",
                "1",
                "--set",
                "zookeeper.session-timeout=4s",
                "--set",
                "cluster.removal-delay=1s");
    }

    @AfterEach
    void down() throws Exception {
        cluster.down();
    }

    @Test
    void getsThatWaitedInAPausedGatewayAreToldTheTruth() throws Exception {
        Path file = directory.resolve("report.json");
        ClusterScript.Result result = cluster.loadgen(
                Duration.ofMinutes(9),
                "verify",
                "--seed",
                "1",
                "--duration",
                "35s",
                "--faults",
                "pause",
                "--fault-every",
                "15s",
                "--pause-for",
                "9s",
                "--put-rate",
                "100",
                // A loaded machine may be slow; this is about what is true.
                "--tolerance",
                "30s",
                "--report",
                file.toString());

        assertThat(Files.exists(file)).as(result.output()).isTrue();
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        int pauses = report.path("faults").size();
        assertThat(pauses).isPositive();
        assertThat(report.path("bufferedGets").asInt()).as(result.output()).isGreaterThan(100 * pauses);
        assertThat(result.output()).contains("GOOD");
        assertThat(result.status()).as(result.output()).isZero();
    }
}
