package io.talosgateway.localcluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four gateways on real HDFS and ZooKeeper, all of them processes, under load, while every kind of fault happens once: after
 * that, every answer that was given must have been true. Another seed: {@code -Dfaults.seed=N}.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ClusterFaultsIT {

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
        ClusterScript.Result result = cluster.loadgen(
                Duration.ofMinutes(8),
                "verify",
                "--seed",
                System.getProperty("faults.seed", "1"),
                "--duration",
                "95s",
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
                "5s");

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("GOOD");
    }
}
