package io.talosgateway.client;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.DeleteTopicRequest;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.DescribeTopicResponse;
import io.talosgateway.thrift.GetDescribeInfoRequest;
import io.talosgateway.thrift.GetDescribeInfoResponse;
import io.talosgateway.thrift.GetScheduleInfoRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;

/**
 * A client of a gateway's Thrift interface, the one that the Talos SDKs use; made by {@link GatewayClient.Builder}.
 *
 * <p>It promises what {@link GatewayClient} does: requests are sent again where that is safe, and every put carries an
 * idempotency key, which the gateway takes on this interface too. What it puts, the SDKs can read, and the other way
 * round. Its {@link Problem}s have the codes of the JSON interface; where a number of this interface stands for several
 * of them, the careful one.
 *
 * <p>For any thread; nothing blocks. One client is enough for a program.
 */
public final class ThriftClient implements TalosClient {

    private static final int SMALL_CALL_BYTES = 256;

    private final HttpCaller caller;
    private final ThriftEncoder encoder;
    private final BlockCompression compression;
    private final Duration timeout;

    ThriftClient(HttpCaller caller, ThriftEncoder encoder, BlockCompression compression, Duration timeout) {
        this.caller = caller;
        this.encoder = encoder;
        this.compression = compression;
        this.timeout = timeout;
    }

    @Override
    public CompletableFuture<Topic> createTopic(NewTopic topic) {
        TopicAttribute attribute = new TopicAttribute().setAttributes(new HashMap<>(topic.attributes()));
        Integer partitions = topic.partitions();
        if (partitions != null) {
            attribute.setPartitionNumber(partitions);
        }
        Duration retention = topic.retention();
        if (retention != null) {
            attribute.setMessageRetentionSecs(Math.toIntExact(retention.toSeconds()));
        }
        return change(TopicMethods.CREATE_TOPIC, new CreateTopicRequest(topic.name(), attribute))
                .thenCompose(created -> topic(topic.name()));
    }

    @Override
    public CompletableFuture<Topic> topic(String name) {
        return read(ThriftService.TOPIC, TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest(name))
                .thenApply(ThriftClient::described);
    }

    private static Topic described(DescribeTopicResponse response) {
        TopicInfo info = response.getTopicInfo();
        TopicAttribute attribute = response.getTopicAttribute();
        return new Topic(
                info.getTopicName(),
                info.getTopicTalosResourceName().getTopicTalosResourceName(),
                info.getOwnerId(),
                attribute.getPartitionNumber(),
                Duration.ofSeconds(attribute.getMessageRetentionSecs()).toMillis(),
                attribute.isSetAttributes() ? Map.copyOf(attribute.getAttributes()) : Map.of(),
                response.getTopicState().getCreateTimestamp());
    }

    @Override
    public CompletableFuture<Topic> deleteTopic(String name) {
        return topic(name)
                .thenCompose(topic -> change(
                                TopicMethods.DELETE_TOPIC,
                                new DeleteTopicRequest(new TopicTalosResourceName(topic.resourceName())))
                        .thenApply(done -> topic));
    }

    @Override
    public CompletableFuture<List<PartitionClient>> partitionClients(String topic) {
        return describeInfo(topic)
                .thenApply(info -> IntStream.range(0, info.getPartitionNumber())
                        .mapToObj(partition -> partitionClient(topic, info.getTopicTalosResourceName(), partition))
                        .toList());
    }

    private PartitionClient partitionClient(String topic, TopicTalosResourceName resourceName, int partition) {
        return new ThriftPartitionClient(
                caller,
                encoder,
                new TopicAndPartition(topic, resourceName, partition),
                compression,
                timeout,
                InstantSource.system());
    }

    /** The owners of a topic's partitions, {@code host:port}; without those partitions that no host serves right now. */
    public CompletableFuture<Map<Integer, String>> owners(String topic) {
        return describeInfo(topic)
                .thenCompose(info -> read(
                        ThriftService.MESSAGE,
                        MessageMethods.GET_SCHEDULE_INFO,
                        new GetScheduleInfoRequest(info.getTopicTalosResourceName())))
                .thenApply(schedule -> {
                    Map<Integer, String> owners = new TreeMap<>();
                    schedule.getScheduleInfo()
                            .forEach((partition, owner) -> owners.put(partition.getPartitionId(), owner));
                    return owners;
                });
    }

    private CompletableFuture<GetDescribeInfoResponse> describeInfo(String topic) {
        return read(ThriftService.TOPIC, TopicMethods.GET_DESCRIBE_INFO, new GetDescribeInfoRequest(topic));
    }

    private <A, R> CompletableFuture<R> read(ThriftService service, ThriftMethod<A, R> method, A argument) {
        return caller.send(encoder.call(service, method, argument, SMALL_CALL_BYTES, Retry.AFTER_BACKOFF), timeout);
    }

    private <A, R> CompletableFuture<R> change(ThriftMethod<A, R> method, A argument) {
        return caller.send(
                encoder.call(ThriftService.TOPIC, method, argument, SMALL_CALL_BYTES, Retry.OUTCOME_UNKNOWN), timeout);
    }
}
