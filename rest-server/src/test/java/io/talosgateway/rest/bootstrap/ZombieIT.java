package io.talosgateway.rest.bootstrap;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.bootstrap.HeldHdfs.Hold;
import io.talosgateway.rest.bootstrap.HeldHdfs.Moment;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A host that lives, and has lost its session without hearing of it, is held in the middle of a put until another host
 * serves its partitions. Real HDFS, real ZooKeeper, and the thread that writes is held at the moments that matter.
 */
final class ZombieIT {

    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";
    private static final int OK = 200;

    @TempDir
    Path directory;

    private HdfsCluster hdfs;
    private TestingServer zooKeeper;
    private Line line;
    private AccessKey key;
    private TestGateway zombie;
    private TestGateway successor;

    @BeforeEach
    void start() throws Exception {
        hdfs = HdfsCluster.start(directory.resolve("hdfs"), 1);
        zooKeeper = new TestingServer(
                new InstanceSpec(directory.resolve("zookeeper").toFile(), -1, -1, -1, false, 1, 500, 1_000), true);
        line = new Line(zooKeeper.getPort());
        key = KeyFile.create(directory.resolve("keys.json"), "tester", true, InstantSource.system());
        // First, and alone: so that it has the partition, and the other takes it when it is gone.
        zombie = TestGateway.start(
                directory.resolve("zombie"),
                settings(
                        "zombie",
                        Map.of(
                                "zookeeper.connect",
                                "127.0.0.1:" + line.port(),
                                "hadoop.fs.hdfs.impl",
                                HeldHdfs.class.getName(),
                                "http.request-timeout",
                                "2m")),
                key);
        HttpResponse<String> created = zombie.send(zombie.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                .build());
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    @AfterEach
    void stop() throws Exception {
        if (successor != null) {
            successor.close();
        }
        zombie.close();
        line.close();
        zooKeeper.close();
        hdfs.close();
    }

    private Map<String, String> settings(String host, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "host.name", host,
                "storage.root", hdfs.uri() + "/talos",
                "hadoop.dfs.replication", "1",
                "zookeeper.connect", zooKeeper.getConnectString(),
                "zookeeper.auth", "hosts:of the tests",
                "zookeeper.session-timeout", "6s",
                "auth.key-file", directory.resolve("keys.json").toString(),
                "cluster.join-delay", "0s",
                "cluster.removal-delay", "0s",
                "journal.lanes", "1"));
        settings.putAll(more);
        return settings;
    }

    private static HttpRequest put(TestGateway gateway, String message) {
        return gateway.request(MESSAGES)
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofString(message))
                .build();
    }

    /** Without the end of the partition: a host that has not heard of ZooKeeper for seconds, as on a busy machine, does not tell it. */
    private static String getAll(TestGateway gateway) throws Exception {
        return gateway.send(gateway.request(MESSAGES + "?offset=earliest&value=text")
                        .build())
                .body()
                .replaceFirst(",\"logEndOffset\":\\d+", "");
    }

    /** The answer to the first put that is as wanted; each puts another message. */
    private static HttpResponse<String> putUntil(
            TestGateway gateway, String message, Predicate<HttpResponse<String>> wanted) throws Exception {
        return Await.value(() -> gateway.send(put(gateway, message)), wanted);
    }

    private static long firstOffset(HttpResponse<String> answer) {
        return Long.parseLong(answer.body().replaceAll("(?s).*\"firstOffset\":(\\d+).*", "$1"));
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsAcknowledgedThatTheNextOwnerDoesNotHave(Moment moment) throws Exception {
        int before = 0;
        if (moment != Moment.BEFORE_CREATE) {
            // The first put creates the file.
            assertThat(zombie.send(put(zombie, "before")).statusCode()).isEqualTo(OK);
            before = 1;
        }
        try (Hold hold = Hold.next(moment)) {
            CompletableFuture<HttpResponse<String>> held =
                    zombie.client().sendAsync(put(zombie, "held"), BodyHandlers.ofString());
            hold.awaitReached();
            line.cut();
            successor = TestGateway.start(directory.resolve("successor"), settings("successor", Map.of()), key);
            long next = firstOffset(putUntil(successor, "next", answer -> answer.statusCode() == OK));
            String served = getAll(successor);
            assertThat(held).as("answered although its thread is held").isNotDone();

            hold.goOn();
            HttpResponse<String> answer = held.get(120, TimeUnit.SECONDS);

            if (moment == Moment.AFTER_SYNC) {
                // It was durable before the journal was fenced: the next owner has it, and so it may be said.
                assertThat(served).contains("\"held\"");
                assertThat(next).isEqualTo(before + 1);
                assertThat(answer.statusCode() == OK ? firstOffset(answer) : before)
                        .isEqualTo(before);
            } else {
                assertThat(answer.statusCode()).as(answer.body()).isNotEqualTo(OK);
                assertThat(served).doesNotContain("\"held\"");
                assertThat(next).isEqualTo(before);
            }
            assertThat(getAll(successor)).isEqualTo(served);
        }
        assertNothingMoreIsStoredByTheZombie();
    }

    /** It does not know what the next owner has acknowledged, so that it does not tell where the partition ends. */
    @Test
    void endsAreNotToldByAHostThatHasLostItsSessionUnawares() throws Exception {
        assertThat(zombie.send(put(zombie, "before")).statusCode()).isEqualTo(OK);
        assertThat(zombie.ops("/health/ready").statusCode()).isEqualTo(OK);
        line.cut();
        successor = TestGateway.start(directory.resolve("successor"), settings("successor", Map.of()), key);
        long next = firstOffset(putUntil(successor, "next", answer -> answer.statusCode() == OK));
        assertThat(next).isEqualTo(1);

        for (String offset : List.of("1", "2", "3", "latest")) {
            HttpResponse<String> refused = get(zombie, offset);
            assertThat(refused.body()).contains("\"partition-not-serving\"", "cannot tell where partition 0");
            assertThat(refused.statusCode()).isEqualTo(503);
        }
        HttpResponse<String> below = get(zombie, "0");
        assertThat(below.body()).contains("\"before\"").doesNotContain("logEndOffset");
        assertThat(below.headers().firstValue("Talos-Log-End-Offset")).isEmpty();
        assertThat(zombie.send(zombie.request("/v1/topics/t/partitions").build())
                        .body())
                .doesNotContain("logEndOffset");
        HttpResponse<String> ready = zombie.ops("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).startsWith("serving, but cannot tell where partitions end, because ");
        assertThat(zombie.metric("talos_read_lease_missing")).isEqualTo(1);

        line.heal();
        putUntil(zombie, "again", answer -> answer.statusCode() == OK);
        awaitReady(zombie);
        assertThat(get(zombie, "3").body()).contains("\"logEndOffset\":3");
    }

    private static HttpResponse<String> get(TestGateway gateway, String offset) throws Exception {
        return gateway.send(
                gateway.request(MESSAGES + "?value=text&offset=" + offset).build());
    }

    private static void awaitReady(TestGateway gateway) throws Exception {
        Await.asLongAs(() -> gateway.ops("/health/ready").statusCode() != OK);
    }

    /** It may hand puts on, or refuse them: what it acknowledges, the next owner has. */
    private void assertNothingMoreIsStoredByTheZombie() throws Exception {
        HttpResponse<String> later = zombie.send(put(zombie, "later"));
        assertThat(getAll(successor).contains("\"later\"")).isEqualTo(later.statusCode() == OK);
        line.heal();
        putUntil(zombie, "again", answer -> answer.statusCode() == OK);
        assertThat(getAll(zombie)).isEqualTo(getAll(successor)).contains("\"next\"", "\"again\"");
    }
}
