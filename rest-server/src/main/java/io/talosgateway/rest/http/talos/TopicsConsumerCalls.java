package io.talosgateway.rest.http.talos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.talosgateway.rest.consumergroup.ConsumerGroups;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.TopicsConsumeUnit;
import io.talosgateway.thrift.TopicsLockWorkerRequest;
import io.talosgateway.thrift.TopicsLockWorkerResponse;
import io.talosgateway.thrift.TopicsQueryWorkerRequest;
import io.talosgateway.thrift.TopicsQueryWorkerResponse;
import io.talosgateway.thrift.TopicsRenewRequest;
import io.talosgateway.thrift.TopicsRenewResponse;
import io.talosgateway.thrift.call.ConsumerMethods;
import io.talosgateway.thrift.call.ThriftService;
import org.jspecify.annotations.Nullable;

/** The methods of {@code ConsumerService} about several topics, which newer SDKs call. */
public final class TopicsConsumerCalls {

    private final TopicArguments topics;
    private final ConsumerGroups groups;

    public TopicsConsumerCalls(AuthorizedTopics topics, ConsumerGroups groups) {
        this.topics = new TopicArguments(topics);
        this.groups = groups;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.CONSUMER;
        methods.add(service, ConsumerMethods.LOCK_WORKER_FOR_TOPICS, this::lockWorker);
        methods.add(service, ConsumerMethods.RENEW_FOR_TOPICS, this::renew);
        methods.add(service, ConsumerMethods.QUERY_WORKER_FOR_TOPICS, this::queryWorker);
    }

    private CompletableFuture<TopicsLockWorkerResponse> lockWorker(TalosCall call, TopicsLockWorkerRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        Map<TopicId, List<Integer>> none = new HashMap<>();
        find(call, request.getTopics()).keySet().forEach(topic -> none.put(topic, List.of()));
        GroupRequest claim = GroupRequest.claim(
                ConsumerGroups.checkedGroup(request.getConsumerGroup()),
                ConsumerGroups.checkedWorker(request.getWorkerId()),
                none);
        return groups.ask(claim, call.exchange().deadline()).thenApply(done -> new TopicsLockWorkerResponse(true));
    }

    /**
     * A topic that is gone does not end the heartbeat of the others: its partitions are answered as not held.
     *
     * @throws GatewayException {@code TOPIC_NOT_FOUND} if all are gone
     */
    private CompletableFuture<TopicsRenewResponse> renew(TalosCall call, TopicsRenewRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        TopicsConsumeUnit unit = request.getConsumeUnit();
        Map<TopicId, List<Integer>> wanted = new HashMap<>();
        List<TopicAndPartition> failed = new ArrayList<>();
        Map<TopicPartition, TopicAndPartition> asked = new LinkedHashMap<>();
        unit.getTopicPartitions().forEach((name, partitions) -> {
            TopicMetadata topic = findOrNull(call, name);
            for (int partition : partitions) {
                TopicAndPartition one =
                        new TopicAndPartition(bareName(name), new TopicTalosResourceName(name), partition);
                if (topic == null || !topic.hasPartition(partition)) {
                    failed.add(one);
                } else {
                    asked.put(topic.partition(partition), one);
                }
            }
            if (topic != null) {
                wanted.put(
                        topic.id(),
                        partitions.stream()
                                .filter(topic::hasPartition)
                                .distinct()
                                .toList());
            }
        });
        if (wanted.isEmpty()) {
            throw noTopic(unit);
        }
        GroupRequest claim = GroupRequest.claim(
                ConsumerGroups.checkedGroup(unit.getConsumerGroup()),
                ConsumerGroups.checkedWorker(unit.getWorkerId()),
                wanted);
        return groups.ask(claim, call.exchange().deadline()).thenApply(answer -> {
            Set<TopicPartition> others = new HashSet<>();
            answer.entries().forEach(entry -> others.add(new TopicPartition(entry.topic(), entry.partition())));
            asked.forEach((partition, one) -> {
                if (others.contains(partition)) {
                    failed.add(one);
                }
            });
            return new TopicsRenewResponse(true, failed);
        });
    }

    private static GatewayException noTopic(TopicsConsumeUnit unit) {
        return new GatewayException(
                ErrorCode.TOPIC_NOT_FOUND,
                "There is none of the topics " + unit.getTopicPartitions().keySet()
                        + " that this key may see: they were deleted, and maybe created again, or the request names none.");
    }

    private CompletableFuture<TopicsQueryWorkerResponse> queryWorker(TalosCall call, TopicsQueryWorkerRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        Map<TopicId, TopicMetadata> found = find(call, request.getTopicTalosResourceNames());
        GroupRequest workers = GroupRequest.workers(
                ConsumerGroups.checkedGroup(request.getConsumerGroup()), List.copyOf(found.keySet()));
        return groups.ask(workers, call.exchange().deadline()).thenApply(answer -> {
            Map<String, List<TopicAndPartition>> held = new HashMap<>();
            for (GroupEntry entry : answer.entries()) {
                List<TopicAndPartition> ofWorker = held.computeIfAbsent(entry.worker(), absent -> new ArrayList<>());
                TopicMetadata topic = found.get(entry.topic());
                if (entry.hasPartition() && topic != null) {
                    ofWorker.add(new TopicAndPartition(
                            topic.name().value(), TopicStructs.resourceName(topic), entry.partition()));
                }
            }
            return new TopicsQueryWorkerResponse(held);
        });
    }

    private Map<TopicId, TopicMetadata> find(TalosCall call, List<TopicTalosResourceName> names) {
        if (names.isEmpty()) {
            throw TalosCall.malformed("it names no topic");
        }
        return names.stream()
                .distinct()
                .map(name -> topics.find(call, name))
                .collect(Collectors.toMap(TopicMetadata::id, Function.identity()));
    }

    private @Nullable TopicMetadata findOrNull(TalosCall call, String resourceName) {
        try {
            return topics.find(call, new TopicTalosResourceName(resourceName));
        } catch (GatewayException e) {
            if (e.code() == ErrorCode.TOPIC_NOT_FOUND) {
                return null;
            }
            throw e;
        }
    }

    /** The name in {@code owner#name#id}, whose owner may hold {@code #}. */
    private static String bareName(String resourceName) {
        int last = resourceName.lastIndexOf('#');
        int before = last < 0 ? -1 : resourceName.lastIndexOf('#', last - 1);
        return before < 0 ? resourceName : resourceName.substring(before + 1, last);
    }
}
