package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class EmbeddedCoordinationIT extends CoordinationContract {

    @TempDir
    Path directory;

    @Override
    ZooKeeperConfig config() {
        return new ZooKeeperConfig(
                null,
                "/talos",
                directory,
                null,
                GeneratedSecret.PROTECTED,
                Duration.ofSeconds(10),
                Duration.ofSeconds(20));
    }

    @Test
    void othersOnTheMachineCannotReadOrChange() throws Exception {
        coordination.createClusterId();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("secret"))))
                .isEqualTo("rw-------");
        try (CuratorFramework other =
                CuratorFrameworkFactory.newClient(coordination.connectString(), new RetryOneTime(1))) {
            other.start();
            assertThatThrownBy(() -> other.getData().forPath("/talos/cluster"))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> other.getChildren().forPath("/talos"))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> other.setData().forPath("/talos/cluster", new byte[0]))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> other.delete().forPath("/talos/cluster"))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            for (String path : List.of("/theirs", "/zookeeper/theirs", "/zookeeper/quota/theirs")) {
                assertThatThrownBy(() -> other.create().forPath(path))
                        .as(path)
                        .isInstanceOf(KeeperException.NoAuthException.class);
            }
        }
    }

    @Test
    void startsLeaveNoFilesBehind() throws IOException {
        reopen();
        reopen();
        try (var files = Files.list(directory)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("zookeeper.configuration")))
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    private void deleteFiles(String pattern) throws IOException {
        int deleted = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.resolve("data/version-2"), pattern)) {
            for (Path file : files) {
                Files.delete(file);
                deleted++;
            }
        }
        assertThat(deleted).isPositive();
    }

    /** As after a power cut: the log is forced, and the first snapshot was not. */
    @Test
    void everythingIsThereWithoutSnapshotsIfTheLogBeginsWithTheFirstChange() throws Exception {
        coordination.createClusterId();
        coordination.topics().create(topic("kept", 3));
        coordination.close();
        deleteFiles("snapshot.*");

        coordination = open(config());

        assertThat(coordination.topics().all()).hasSize(1);
        reopen();
        assertThat(coordination.topics().all()).hasSize(1);
    }

    @Test
    void nothingIsStartedWithoutSnapshotsIfTheLogBeginsLater() throws Exception {
        coordination.topics().create(topic("first", 1));
        reopen();
        coordination.topics().create(topic("second", 1));
        coordination.close();
        deleteFiles("snapshot.*");
        Path first = directory.resolve("data/version-2/log.1");
        Path kept = directory.resolve("log.1");
        Files.move(first, kept);

        assertThatThrownBy(() -> open(config()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("The embedded ZooKeeper in " + directory + " has lost its snapshots")
                .hasMessageContaining("Restore");

        Files.move(kept, first);
        coordination = open(config());
        assertThat(coordination.topics().all()).hasSize(2);
    }
}
