package io.talosgateway.localcluster;

import java.net.URI;
import java.nio.charset.StandardCharsets;
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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users of a cluster, each of whom does one thing after another: producers and consumers of the official SDK, and producers of our
 * client. None of them may see an error, whatever is restarted, and every message is there once and in order.
 */
final class SteadyUsers {

    /** Options of {@code up}. A partition takes seconds to move where all processes share two loaded processors. */
    static final List<String> PATIENCE = List.of(
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

    private static final int PARTITIONS = 8;
    private static final long PAUSE_MS = 300;
    private static final int MOST_FETCHED = 500;

    private final URI endpoint;
    private final String keyId;
    private final String secret;

    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final List<Thread> users = new ArrayList<>();
    private final List<Writer> sdkWriters = new ArrayList<>();
    private final List<Writer> clientWriters = new ArrayList<>();
    private final List<SimpleConsumer> consumers = new ArrayList<>();
    private final List<List<String>> readWhile = new ArrayList<>();
    private volatile boolean stopped;

    SteadyUsers(URI endpoint, String keyId, String secret) {
        this.endpoint = endpoint;
        this.keyId = keyId;
        this.secret = secret;
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

    /** Repeats it until the users are stopped; notes what a user would see of a failure. */
    private void user(String name, Work work) {
        Thread user = new Thread(
                () -> {
                    while (!stopped) {
                        try {
                            work.run();
                            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
                        } catch (Exception | AssertionError e) {
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
        return IntStream.range(0, count).mapToObj(SteadyUsers::message).toList();
    }

    // --- The official SDK ---

    private Properties sdkProperties() {
        Properties sdk = new Properties();
        sdk.setProperty("galaxy.talos.service.endpoint", endpoint.toString());
        sdk.setProperty("galaxy.talos.client.timeout.milli.secs", "90000");
        sdk.setProperty("galaxy.talos.client.conn.timeout.milli.secs", "30000");
        return sdk;
    }

    private Credential credential() {
        return new Credential()
                .setType(UserType.DEV_XIAOMI)
                .setSecretKeyId(keyId)
                .setSecretKey(secret);
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

    // --- All of them ---

    void start() throws Exception {
        TopicInfo topic = createSdkTopic();
        GatewayClient client = GatewayClient.builder(endpoint)
                .key(keyId, secret)
                .timeout(Duration.ofSeconds(90))
                .build();
        client.createTopic(new NewTopic("of-the-client", PARTITIONS)).get();
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
    }

    void stop() throws InterruptedException {
        stopped = true;
        for (Thread user : users) {
            user.join();
        }
    }

    /** After {@link #stop}. */
    void assertNobodySawAnything() throws Exception {
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
