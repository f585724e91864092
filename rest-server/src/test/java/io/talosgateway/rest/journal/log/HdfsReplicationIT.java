package io.talosgateway.rest.journal.log;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import io.talosgateway.rest.journal.hdfs.HdfsJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import io.talosgateway.rest.journal.lane.ReplicaRolls;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Three real DataNodes, of which some die: no other can take a dead one's place. */
final class HdfsReplicationIT {

    @TempDir
    Path directory;

    private HdfsCluster cluster;
    private JournalFixture fixture;

    @BeforeEach
    void start() throws IOException {
        cluster = HdfsCluster.start(directory, 3);
        JournalStorage storage = HdfsJournalStorage.open(new StorageConfig(
                URI.create(cluster.uri() + "/talos"),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Map.of("dfs.replication", "3")));
        fixture = new JournalFixture(
                storage,
                JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), new DataSize(1), 2),
                Duration.ofDays(1));
        fixture.open(0);
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
        cluster.close();
    }

    private double missing() {
        return fixture.metric("lane_missing_replicas", "lane", "days-0");
    }

    private double files() {
        return fixture.metric("files_total", "event", "created");
    }

    @Test
    void aLostDataNodeIsShownAndTheLaneLeavesItsFile() throws Exception {
        fixture.put(0, "m0");
        assertThat(missing()).isZero();

        DataNodeProperties lost = cluster.mini().stopDataNode(0);
        // The client may count a second one as lost for a moment; then the put goes to a new file at once.
        fixture.put(0, "m1");
        assertThat(missing()).isPositive();
        double filesBefore = files();
        fixture.put(0, "m2");
        assertThat(files()).isEqualTo(filesBefore + 1);
        fixture.put(0, "m3");
        assertThat(files()).isEqualTo(filesBefore + 1);
        assertThat(missing()).isEqualTo(1);

        cluster.mini().restartDataNode(lost);
        cluster.mini().waitActive();
        fixture.addedNanos = ReplicaRolls.FIRST_PAUSE_NANOS;
        fixture.put(0, "m4");
        fixture.put(0, "m5");
        assertThat(missing()).isZero();
        assertThat(files()).isEqualTo(filesBefore + 2);
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly("0:m0", "1:m1", "2:m2", "3:m3", "4:m4", "5:m5");
    }

    @Test
    void putsAreRefusedWhileFewerDataNodesThanTheMinimumTakeThem() throws Exception {
        fixture.put(0, "m0");
        cluster.mini().stopDataNode(0);
        DataNodeProperties second = cluster.mini().stopDataNode(0);

        assertThatThrownBy(() -> fixture.putAsync(0, "refused").get(120, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE))
                .hasMessageContaining("has 1 of 3 copies, and journal.min-replicas is 2");
        assertThat(fixture.readAll(0)).containsExactly("0:m0");

        cluster.mini().restartDataNode(second);
        Await.asLongAs(() -> fixture.metric("lane_broken", "lane", "days-0") > 0);
        fixture.put(0, "m1");
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly("0:m0", "1:m1");
    }
}
