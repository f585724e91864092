package io.talosgateway.deploy;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import com.xiaomi.infra.galaxy.talos.thrift.MessageAndOffset;
import com.xiaomi.infra.galaxy.talos.thrift.MessageCompressionType;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAndPartition;
import com.xiaomi.infra.galaxy.talos.thrift.TopicTalosResourceName;
import io.talosgateway.client.BlockCompression;
import io.talosgateway.client.Fetched;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Message;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.PartitionClient;
import io.talosgateway.client.PreparedPut;
import io.talosgateway.client.Retry;
import io.talosgateway.client.TalosClient;
import io.talosgateway.client.ThriftClient;
import io.talosgateway.client.ThriftProtocol;
import io.talosgateway.client.Topic;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Our Thrift client and the official SDK 2.0.2 with the same gateway process: each reads what the other puts. */
final class ThriftClientIT extends StorageContract {

    /** From one byte to 1 MiB, across the 32 KiB chunks of Snappy. */
    private static final int[] SIZES = {1, 100, 32_767, 32_768, 32_769, 1 << 20};

    private ThriftClient client;
    private OfficialSdk sdk;
    private int topics;

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }

    @BeforeAll
    void makeClients() {
        client = gateway().client().buildThrift();
        sdk = OfficialSdk.of(gateway());
    }

    private Topic newTopic(int partitions) throws Exception {
        return client.createTopic(new NewTopic("topic-" + topics++, partitions)).get();
    }

    private static TopicAndPartition partition(Topic topic, int partition) {
        return new TopicAndPartition(topic.name(), new TopicTalosResourceName(topic.resourceName()), partition);
    }

    private static PartitionClient partition(TalosClient client, Topic topic, int partition) throws Exception {
        return client.partitionClients(topic.name()).get().get(partition);
    }

    /** Payloads of all sizes, in turn random and repetitive. */
    private static List<byte[]> payloads() {
        Random random = new Random(20261121);
        List<byte[]> payloads = new ArrayList<>();
        for (int size : SIZES) {
            byte[] incompressible = new byte[size];
            random.nextBytes(incompressible);
            byte[] repetitive = new byte[size];
            for (int index = 0; index < size; index++) {
                repetitive[index] = (byte) (index % 7);
            }
            payloads.add(incompressible);
            payloads.add(repetitive);
        }
        return payloads;
    }

    private static List<Message> readAll(PartitionClient partition) throws Exception {
        List<Message> all = new ArrayList<>();
        long next = PartitionClient.EARLIEST;
        while (true) {
            Fetched fetched = partition.get(next, GetOptions.DEFAULT).get();
            if (fetched.count() == 0) {
                return all;
            }
            assertThat(fetched.messages()).hasSize(fetched.count());
            all.addAll(fetched.messages());
            next = fetched.nextOffset();
        }
    }

    private static void assertHolds(List<Message> got, List<byte[]> payloads) {
        assertThat(got).hasSameSizeAs(payloads);
        for (int index = 0; index < payloads.size(); index++) {
            assertThat(got.get(index).offset()).isEqualTo(index);
            assertThat(got.get(index).payload()).as("message %s", index).isEqualTo(payloads.get(index));
            assertThat(got.get(index).appendedAtMs()).isPositive();
        }
    }

    private static GatewayClientException failureOf(CompletableFuture<?> future) {
        ExecutionException failure = catchThrowableOfType(ExecutionException.class, future::get);
        assertThat(failure).hasCauseInstanceOf(GatewayClientException.class);
        return (GatewayClientException) failure.getCause();
    }

    // --- messages ---

    @ParameterizedTest
    @EnumSource
    void everybodyReadsWhatWePut(BlockCompression compression) throws Exception {
        Topic topic = newTopic(2);
        List<byte[]> payloads = payloads();
        for (ThriftProtocol protocol : ThriftProtocol.values()) {
            PartitionClient partition = partition(
                    gateway().client().buildThrift(protocol, compression),
                    topic,
                    protocol == ThriftProtocol.BINARY ? 1 : 0);
            if (protocol == ThriftProtocol.JSON) {
                // Behind those of the compact protocol.
                partition.put(List.of(NewMessage.of("last"))).get();
                continue;
            }
            // One alone, and the others together.
            partition.put(List.of(NewMessage.of(payloads.get(0)))).get();
            partition
                    .put(payloads.subList(1, payloads.size()).stream()
                            .map(NewMessage::of)
                            .toList())
                    .get();
        }
        List<byte[]> andLast = new ArrayList<>(payloads);
        andLast.add(new byte[] {'l', 'a', 's', 't'});

        assertHolds(readAll(partition(client, topic, 0)), andLast);
        assertHolds(readAll(partition(client, topic, 1)), payloads);
        assertHolds(readAll(partition(gateway().client().build(), topic, 1)), payloads);
        List<MessageAndOffset> bySdk = SdkMessages.readAll(sdk.consumer(partition(topic, 1)), 0);
        assertThat(bySdk).hasSameSizeAs(payloads);
        for (int index = 0; index < payloads.size(); index++) {
            assertThat(bySdk.get(index).getMessageOffset()).isEqualTo(index);
            assertThat(bySdk.get(index).getMessage().getMessage()).isEqualTo(payloads.get(index));
        }
    }

    @ParameterizedTest
    @EnumSource
    void weReadWhatTheOfficialSdkPuts(MessageCompressionType compression) throws Exception {
        Topic topic = newTopic(1);
        List<byte[]> payloads = payloads();
        List<com.xiaomi.infra.galaxy.talos.thrift.Message> messages = payloads.stream()
                .map(payload -> new com.xiaomi.infra.galaxy.talos.thrift.Message(ByteBuffer.wrap(payload))
                        .setSequenceNumber("number-" + payload.length))
                .toList();

        sdk.producer(partition(topic, 0), compression).putMessageList(messages);

        for (ThriftProtocol protocol : ThriftProtocol.values()) {
            ThriftClient reader = gateway().client().buildThrift(protocol, BlockCompression.NONE);
            List<Message> got = readAll(partition(reader, topic, 0));
            assertHolds(got, payloads);
            assertThat(got.get(0).sequenceNumber()).isEqualTo("number-1");
        }
    }

    @Test
    void getBeginsInTheMiddleOfABlock() throws Exception {
        PartitionClient partition = partition(client, newTopic(1), 0);
        partition
                .put(List.of(NewMessage.of("a").withKey("k"), NewMessage.of("b"), NewMessage.of("c")))
                .get();

        Fetched fetched = partition.get(1, GetOptions.DEFAULT).get();

        assertThat(fetched.messages()).extracting(Message::text).containsExactly("b", "c");
        assertThat(fetched.nextOffset()).isEqualTo(3);
        assertThat(partition.get(0, GetOptions.DEFAULT).get().messages().get(0).key())
                .isEqualTo("k");
        assertThat(partition.get(3, GetOptions.DEFAULT).get().count()).isZero();
    }

    @Test
    void preparedPutIsStoredOnceForEachKey() throws Exception {
        Topic topic = newTopic(1);
        for (TalosClient each : List.of(client, gateway().client().build())) {
            PartitionClient partition = partition(each, topic, 0);
            PreparedPut put = partition.prepare(List.of(NewMessage.of("again")));
            long before = readAll(partition).size();

            put.send().get();
            put.send().get();
            put.send("key-" + before).get();
            put.send("key-" + before).get();

            assertThat(readAll(partition)).hasSize((int) before + 3);
        }
    }

    // --- topics ---

    @Test
    void topicIsCreatedDescribedAndDeleted() throws Exception {
        Topic topic = client.createTopic(new NewTopic("life", 3, Duration.ofHours(2), Map.of("team", "billing")))
                .get();

        assertThat(gateway().client().build().topic("life").get()).isEqualTo(topic);
        assertThat(client.topic("life").get()).isEqualTo(topic);
        assertThat(client.owners("life").get()).containsOnlyKeys(0, 1, 2);
        assertThat(client.deleteTopic("life").get()).isEqualTo(topic);
        assertThat(failureOf(client.topic("life")).code()).isEqualTo("topic-not-found");
    }

    // --- failures ---

    @Test
    void failuresHaveTheCodesOfTheJsonInterface() throws Exception {
        PartitionClient partition = partition(client, newTopic(1), 0);
        ThriftClient stranger = GatewayClient.builder(URI.create(gateway().endpoint()))
                .key(gateway().key().id(), "wrong")
                .buildThrift();

        assertThat(failureOf(client.partitionClients("nowhere")).code()).isEqualTo("topic-not-found");
        assertThat(failureOf(client.createTopic(new NewTopic("no/such/name"))).code())
                .isEqualTo("invalid-name");
        assertThat(failureOf(stranger.topic("nowhere")).code()).isEqualTo("unauthenticated");
        GatewayClientException beyond = failureOf(partition.get(5, GetOptions.DEFAULT));
        assertThat(beyond.code()).isEqualTo("offset-out-of-range");
        assertThat(beyond.retry()).isEqualTo(Retry.NEVER);
    }
}
