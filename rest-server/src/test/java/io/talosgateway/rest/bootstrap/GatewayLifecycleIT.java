package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.peer.LogLines;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Starting, stopping, and what surrounds a gateway failing. */
final class GatewayLifecycleIT {

    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";

    @TempDir
    Path directory;

    private static void createTopic(TestGateway gateway) throws Exception {
        assertThat(gateway.send(gateway.request("/v1/topics")
                                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                                .build())
                        .statusCode())
                .isEqualTo(201);
    }

    private static HttpResponse<String> put(TestGateway gateway, String message) throws Exception {
        return gateway.send(gateway.request(MESSAGES)
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofString(message))
                .build());
    }

    private static String get(TestGateway gateway, long offset) throws Exception {
        return gateway.send(gateway.request(MESSAGES + "?value=text&offset=" + offset)
                        .build())
                .body();
    }

    private void assertDoesNotStart(Map<String, String> settings, String... sentence) {
        Map<String, String> all = new HashMap<>(Map.of(
                "data.directory", directory.toString(),
                "http.port", "0",
                "ops.port", "0",
                "zookeeper.connect-timeout", "60s",
                "zookeeper.auth", "hosts:of the tests",
                "storage.connect-timeout", "60s"));
        all.putAll(settings);
        ThreadGroup starting = new ThreadGroup("starting");
        FutureTask<Gateway> start = new FutureTask<>(() -> Gateway.start(GatewayConfig.of(all)));
        new Thread(starting, start).start();
        assertThatThrownBy(start::get)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(sentence)
                .hasMessageNotContaining("Exception");
        Await.value(() -> ownThreads(starting), Set::isEmpty);
    }

    /**
     * The threads that the gateway started in the group has still. Other gateways of the test start threads, too, whenever
     * they need them, but not in this group. Libraries keep a few for the life of the process; those are not named here.
     */
    private static Set<String> ownThreads(ThreadGroup group) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> group.equals(thread.getThreadGroup()))
                .map(Thread::getName)
                .filter(name ->
                        name.matches("(http|ops|put|get|control|answer|lane|hosting|deadlines|sweeper|journal).*"))
                .collect(Collectors.toSet());
    }

    @Test
    void selectorsServeRequestsThemselves() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            assertThat(gateway.invocationType()).isEqualTo(InvocationType.NON_BLOCKING);
        }
    }

    @Test
    void messagesAndOffsetsOutliveARestart() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            createTopic(gateway);
            put(gateway, "first");
            gateway.restart();
            assertThat(put(gateway, "second").body()).contains("\"firstOffset\":1");
            assertThat(get(gateway, 0)).contains("\"value\":\"first\"").contains("\"value\":\"second\"");
        }
    }

    @Test
    void stopLeavesNoThreads() throws Exception {
        ThreadGroup group = new ThreadGroup("of the gateway");
        FutureTask<TestGateway> start = new FutureTask<>(() -> TestGateway.start(directory));
        new Thread(group, start).start();
        try (TestGateway gateway = start.get()) {
            createTopic(gateway);
            put(gateway, "message");
            get(gateway, 0);
            assertThat(ownThreads(group)).isNotEmpty();
        }
        Await.value(() -> ownThreads(group), Set::isEmpty);
    }

    @Test
    void requestsUnderWayAreAnsweredBeforeTheStop() throws Exception {
        TestGateway gateway = TestGateway.start(directory, Map.of("shutdown.drain-timeout", "2m"));
        createTopic(gateway);
        CompletableFuture<HttpResponse<String>> waiting = gateway.client()
                .sendAsync(
                        gateway.request(MESSAGES + "?value=text&offset=latest&wait=8s")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        Await.asLongAs(() -> gateway.metric("talos_gets_waiting") < 1);
        gateway.close();

        assertThat(waiting.get().statusCode()).isEqualTo(200);
    }

    @Test
    void healthTellsWhatTheGatewayDoes() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            assertThat(gateway.ops("/health/live").statusCode()).isEqualTo(200);
            assertThat(gateway.ops("/health/ready").statusCode()).isEqualTo(200);
            assertThat(gateway.ops("/health/ready").body()).isEqualTo("serving\n");
            assertThat(gateway.ops("/other").statusCode()).isEqualTo(404);
            createTopic(gateway);
            put(gateway, "x");
            get(gateway, 0);
            // A request is counted when its answer has been written, which its client may see before.
            for (String kind : List.of("put", "get")) {
                String answered =
                        "talos_requests_total{interface=\"rest\",class=\"%s\",outcome=\"ok\",}".formatted(kind);
                Await.asLongAs(() -> gateway.metric(answered) < 1);
            }
            String metrics = gateway.ops("/metrics").body();
            assertThat(metrics)
                    .contains("talos_request_seconds_count{class=\"put\",} 1.0")
                    .contains("talos_pool_wait_seconds_count{pool=\"put\",} 1.0")
                    .contains("talos_put_storage_seconds_count 1.0")
                    .contains("talos_journal_write_seconds_count")
                    .contains("talos_journal_sync_seconds_count")
                    .contains("talos_journal_group_puts_count")
                    .contains("talos_journal_cache_bytes{cache=\"tail\",}")
                    .contains("talos_journal_lane_wait_seconds_count")
                    .contains("talos_bytes_in_flight 0.0")
                    .contains("jvm_gc_collection_seconds_count")
                    .contains("jvm_memory_bytes_used");
        }
    }

    @Test
    void brokenKeyFileIsToldAndTheGatewayServesOn() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            Path file = directory.resolve("keys.json");
            String content = Files.readString(file);
            assertThat(gateway.metric("talos_key_file_broken")).isZero();

            Files.writeString(file, "{\"keys\": [{");
            // It is looked at once a second.
            Await.asLongAs(() -> gateway.metric("talos_key_file_broken") < 1);
            assertThat(gateway.ops("/health/ready").body()).startsWith("serving, but the key file cannot be read");
            assertThat(gateway.ops("/health/ready").statusCode()).isEqualTo(200);
            createTopic(gateway);

            Files.writeString(file, content);
            Await.asLongAs(() -> gateway.metric("talos_key_file_broken") > 0);
            assertThat(gateway.ops("/health/ready").body()).isEqualTo("serving\n");
        }
    }

    @Test
    void whatTheGatewayMakesIsItsOwn() throws Exception {
        Path data = directory.resolve("made/data");
        try (Gateway gateway = Gateway.start(
                GatewayConfig.of(Map.of("data.directory", data.toString(), "http.port", "0", "ops.port", "0")))) {
            assertThat(gateway.port()).isPositive();
        }

        for (Path made : List.of(data, data.resolve("zookeeper"), data.resolve("storage"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .as(made.toString())
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void portInUseIsFoundBeforeAnythingIsTouched() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());
            assertDoesNotStart(Map.of("http.port", port), "Cannot listen at 127.0.0.1:" + port, "in use");
            assertDoesNotStart(Map.of("ops.port", port), "Cannot listen at 127.0.0.1:" + port, "in use");
        }
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void addressThatIsNotOursIsNamed() {
        assertDoesNotStart(Map.of("http.host", "192.0.2.1"), "Cannot listen at 192.0.2.1:0");
        assertDoesNotStart(Map.of("http.host", "[::no]"), "Cannot listen at [::no]:0", "invalid IPv6 address");
    }

    @Test
    void dataFolderInUseIsNamed() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            createTopic(gateway);
            assertDoesNotStart(Map.of(), directory.toString(), "in use by another");
            assertThat(put(gateway, "still well").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void unreachableZooKeeperIsNamed() {
        assertDoesNotStart(
                Map.of("zookeeper.connect", "127.0.0.1:1", "zookeeper.connect-timeout", "2s"),
                "Cannot reach ZooKeeper at 127.0.0.1:1");
    }

    @Test
    void unreachableHdfsIsNamed() {
        assertDoesNotStart(
                Map.of("storage.root", "hdfs://127.0.0.1:1/talos", "storage.connect-timeout", "2s"),
                "hdfs://127.0.0.1:1/talos");
    }

    @Test
    void storageThatCannotBeWrittenIsNamed() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertDoesNotStart(Map.of("storage.root", file.resolve("below").toUri().toString()), file.toString());
    }

    @Test
    void lostZooKeeperDataIsNotTakenForANewCluster() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            createTopic(gateway);
        }
        Files.move(directory.resolve("zookeeper"), directory.resolve("zookeeper.lost"));
        assertDoesNotStart(Map.of(), "of which ZooKeeper knows nothing", "restore it");

        deleteAll(directory.resolve("zookeeper"));
        Files.move(directory.resolve("zookeeper.lost"), directory.resolve("zookeeper"));
        Files.move(directory.resolve("storage"), directory.resolve("storage.lost"));
        assertDoesNotStart(Map.of(), "ZooKeeper knows 1 topics, but the storage", "is empty");
    }

    @Test
    void storageOfAnotherClusterIsRefused() throws Exception {
        try (TestGateway one = TestGateway.start(directory.resolve("one"));
                TestGateway other = TestGateway.start(directory.resolve("other"))) {
            createTopic(one);
            createTopic(other);
        }
        assertDoesNotStart(
                Map.of(
                        "data.directory", directory.resolve("one").toString(),
                        "storage.root",
                                directory.resolve("other/storage").toUri().toString()),
                "belong together");
    }

    @Test
    void zooKeeperPathOfAnotherProgramIsRefused() throws Exception {
        try (TestingServer server = zooKeeper();
                CuratorFramework other =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100))) {
            other.start();
            other.create().creatingParentsIfNeeded().forPath("/talos/brokers/ids/0", new byte[] {1, 2, 3});

            assertDoesNotStart(
                    Map.of("zookeeper.connect", server.getConnectString()),
                    "The path /talos in ZooKeeper does not hold a Talos Gateway's data (it holds brokers)",
                    "zookeeper.root");

            assertThat(other.getChildren().forPath("/talos")).containsExactly("brokers");
            assertThat(other.getData().forPath("/talos/brokers/ids/0")).containsExactly(1, 2, 3);
        }
    }

    private static void deleteAll(Path path) throws IOException {
        try (var files = Files.walk(path)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void fullDiskFailsPutsAndLeavesGets() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            createTopic(gateway);
            put(gateway, "kept");
        }
        try (TestGateway gateway = TestGateway.start(directory, Map.of("journal.min-free-size", "1000TiB"))) {
            HttpResponse<String> refused = put(gateway, "too much");
            while (refused.statusCode() == 200) {
                // The free space is looked at every few seconds.
                refused = put(gateway, "too much");
            }
            assertThat(refused.statusCode()).isEqualTo(507);
            assertThat(refused.body()).contains("\"code\":\"storage-full\"").contains("\"retry\":\"after-backoff\"");
            assertThat(get(gateway, 0)).contains("\"value\":\"kept\"");
        }
    }

    private TestingServer zooKeeper() throws Exception {
        return new TestingServer(
                new InstanceSpec(directory.resolve("external").toFile(), -1, -1, -1, true, 1, 500, 100), true);
    }

    @Test
    void lostSessionBeginsANewIncarnationThatGoesOn() throws Exception {
        try (TestingServer server = zooKeeper();
                LogLines log = new LogLines("io.talosgateway.rest.coordination.zookeeper");
                TestGateway gateway = TestGateway.start(
                        directory,
                        Map.of(
                                "zookeeper.connect", server.getConnectString(),
                                "zookeeper.auth", "hosts:of the tests",
                                "zookeeper.session-timeout", "6s"))) {
            createTopic(gateway);
            put(gateway, "before");
            long incarnation = gateway.incarnation();
            server.stop();
            // Until somebody else could have taken over, everything goes on from memory.
            assertThat(put(gateway, "during").statusCode()).isEqualTo(200);
            assertThat(gateway.send(gateway.request("/v1/topics")
                                    .POST(BodyPublishers.ofString("{\"name\":\"other\"}"))
                                    .build())
                            .body())
                    .contains("\"code\":\"coordination-unavailable\"");
            assertThat(gateway.metric("talos_zookeeper_connected")).isZero();
            Await.until(() -> log.texts().contains("The ZooKeeper session has ended"));
            server.restart();
            Await.asLongAs(() -> gateway.incarnation() == incarnation
                    || put(gateway, "after").statusCode() != 200);

            assertThat(get(gateway, 0))
                    .containsSubsequence("\"value\":\"before\"", "\"value\":\"during\"", "\"value\":\"after\"");
            // A client has its answer just before the gateway counts the request as ended.
            Await.asLongAs(() -> gateway.metric("talos_requests_in_flight") > 0);
        }
    }

    @Test
    void secondGatewayWithAnotherStorageDoesNotStart() throws Exception {
        try (TestingServer server = zooKeeper();
                TestGateway gateway = TestGateway.start(
                        directory.resolve("one"),
                        Map.of(
                                "zookeeper.connect",
                                server.getConnectString(),
                                "zookeeper.auth",
                                "hosts:of the tests"))) {
            createTopic(gateway);
            assertDoesNotStart(
                    Map.of(
                            "data.directory", directory.resolve("two").toString(),
                            "zookeeper.connect", server.getConnectString()),
                    "ZooKeeper knows 1 topics");
        }
    }
}
