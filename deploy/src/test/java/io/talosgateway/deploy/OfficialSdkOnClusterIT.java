package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The official SDK against one host of two on HDFS, so that half of its requests land on the host that does not own the partition. */
final class OfficialSdkOnClusterIT extends OfficialSdkContract {

    private TestingServer zooKeeper;
    private Path auth;

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        auth = Files.writeString(directory.resolve("zookeeper.auth"), "hosts:of the tests");
        zooKeeper = new TestingServer(
                new InstanceSpec(directory.resolve("zookeeper").toFile(), -1, -1, -1, false, 1, 500, 1_000), true);
        return TestStorage.hdfs(directory);
    }

    @Override
    Map<String, String> settings() {
        return Map.of(
                "zookeeper.connect", zooKeeper.getConnectString(),
                "zookeeper.auth", "@" + auth,
                "zookeeper.session-timeout", "6s",
                "cluster.join-delay", "200ms",
                // A gateway that a test kills and starts again finds its partitions waiting.
                "cluster.removal-delay", "1m");
    }

    @Override
    List<String> otherHosts() {
        return List.of("gateway-2");
    }

    @AfterAll
    void stopZooKeeper() throws IOException {
        zooKeeper.close();
    }

    /** After the other tests, or before: one put to each of many partitions. */
    @Test
    void halfOfTheRequestsAreForwarded() throws Exception {
        GatewayProcess other = others().get(0);
        double before = other.metric("talos_peer_requests_total");
        putToEachOf(32);

        // Three for each partition make 96; some are repeated where a partition is just moving.
        assertThat(other.metric("talos_peer_requests_total") - before).isBetween(8.0, 90.0);
    }
}
