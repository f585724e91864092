package io.talosgateway.rest.journal.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.StorageFullException;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import io.talosgateway.rest.journal.hdfs.HdfsJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import io.talosgateway.rest.peer.LogLines;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSOpsCountStatistics;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** On a real NameNode and DataNode. */
final class HdfsJournalIT extends JournalContract {

    @TempDir
    static java.nio.file.Path directory;

    private static HdfsCluster cluster;
    private static int roots;

    @BeforeAll
    static void startCluster() throws IOException {
        cluster = HdfsCluster.start(directory, 1);
    }

    @AfterAll
    static void stopCluster() throws IOException {
        cluster.close();
    }

    @Override
    JournalStorage newStorage() throws IOException {
        return HdfsJournalStorage.open(new StorageConfig(
                URI.create(cluster.uri() + "/talos-" + roots++),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Map.of("dfs.replication", "1")));
    }

    @Test
    void smallFileThatCannotBeWrittenLeavesNothingBehind() throws Exception {
        try (JournalStorage storage = newStorage();
                FileSystem hdfs = FileSystem.get(URI.create(cluster.uri()), new Configuration())) {
            hdfs.setQuota(new Path("/talos-" + (roots - 1)), Long.MAX_VALUE - 1, 1);

            assertThatThrownBy(() -> storage.createWhole("directory/small", ByteSlice.utf8("content")))
                    .isInstanceOf(StorageFullException.class);

            assertThat(storage.list("directory")).isEmpty();
        }
    }

    /** Hosts that fenced a file whenever another one forces it would keep each other from taking it over. */
    @Test
    void fileThatAnotherHostForcesIsLeftToItForAWhile() throws Exception {
        try (JournalStorage storage = newStorage();
                FileSystem other = FileSystem.newInstance(URI.create(cluster.uri()), new Configuration())) {
            try (JournalStorage.AppendFile file = storage.create("file", 0)) {
                file.write(new byte[1_000], 0, 1_000);
            }
            FSDataOutputStream forcedByOther = other.append(new Path("/talos-" + (roots - 1), "file"));
            long before = appends();
            CompletableFuture<Void> forced = CompletableFuture.runAsync(() -> {
                try {
                    storage.force("file");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Await.until(() -> appends() > before);
            // It would fence the file after a fifth of a second, and append to it again.
            long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            Await.until(() -> appends() > before + 1 || System.nanoTime() > untilNanos);

            forcedByOther.hsync();
            forcedByOther.close();

            forced.get();
        }
    }

    private static long appends() {
        return GlobalStorageStatistics.INSTANCE.get(DFSOpsCountStatistics.NAME).getLong("op_append");
    }

    /** Where a block ends, HDFS forces all of it to disk before it goes on. */
    @Test
    void fileIsStoredInOneBlock() throws Exception {
        try (JournalStorage storage = newStorage();
                FileSystem hdfs = FileSystem.get(URI.create(cluster.uri()), new Configuration())) {
            storage.create("small", 0).close();
            storage.create("large", 300_000_001).close();
            Path root = new Path("/talos-" + (roots - 1));
            assertThat(hdfs.getFileStatus(new Path(root, "small")).getBlockSize())
                    .isEqualTo(hdfs.getDefaultBlockSize(root));
            assertThat(hdfs.getFileStatus(new Path(root, "large")).getBlockSize())
                    .isBetween(300_000_001L, 302_000_000L);
        }
    }

    /** Whatever the umask, in a root that others may look into. */
    @Test
    void otherUsersCannotReadOrListWhatIsStored() throws Exception {
        String root = "/talos-" + roots++;
        URI uri = URI.create(cluster.uri() + root);
        UserGroupInformation other = UserGroupInformation.createRemoteUser("other");
        try (FileSystem hdfs = FileSystem.get(uri, new Configuration())) {
            FileSystem.mkdirs(hdfs, new Path(root), new FsPermission("755"));
            try (LogLines lines = new LogLines(HdfsJournalStorage.class);
                    JournalStorage storage = HdfsJournalStorage.open(new StorageConfig(
                            uri,
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(60),
                            Map.of("dfs.replication", "1", "fs.permissions.umask-mode", "000")));
                    FileSystem asOther = other.doAs((PrivilegedExceptionAction<FileSystem>)
                            () -> FileSystem.newInstance(uri, new Configuration()))) {
                assertThat(lines.texts())
                        .containsExactly("All users of HDFS can look into " + uri
                                + ", where messages are (rwxr-xr-x): hdfs dfs -chmod -R go= it");
                storage.createWhole("top", ByteSlice.utf8("content"));
                storage.createWhole("directory/below/small", ByteSlice.utf8("content"));

                assertThat(asOther.exists(new Path(root, "top"))).isTrue();
                for (FileSystemCall refused : List.<FileSystemCall>of(
                        () -> asOther.open(new Path(root, "top")),
                        () -> asOther.listStatus(new Path(root, "directory")),
                        () -> asOther.open(new Path(root, "directory/below/small")))) {
                    assertThatThrownBy(refused::call)
                            .isInstanceOf(AccessControlException.class)
                            .hasMessageContaining("Permission denied: user=other");
                }
                assertThat(hdfs.getFileStatus(new Path(root, "directory/below")).getPermission())
                        .hasToString("rwx------");
                assertThat(hdfs.getFileStatus(new Path(root, "directory/below/small"))
                                .getPermission())
                        .hasToString("rw-------");
            }
        }
    }

    @Test
    void rootIsMadeForThisUserOnly() throws Exception {
        try (JournalStorage storage = newStorage();
                FileSystem hdfs = FileSystem.get(URI.create(cluster.uri()), new Configuration())) {
            assertThat(hdfs.getFileStatus(new Path("/talos-" + (roots - 1))).getPermission())
                    .hasToString("rwx------");
        }
    }

    @FunctionalInterface
    private interface FileSystemCall {
        Object call() throws IOException;
    }
}
