package io.talosgateway.rest.journal.log;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.JournalStorage.StoredFile;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import io.talosgateway.rest.journal.hdfs.HdfsJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real DataNodes that lose their power: of a block that is written, the bytes that were forced are there, those behind are zeros,
 * and its checksums are of the bytes that were written.
 */
final class HdfsPowerCutIT {

    private static final List<String> OF_MEMORY = List.of("x".repeat(1_500), "y".repeat(2_000), "z".repeat(700));

    @TempDir
    Path directory;

    private HdfsCluster cluster;
    private JournalFixture fixture;

    private void start(int dataNodes) throws IOException {
        cluster = HdfsCluster.start(directory, dataNodes);
        JournalStorage storage = HdfsJournalStorage.open(new StorageConfig(
                URI.create(cluster.uri() + "/talos"),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Map.of("dfs.replication", String.valueOf(dataNodes), "dfs.client.retry.window.base", "10")));
        fixture = new JournalFixture(
                storage,
                JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), new DataSize(1)),
                Duration.ofDays(1));
        fixture.open(0);
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatWasForcedIsReadThoughItDoesNotMatchItsChecksum(int dataNodes) throws Exception {
        start(dataNodes);
        fixture.put(0, "forced");
        String path = new JournalFileId(fixture.journal.id(), "days-0", 0).path();
        long forced;
        try (ReadFile file = fixture.storage.open(path)) {
            forced = file.length();
        }
        for (String payload : OF_MEMORY) {
            fixture.putToMemory(0, payload);
        }

        whileStopped(dataNodes, () -> {
            List<Path> replicas = written(false);
            assertThat(replicas).hasSize(dataNodes);
            for (Path replica : replicas) {
                zero(replica, forced);
            }
        });
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly("0:forced");
        fixture.put(0, "after");
        fixture.restart();
        assertThat(fixture.readAll(0)).containsExactly("0:forced", "1:after");
    }

    /** A DataNode checks the last chunk that has a checksum when it starts, and cuts it off if it does not match. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatWasForcedIsReadThoughMoreWasWrittenBehindItsLastChecksum(int dataNodes) throws Exception {
        start(dataNodes);
        fixture.put(0, "forced");
        fixture.put(0, "forced, too");
        byte[] checksums = Files.readAllBytes(written(true).get(0));
        fixture.putToMemory(0, "x");

        whileStopped(dataNodes, () -> {
            List<Path> files = written(true);
            assertThat(files).hasSize(dataNodes);
            for (Path file : files) {
                Files.write(file, checksums);
            }
        });
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly("0:forced", "1:forced, too");
    }

    /** A host that forces a file, while another writes the footer beside it, leaves it open when the power fails. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatHasItsFooterIsReadThoughItWasJustForced(int dataNodes) throws Exception {
        start(dataNodes);
        fixture.put(0, "forced");
        JournalId ended = fixture.journal.id();
        fixture.crash();
        JournalFileId file = new JournalFileId(ended, "days-0", 0);
        deleteAllBut(ended, file.path(), file.detachedFooterPath());
        FSDataOutputStream forcing =
                cluster.mini().getFileSystem().append(new org.apache.hadoop.fs.Path("/talos/" + file.path()));
        forcing.hsync();

        whileStopped(dataNodes, () -> {});
        fixture.crash();
        assertThat(fixture.readAll(0)).containsExactly("0:forced");
    }

    /** Of a file that holds messages of level memory only, a power cut may leave nothing but its name. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fileWhoseBlockIsLostKeepsNobodyFromStarting(boolean nameNodeRestarts) throws Exception {
        start(2);
        fixture.put(0, "forced");
        fixture.log(0).lane().writer().roll();
        fixture.awaitSealed();
        fixture.putToMemory(0, "lost");

        whileStopped(2, () -> {
            for (boolean checksums : new boolean[] {false, true}) {
                List<Path> replicas = written(checksums);
                assertThat(replicas).hasSize(2);
                for (Path replica : replicas) {
                    Files.delete(replica);
                }
            }
            if (nameNodeRestarts) {
                cluster.mini().restartNameNode(0, false);
            }
        });
        meetConnectionToTheNameNodeThatWas();
        fixture.crash();

        assertThat(fixture.readAll(0)).containsExactly("0:forced");
        assertThat(fixture.put(0, "next").firstOffset()).isEqualTo(1);
        fixture.restart();
        assertThat(fixture.readAll(0)).containsExactly("0:forced", "1:next");
    }

    private void meetConnectionToTheNameNodeThatWas() throws IOException {
        try {
            fixture.storage.usableBytes();
        } catch (EOFException e) {
            assertThat(fixture.storage.usableBytes()).isPresent();
        }
    }

    private void deleteAllBut(JournalId journal, String... kept) throws IOException {
        Set<String> names = new HashSet<>();
        for (StoredFile found : fixture.storage.list(journal.directory())) {
            String path = journal.directory() + "/" + found.name();
            names.add(path);
            if (!List.of(kept).contains(path)) {
                fixture.storage.delete(path);
            }
        }
        assertThat(names).contains(kept);
    }

    private interface Damage {

        void run() throws IOException;
    }

    private void whileStopped(int dataNodes, Damage damage) throws Exception {
        DataNodeProperties[] stopped = new DataNodeProperties[dataNodes];
        for (int node = 0; node < dataNodes; node++) {
            stopped[node] = cluster.mini().stopDataNode(0);
        }
        damage.run();
        for (DataNodeProperties node : stopped) {
            cluster.mini().restartDataNode(node);
        }
        cluster.mini().waitActive();
    }

    /** The blocks that are open at the DataNodes, or the checksums of these. */
    private List<Path> written(boolean checksums) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().contains("/rbw/blk_")
                            && file.toString().endsWith(".meta") == checksums)
                    .sorted(Comparator.naturalOrder())
                    .toList();
        }
    }

    private static void zero(Path file, long from) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(from);
            bytes.write(new byte[Math.toIntExact(bytes.length() - from)]);
        }
    }
}
