package io.talosgateway.deploy;

import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;

import com.xiaomi.infra.galaxy.rpc.thrift.Credential;
import com.xiaomi.infra.galaxy.rpc.thrift.UserType;
import com.xiaomi.infra.galaxy.talos.admin.TalosAdmin;
import com.xiaomi.infra.galaxy.talos.client.TalosClientConfig;
import com.xiaomi.infra.galaxy.talos.client.TalosClientFactory;
import com.xiaomi.infra.galaxy.talos.client.TopicAbnormalCallback;
import com.xiaomi.infra.galaxy.talos.consumer.MessageProcessorFactory;
import com.xiaomi.infra.galaxy.talos.consumer.SimpleConsumer;
import com.xiaomi.infra.galaxy.talos.consumer.TalosConsumer;
import com.xiaomi.infra.galaxy.talos.consumer.TalosConsumerConfig;
import com.xiaomi.infra.galaxy.talos.producer.SimpleProducer;
import com.xiaomi.infra.galaxy.talos.producer.TalosProducer;
import com.xiaomi.infra.galaxy.talos.producer.TalosProducerConfig;
import com.xiaomi.infra.galaxy.talos.producer.UserMessageCallback;
import com.xiaomi.infra.galaxy.talos.thrift.MessageCompressionType;
import com.xiaomi.infra.galaxy.talos.thrift.MessageService;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAndPartition;
import com.xiaomi.infra.galaxy.talos.thrift.TopicTalosResourceName;
import io.talosgateway.rest.auth.AccessKey;

/** The official SDK, set up as its users do, for one gateway and one key. */
record OfficialSdk(String endpoint, AccessKey key) {

    static OfficialSdk of(GatewayProcess gateway) {
        return new OfficialSdk(gateway.endpoint(), gateway.key());
    }

    OfficialSdk withSecret(String secret) {
        return new OfficialSdk(
                endpoint,
                new AccessKey(key.id(), secret, key.owner(), key.organization(), key.admin(), key.createdAtMs()));
    }

    private Properties properties(Map<String, String> more) {
        Properties properties = new Properties();
        properties.putAll(more);
        properties.setProperty("galaxy.talos.service.endpoint", endpoint);
        return properties;
    }

    private Credential credential() {
        return new Credential()
                .setType(UserType.DEV_XIAOMI)
                .setSecretKeyId(key.id())
                .setSecretKey(key.secret());
    }

    private TalosProducerConfig producerConfig(MessageCompressionType compression) {
        return new TalosProducerConfig(
                properties(Map.of("galaxy.talos.producer.compression.type", compression.name())));
    }

    TalosClientFactory factory() {
        return new TalosClientFactory(new TalosClientConfig(properties(Map.of())), credential());
    }

    TalosAdmin admin() {
        return new TalosAdmin(factory());
    }

    SimpleProducer producer(TopicAndPartition partition, MessageCompressionType compression) {
        return new SimpleProducer(producerConfig(compression), partition, credential());
    }

    /** A producer whose sequence of requests has a name: another with the same name and first number repeats them. */
    SimpleProducer producer(TopicAndPartition partition, String clientId, long firstRequest) {
        MessageService.Iface client = factory().newMessageClient();
        return new SimpleProducer(
                producerConfig(MessageCompressionType.SNAPPY),
                partition,
                client,
                clientId,
                new AtomicLong(firstRequest));
    }

    /** Puts in the background, in batches; messages with a key to the key's partition. */
    TalosProducer talosProducer(
            TopicTalosResourceName topic, MessageCompressionType compression, UserMessageCallback callback)
            throws Exception {
        return new TalosProducer(
                producerConfig(compression),
                credential(),
                topic,
                (resourceName, failure) -> {
                    throw new AssertionError("the topic is gone: " + resourceName, failure);
                },
                callback);
    }

    SimpleConsumer consumer(TopicAndPartition partition) {
        return new SimpleConsumer(new TalosConsumerConfig(properties(Map.of())), partition, credential());
    }

    /** A worker of a group. It looks for partitions, workers and work much more often than the SDK allows its users. */
    TalosConsumer talosConsumer(
            String group, TopicTalosResourceName topic, MessageProcessorFactory processors, TopicAbnormalCallback gone)
            throws Exception {
        Properties often = properties(Map.of(
                "galaxy.talos.consumer.check.partition.interval", "1000",
                "galaxy.talos.consumer.check.worker.info.interval", "1000",
                "galaxy.talos.consumer.renew.interval", "1000",
                "galaxy.talos.consumer.commit.offset.interval.milli", "500"));
        return new TalosConsumer(
                group, new TalosConsumerConfig(often, false), credential(), topic, processors, "", gone);
    }
}
