package io.talosgateway.rest.bootstrap;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import io.talosgateway.rest.journal.hdfs.HdfsJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import io.talosgateway.rest.peer.LogLines;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A gateway on a real HDFS, whose parts come and go. */
final class HdfsGatewayIT {

    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";

    private static final String LARGE = "x".repeat(1 << 20);

    @TempDir
    static Path hdfsDirectory;

    private static HdfsCluster hdfs;
    private static int roots;

    @TempDir
    Path directory;

    private final String root = hdfs.uri() + "/gateway-" + roots++;

    @BeforeAll
    static void startHdfs() throws IOException {
        hdfs = HdfsCluster.start(hdfsDirectory, 1);
    }

    @AfterAll
    static void stopHdfs() throws IOException {
        hdfs.close();
    }

    private Map<String, String> settings() {
        return Map.of(
                "storage.root", root,
                "hadoop.dfs.replication", "1",
                "hadoop.dfs.client.socket-timeout", "10000",
                // Where HDFS fails, puts wait as long as they may.
                "http.request-timeout", "10s",
                "hadoop.ipc.client.connect.max.retries", "1");
    }

    private TestGateway start() throws Exception {
        TestGateway gateway = TestGateway.start(directory, settings());
        assertThat(gateway.send(gateway.request("/v1/topics")
                                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                                .build())
                        .statusCode())
                .isEqualTo(201);
        return gateway;
    }

    private static HttpResponse<String> put(TestGateway gateway, String message) throws Exception {
        return put(gateway, message, message);
    }

