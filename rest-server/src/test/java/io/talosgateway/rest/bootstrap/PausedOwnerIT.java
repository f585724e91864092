package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The process of an owner stands still for longer than its session lasts, while clients send it gets. When it goes on, it
 * finds them in its sockets, before it hears that its session has ended.
 */
final class PausedOwnerIT {

    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";
    private static final int OK = 200;
    private static final int GETS = 60;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    private HdfsCluster hdfs;
    private TestingServer zooKeeper;
    private AccessKey key;
    private GatewayInProcess paused;
    private TestGateway successor;
    private final List<Socket> clients = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        hdfs = HdfsCluster.start(directory.resolve("hdfs"), 1);
        zooKeeper = new TestingServer(
                new InstanceSpec(directory.resolve("zookeeper").toFile(), -1, -1, -1, false, 1, 500, 1_000), true);
        key = KeyFile.create(directory.resolve("keys.json"), "tester", true, InstantSource.system());
        // First, and alone: so that it has the partition.
        paused = GatewayInProcess.start(directory.resolve("paused"), settings("paused"));
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket client : clients) {
            client.close();
        }
        paused.close();
        if (successor != null) {
            successor.close();
        }
        zooKeeper.close();
        hdfs.close();
    }

    private Map<String, String> settings(String host) {
        return new HashMap<>(Map.of(
                "host.name", host,
                "storage.root", hdfs.uri() + "/talos",
                "hadoop.dfs.replication", "1",
                "zookeeper.connect", zooKeeper.getConnectString(),
                "zookeeper.session-timeout", "6s",
                "zookeeper.auth", "hosts:of the test",
                "auth.key-file", directory.resolve("keys.json").toString(),
                "cluster.join-delay", "0s",
                "cluster.removal-delay", "0s",
                "journal.lanes", "1"));
    }

    /** One answer of a connection of its own. */
    private String request(String head, String body) throws IOException {
        Socket client = connect();
        send(client, head, body);
        return answer(client);
    }

    private Socket connect() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), paused.port());
        clients.add(client);
        return client;
    }

    private void send(Socket client, String head, String body) throws IOException {
        String request = head + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: "
                + TestGateway.basic(key) + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private static String answer(Socket client) throws IOException {
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static HttpRequest put(TestGateway gateway) {
        return gateway.request(MESSAGES)
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofString("message"))
                .build();
    }

    private long putUntilStored() throws Exception {
        HttpResponse<String> answer =
                Await.value(() -> successor.send(put(successor)), response -> response.statusCode() == OK);
        return Long.parseLong(answer.body().replaceAll("(?s).*\"firstOffset\":(\\d+).*", "$1")) + 1;
    }

    @Test
    void getsThatWaitedInItsSocketsAreToldNoFalseEnd() throws Exception {
        assertThat(request("POST /v1/topics", "{\"name\":\"t\",\"partitions\":1}"))
                .contains(" 201 ");
        assertThat(request("GET " + MESSAGES + "?offset=0", "")).contains(" 200 ", "\"logEndOffset\":0");
        List<Socket> waiting = new ArrayList<>();
        for (int get = 0; get < GETS; get++) {
            waiting.add(connect());
        }

        paused.pause();
        successor = TestGateway.start(directory.resolve("successor"), settings("successor"), key);
        putUntilStored();
        long end = putUntilStored();
        assertThat(end).isEqualTo(2);
        for (int get = 0; get < GETS; get++) {
            send(waiting.get(get), "GET " + MESSAGES + "?offset=" + (get % 3 == 0 ? "latest" : end), "");
        }
        paused.resume();

        int refused = 0;
        for (Socket client : waiting) {
            String answer = answer(client);
            if (answer.startsWith("HTTP/1.1 503 ")) {
                refused++;
            } else {
                // Handed on to the owner.
                assertThat(answer).startsWith("HTTP/1.1 200 ").contains("\"logEndOffset\":" + end);
            }
        }
        System.out.printf("%d of %d gets were refused, the others handed on%n", refused, GETS);
    }
}
