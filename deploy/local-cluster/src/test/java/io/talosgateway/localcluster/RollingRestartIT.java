package io.talosgateway.localcluster;

import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.xiaomi.infra.galaxy.rpc.thrift.Credential;
import com.xiaomi.infra.galaxy.rpc.thrift.UserType;
import com.xiaomi.infra.galaxy.talos.admin.TalosAdmin;
import com.xiaomi.infra.galaxy.talos.client.TalosClientConfig;
import com.xiaomi.infra.galaxy.talos.client.TalosClientFactory;
import com.xiaomi.infra.galaxy.talos.consumer.SimpleConsumer;
import com.xiaomi.infra.galaxy.talos.consumer.TalosConsumerConfig;
import com.xiaomi.infra.galaxy.talos.producer.SimpleProducer;
import com.xiaomi.infra.galaxy.talos.producer.TalosProducerConfig;
import com.xiaomi.infra.galaxy.talos.thrift.CreateTopicRequest;
import com.xiaomi.infra.galaxy.talos.thrift.Message;
import com.xiaomi.infra.galaxy.talos.thrift.MessageAndOffset;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAndPartition;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAttribute;
import com.xiaomi.infra.galaxy.talos.thrift.TopicInfo;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All gateways are restarted, one after another, behind a load balancer, under load of the official SDK and of our
 * client: nobody who uses them sees an error, and every message is there once and in order.
 */
final class RollingRestartIT {

    private static final int GATEWAYS = 3;
    private static final int PARTITIONS = 8;
    private static final long PAUSE_MS = 150;
    private static final int MOST_FETCHED = 500;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final List<Thread> users = new ArrayList<>();
    private final Properties properties = new Properties();
    private ClusterScript cluster;
    private LoadBalancer balancer;
    private volatile boolean stopped;

    private void up(ClusterScript maker) throws Exception {
        cluster = new ClusterScript(directory);
        maker.succeed(
                "up",
                "--gateways",
                String.valueOf(GATEWAYS),
                "--datanodes",
                "2",
                // A partition takes seconds to move where all processes share two loaded processors.
                "--set",
                "cluster.move-wait=45s",
                "--set",
                "topic.owner-wait=45s",
                "--set",
                "http.request-timeout=60s",
                "--set",
                "forward.connect-timeout=20s",
                "--set",
                "peer.handshake-timeout=20s",
                // The load balancer shares them, too.
                "--set",
                "cluster.stop-notice=5s");
        try (Reader reader = Files.newBufferedReader(cluster.folder().resolve("cluster.properties"))) {
            properties.load(reader);
        }
        balancer = new LoadBalancer(IntStream.rangeClosed(1, GATEWAYS)
                .mapToObj(number -> new LoadBalancer.Gateway(
                        URI.create(properties.getProperty("gateway-" + number + ".endpoint")),
                        URI.create(properties.getProperty("gateway-" + number + ".ops"))))
                .toList());
    }

    @AfterEach
    void down() throws Exception {
        stopped = true;
        for (Thread user : users) {
            user.join();
        }
        balancer.close();
        cluster.down();
    }

    /** What one user puts, one after another, and the longest time from one acknowledgement to the next. */
    private abstract static class Writer {
        int acknowledged;
        long lastNanos = System.nanoTime();
        long longestNanos;

        abstract void put(String message) throws Exception;