    private static HttpResponse<String> put(TestGateway gateway, String key, String message) throws Exception {
        // With a key, so that it can be repeated whatever became of the first attempt.
        return gateway.send(gateway.request(MESSAGES)
                .header("Content-Type", "application/octet-stream")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(message))
                .build());
    }

    private static String getAll(TestGateway gateway) throws Exception {
        return gateway.send(gateway.request(MESSAGES + "?offset=earliest&value=text")
                        .build())
                .body();
    }

    private static void assertStored(TestGateway gateway, String... messages) throws Exception {
        String all = getAll(gateway);
        int offset = 0;
        for (String message : messages) {
            assertThat(all).contains("\"offset\":" + offset++ + ",\"value\":\"" + message + "\"");
        }
        assertThat(all).contains("\"logEndOffset\":" + messages.length);
    }

    @Test
    void messagesOutliveARestart() throws Exception {
        try (TestGateway gateway = start()) {
            assertThat(put(gateway, "first").body()).contains("\"durability\":\"disk\"");
            gateway.restart();
            put(gateway, "second");
            assertStored(gateway, "first", "second");
        }
    }

    @Test
    void lostDataNodeFailsPutsUntilItIsBack() throws Exception {
        try (TestGateway gateway = start()) {
            put(gateway, "before");
            DataNodeProperties dataNode = hdfs.mini().stopDataNode(0);

            HttpResponse<String> failed = put(gateway, "during");
            assertThat(failed.statusCode()).as(failed.body()).isIn(503, 504);
            assertThat(failed.body()).containsAnyOf("\"retry\":\"same-key\"", "\"retry\":\"after-backoff\"");
            assertThat(getAll(gateway)).as("the tail is in memory").contains("\"value\":\"before\"");
            assertThat(hdfs.mini().restartDataNode(dataNode)).isTrue();
            hdfs.mini().waitActive();

            Await.asLongAs(() -> put(gateway, "during").statusCode() != 200);
            put(gateway, "after");
            assertStored(gateway, "before", "during", "after");
            gateway.restart();
            assertStored(gateway, "before", "during", "after");
        }
    }

    /** All lose their power, and the only DataNode that has what is to be read starts later than the gateway. */
    @ParameterizedTest
    @ValueSource(strings = {"cluster-id", "journal"})
    void startWaitsForADataNodeThatStartsLater(String missing) throws Exception {
        try (TestGateway gateway = start();
                LogLines log = new LogLines("io.talosgateway.rest.hosting")) {
            put(gateway, "before");
            gateway.stop();
            hdfs.mini().startDataNodes(hdfs.mini().getConfiguration(0), 1, true, null, null);
            hdfs.mini().waitActive();
            if (missing.equals("journal")) {
                keepTwoCopies("cluster-id");
            }
            DataNodeProperties late = hdfs.mini().stopDataNode(0);
            try {
                CompletableFuture<Void> started = startAgain(gateway);
                Await.until(() -> started.isDone()
                        || log.texts().stream()
                                .anyMatch(line ->
                                        line.matches(".* " + missing + "( .*)? cannot be read, trying again.*")));
                assertThat(started).isNotDone();
                assertThat(hdfs.mini().restartDataNode(late)).isTrue();
                started.get();

                put(gateway, "after");
                assertStored(gateway, "before", "after");
            } finally {
                gateway.stop();
                hdfs.mini().stopDataNode(0);
            }
        }
    }

    private void keepTwoCopies(String name) throws Exception {
        var path = new org.apache.hadoop.fs.Path(root, name);
        FileSystem fileSystem = hdfs.mini().getFileSystem();
        fileSystem.setReplication(path, (short) 2);
        DFSTestUtil.waitReplication(fileSystem, path, (short) 2);
    }

    private static CompletableFuture<Void> startAgain(TestGateway gateway) {
        return CompletableFuture.runAsync(() -> {
            try {
                gateway.startAgain();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void lostNameNodeDoesNotStopPutsToOpenFiles() throws Exception {
        try (TestGateway gateway = start()) {
            put(gateway, "before");
            hdfs.mini().shutdownNameNode(0);
            HttpResponse<String> during = put(gateway, "during");
            hdfs.mini().restartNameNode(0);
            hdfs.mini().waitActive();

            assertThat(during.statusCode()).as(during.body()).isEqualTo(200);
            put(gateway, "after");
            assertStored(gateway, "before", "during", "after");
            gateway.restart();
            assertStored(gateway, "before", "during", "after");
        }
    }

    /** After a restart of the NameNode, puts were refused because it knew of no room. */
    @Test
    void noRoomIsReportedBeforeADataNodeIs() throws Exception {
        StorageConfig config = new StorageConfig(
                URI.create(root), Duration.ofSeconds(30), Duration.ofSeconds(60), Map.of("dfs.replication", "1"));
        try (HdfsJournalStorage storage = HdfsJournalStorage.open(config)) {
            assertThat(storage.usableBytes()).isPresent();
            DataNodeProperties dataNode = hdfs.mini().stopDataNode(0);
            hdfs.mini().restartNameNode(0, false);

            assertThat(usableBytesAfterRestart(storage)).isEmpty();

            assertThat(hdfs.mini().restartDataNode(dataNode)).isTrue();
            hdfs.mini().waitActive();
            hdfs.mini().waitClusterUp();
            assertThat(storage.usableBytes()).isPresent();
        }
    }

    /** The first call meets the connection to the NameNode that was. */
    private static OptionalLong usableBytesAfterRestart(HdfsJournalStorage storage) throws IOException {
        try {
            return storage.usableBytes();
        } catch (EOFException e) {
            return storage.usableBytes();
        }
    }

    @Test
    void exhaustedQuotaIsAFullStorage() throws Exception {
        try (TestGateway gateway = start();
                FileSystem fileSystem = hdfs.mini().getNewFileSystemInstance(0)) {
            put(gateway, "before");
            var dfs = (org.apache.hadoop.hdfs.DistributedFileSystem) fileSystem;
            dfs.setQuota(new org.apache.hadoop.fs.Path(root), Long.MAX_VALUE - 1, 1 << 10);
            // The open file has room reserved; the next block has not. What was being written then may or may not be
            // stored.
            int stored = 1;
            HttpResponse<String> answer = put(gateway, "key-" + stored, LARGE);
            while (answer.statusCode() == 200) {
                stored++;
                answer = put(gateway, "key-" + stored, LARGE);
            }
            assertThat(answer.statusCode()).as(answer.body()).isIn(504, 507);
            HttpResponse<String> refused =
                    Await.value(() -> put(gateway, "later", LARGE), response -> response.statusCode() != 504);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(507);
            assertThat(refused.body()).contains("\"code\":\"storage-full\"");
            assertThat(gateway.send(gateway.request(MESSAGES + "?offset=0&value=text&max-messages=1")
                                    .build())
                            .body())
                    .contains("\"value\":\"before\"");

            dfs.setQuota(new org.apache.hadoop.fs.Path(root), Long.MAX_VALUE - 1, Long.MAX_VALUE - 1);
            answer = put(gateway, "key-" + stored, LARGE);
            while (answer.statusCode() != 200) {
                answer = put(gateway, "key-" + stored, LARGE);
            }
            assertThat(answer.body()).contains("\"firstOffset\":" + stored + ",");
            assertThat(put(gateway, "after").body()).contains("\"firstOffset\":" + (stored + 1) + ",");
        }
    }

    @Test
    void secondGatewayOfTheSameNameDoesNotStart() throws Exception {
        try (TestingServer zooKeeper = new TestingServer(true)) {
            Map<String, String> shared = new HashMap<>(settings());
            shared.put("zookeeper.connect", zooKeeper.getConnectString());
            shared.put("zookeeper.auth", "hosts:of the tests");
            shared.put("zookeeper.session-timeout", "10s");
            try (TestGateway gateway = TestGateway.start(directory.resolve("one"), shared)) {
                assertThatThrownBy(() -> TestGateway.start(directory.resolve("two"), shared))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith(
                                "Another gateway named 'gateway-1' is running (at 127.0.0.1:" + gateway.port() + ")");
            }
        }
    }
}
