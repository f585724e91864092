package io.talosgateway.localcluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four gateways on real HDFS and ZooKeeper, all of them processes, under load, while one kind of fault after another happens: after
 * that, every answer that was given must have been true. Another seed: {@code -Dfaults.seed=N}.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ClusterFaultsIT {

    private static final int FEWEST_KINDS = 6;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    private ClusterScript cluster;

    @BeforeEach
    void up() throws Exception {
        cluster = new ClusterScript(directory);
        // Shorter than by default, so that a fault takes less of the build's time.
        cluster.succeed(
                "up",
                "--gateways",
                "4",
                "--datanodes",
                "3",
                "--set",
                "zookeeper.session-timeout=4s",
                "--set",
                "cluster.removal-delay=2s",
                // So that lanes need new files while there is no room for them.
                "--set",
                "journal.file-size=256KiB");
    }

    @AfterEach
    void down() throws Exception {
        cluster.down();
    }

    @Test
    void everyAnswerIsTrueWhateverFails() throws Exception {
        Path file = directory.resolve("report.json");
        ClusterScript.Result result = cluster.loadgen(
                Duration.ofMinutes(8),
                "verify",
                "--seed",
                System.getProperty("faults.seed", "1"),
                "--duration",
                "175s",
                "--faults",
                "kill,pause,restart,datanode,namenode,zookeeper,clock,disk-full,power",
                "--retention",
                "30s",
                "--fault-every",
                "10s",
                "--pause-for",
                "8s",
                "--put-rate",
                "150",
                // A loaded machine may be slow; this is about what is true.
                "--tolerance",
                "5s",
                "--report",
                file.toString());

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("GOOD");
        List<String> kinds =
                new ObjectMapper().readTree(file.toFile()).path("faults").findValuesAsText("kind");
        // On a slow machine, hosts take longer to come back, and the last kinds of fault find no time.
        assertThat(Set.copyOf(kinds)).as(result.output()).hasSizeGreaterThanOrEqualTo(FEWEST_KINDS);
    }
}