        final void putNext() throws Exception {
            put(message(acknowledged));
            long nowNanos = System.nanoTime();
            longestNanos = Math.max(longestNanos, nowNanos - lastNanos);
            lastNanos = nowNanos;
            acknowledged++;
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    /** Repeats it until the test is over; notes what a user would see of a failure. */
    private void user(String name, Work work) {
        Thread user = new Thread(
                () -> {
                    while (!stopped) {
                        try {
                            work.run();
                            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
                        } catch (Exception e) {
                            errors.add(name + ": " + e);
                            return;
                        }
                    }
                },
                name);
        users.add(user);
        user.start();
    }

    private static String message(int number) {
        return "message " + number;
    }

    private static List<String> messages(int count) {
        return IntStream.range(0, count).mapToObj(RollingRestartIT::message).toList();
    }

    // --- The official SDK ---

    private Properties sdkProperties() {
        Properties sdk = new Properties();
        sdk.setProperty("galaxy.talos.service.endpoint", balancer.endpoint().toString());
        sdk.setProperty("galaxy.talos.client.timeout.milli.secs", "90000");
        sdk.setProperty("galaxy.talos.client.conn.timeout.milli.secs", "30000");
        return sdk;
    }

    private Credential credential() {
        return new Credential()
                .setType(UserType.DEV_XIAOMI)
                .setSecretKeyId(properties.getProperty("access.key-id"))
                .setSecretKey(properties.getProperty("access.secret"));
    }

    private TopicInfo createSdkTopic() throws Exception {
        return new TalosAdmin(new TalosClientFactory(new TalosClientConfig(sdkProperties()), credential()))
                .createTopic(new CreateTopicRequest("of-the-sdk", new TopicAttribute().setPartitionNumber(PARTITIONS)))
                .getTopicInfo();
    }

    private Writer sdkWriter(TopicAndPartition partition) {
        SimpleProducer producer = new SimpleProducer(new TalosProducerConfig(sdkProperties()), partition, credential());
        return new Writer() {
            @Override
            void put(String message) throws Exception {
                producer.putMessageList(List.of(new Message().setMessage(message.getBytes(StandardCharsets.UTF_8))));
            }
        };
    }

    private static void readOn(SimpleConsumer consumer, List<String> read) throws Exception {
        for (MessageAndOffset one : consumer.fetchMessage(read.size(), MOST_FETCHED)) {
            assertThat(one.getMessageOffset()).isEqualTo(read.size());
            read.add(new String(one.getMessage().getMessage(), StandardCharsets.UTF_8));
        }
    }

    // --- Our client ---

    private static Writer clientWriter(GatewayClient client, int partition) {
        return new Writer() {
            @Override
            void put(String message) throws Exception {
                long offset = client.put("of-the-client", partition, List.of(NewMessage.of(message)))
                        .get()
                        .firstOffset();
                assertThat(offset).isEqualTo(acknowledged);
            }
        };
    }

    @Test
    void usersSeeNoErrorOfARestart() throws Exception {
        up(new ClusterScript(directory));
        usersSeeNoErrorWhile(this::restartAll);
    }

    /** {@code -Drolling.from=DIRECTORY}: a built working copy of an earlier commit, which makes the cluster. */
    @Test
    @Tag("by-hand")
    void usersSeeNoErrorOfAnUpgradeAndTheWayBack() throws Exception {
        up(new ClusterScript(directory, Path.of(System.getProperty("rolling.from"), "deploy", "local-cluster.sh")));
        Path script = cluster.folder().resolve("programs/talos-gateway/bin/talos-gateway");
        Path earlier = Files.copy(script, script.resolveSibling("earlier"), StandardCopyOption.COPY_ATTRIBUTES);
        usersSeeNoErrorWhile(() -> {
            Files.writeString(script, "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(ClusterScript.GATEWAY));
            restartAll();
            System.out.println("All gateways are upgraded");
            Files.copy(earlier, script, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            restartAll();
        });
    }

    private void restartAll() throws Exception {
        for (int number = 1; number <= GATEWAYS; number++) {
            cluster.succeed("restart", "gateway-" + number);
        }
    }

    private void usersSeeNoErrorWhile(Work restarts) throws Exception {
        TopicInfo topic = createSdkTopic();
        GatewayClient client = GatewayClient.builder(balancer.endpoint())
                .key(properties.getProperty("access.key-id"), properties.getProperty("access.secret"))
                .timeout(Duration.ofSeconds(90))
                .build();
        client.createTopic(new NewTopic("of-the-client", PARTITIONS)).get();
        List<Writer> sdkWriters = new ArrayList<>();
        List<Writer> clientWriters = new ArrayList<>();
        List<SimpleConsumer> consumers = new ArrayList<>();
        List<List<String>> readWhile = new ArrayList<>();
        for (int number = 0; number < PARTITIONS; number++) {
            TopicAndPartition partition =
                    new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), number);
            sdkWriters.add(sdkWriter(partition));
            clientWriters.add(clientWriter(client, number));
            consumers.add(new SimpleConsumer(new TalosConsumerConfig(sdkProperties()), partition, credential()));
            readWhile.add(new ArrayList<>());
        }
        for (int number = 0; number < PARTITIONS; number++) {
            SimpleConsumer consumer = consumers.get(number);
            List<String> read = readWhile.get(number);
            user("SDK producer " + number, sdkWriters.get(number)::putNext);
            user("client " + number, clientWriters.get(number)::putNext);
            user("SDK consumer " + number, () -> readOn(consumer, read));
        }

        restarts.run();

        stopped = true;
        for (Thread user : users) {
            user.join();
        }
        report("official SDK", sdkWriters);
        report("client", clientWriters);
        assertThat(errors).isEmpty();
        for (int number = 0; number < PARTITIONS; number++) {
            int acknowledged = sdkWriters.get(number).acknowledged;
            List<String> read = readWhile.get(number);
            while (read.size() < acknowledged) {
                readOn(consumers.get(number), read);
            }
            assertThat(read).isEqualTo(messages(acknowledged));
        }
    }

    private static void report(String who, List<Writer> writers) {
        System.out.printf(
                "%s: %d puts; longest time without an acknowledged put, by partition, in ms: %s%n",
                who,
                writers.stream().mapToInt(writer -> writer.acknowledged).sum(),
                writers.stream()
                        .map(writer -> TimeUnit.NANOSECONDS.toMillis(writer.longestNanos))
                        .toList());
    }
}
