package io.talosgateway.localcluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three gateways on real HDFS and ZooKeeper, all of them processes, under load, while one kind of fault after another happens: after
 * that, every answer that was given must have been true. A thousand gets wait in the connections of a gateway that is paused (SIGSTOP)
 * for longer than its session, so that others take its partitions over, and are answered when it goes on (SIGCONT): none of
 * them may be told of an end that is not the end any more. Another seed: {@code -Dfaults.seed=N}.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class ClusterFaultsIT {

    private static final List<String> KINDS =
            List.of("kill", "pause", "restart", "datanode", "namenode", "zookeeper", "clock", "disk-full", "power");
    /** On a slow machine, hosts take longer to come back, and the last kinds of fault find no time. */
    private static final int FEWEST_KINDS = 3;

    private static final Pattern FAULT_BEGINS = Pattern.compile("(?m)^(" + String.join("|", KINDS) + ") ");

    /** Of a thousand. */
    private static final int FEWEST_GETS_DURING_PAUSE = 100;

    private static final int TOLD_TO_END = 128 + 15;

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
                "3",
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
        ClusterScript.Result result = cluster.loadgenUntil(
                ClusterFaultsIT::allKindsAreOver,
                Duration.ofMinutes(6),
                "verify",
                "--seed",
                System.getProperty("faults.seed", "1"),
                "--duration",
                "6m",
                "--faults",
                String.join(",", KINDS),
                "--retention",
                "30s",
                "--fault-every",
                "5s",
                "--pause-for",
                "8s",
                "--put-rate",
                "40",
                // A loaded machine may be slow; this is about what is true.
                "--tolerance",
                "30s",
                "--report",
                file.toString());

        assertThat(result.output()).as(cluster.warnings()).contains("GOOD").doesNotContain("BAD");
        assertThat(result.status()).as(result.output()).isIn(0, TOLD_TO_END);
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        List<String> kinds = report.path("faults").findValuesAsText("kind");
        assertThat(Set.copyOf(kinds)).as(result.output()).hasSizeGreaterThanOrEqualTo(FEWEST_KINDS);
        assertThat(report.path("bufferedGets").asInt())
                .as(result.output())
                .isGreaterThanOrEqualTo(FEWEST_GETS_DURING_PAUSE * Collections.frequency(kinds, "pause"));
    }

    /** A fault is over when the next one begins, or when there is none. */
    private static boolean allKindsAreOver(String output) {
        List<MatchResult> begun = FAULT_BEGINS.matcher(output).results().toList();
        boolean lastIsOver = !begun.isEmpty()
                && output.indexOf("fault: none", begun.get(begun.size() - 1).end()) > 0;
        long over = begun.stream()
                .limit(lastIsOver ? begun.size() : Math.max(0, begun.size() - 1))
                .map(fault -> fault.group(1))
                .distinct()
                .count();
        return over == KINDS.size();
    }
}
