package io.talosgateway.rest.http.talos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.consumergroup.ConsumerGroups;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.CheckPoint;
import io.talosgateway.thrift.CheckRegisterRequest;
import io.talosgateway.thrift.CheckRegisterResponse;
import io.talosgateway.thrift.ConsumeUnit;
import io.talosgateway.thrift.DeleteConsumerGroupRequest;
import io.talosgateway.thrift.GetWorkerIdRequest;
import io.talosgateway.thrift.GetWorkerIdResponse;
import io.talosgateway.thrift.LockPartitionRequest;
import io.talosgateway.thrift.LockPartitionResponse;
import io.talosgateway.thrift.LockWorkerRequest;
import io.talosgateway.thrift.LockWorkerResponse;
import io.talosgateway.thrift.QueryOffsetRequest;
import io.talosgateway.thrift.QueryOffsetResponse;
import io.talosgateway.thrift.QueryWorkerRequest;
import io.talosgateway.thrift.QueryWorkerResponse;
import io.talosgateway.thrift.RenewRequest;
import io.talosgateway.thrift.RenewResponse;
import io.talosgateway.thrift.UnlockPartitionRequest;
import io.talosgateway.thrift.UpdateOffsetRequest;
import io.talosgateway.thrift.UpdateOffsetResponse;
import io.talosgateway.thrift.call.ConsumerMethods;
import io.talosgateway.thrift.call.ThriftService;

/** The methods of {@code ConsumerService} about one topic. {@link TopicsConsumerCalls} has those about several. */
public final class ConsumerCalls {

    private final TopicArguments topics;
    private final ConsumerGroups groups;

    public ConsumerCalls(AuthorizedTopics topics, ConsumerGroups groups) {
        this.topics = new TopicArguments(topics);
        this.groups = groups;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.CONSUMER;
        methods.add(service, ConsumerMethods.LOCK_WORKER, this::lockWorker);
        methods.add(service, ConsumerMethods.CHECK_REGISTER, this::checkRegister);
        methods.add(service, ConsumerMethods.RENEW, this::renew);
        methods.add(service, ConsumerMethods.LOCK_PARTITION, this::lockPartition);
        methods.add(service, ConsumerMethods.UNLOCK_PARTITION, this::unlockPartition);
        methods.add(service, ConsumerMethods.QUERY_WORKER, this::queryWorker);
        methods.add(service, ConsumerMethods.GET_WORKER_ID, this::getWorkerId);
        methods.add(service, ConsumerMethods.UPDATE_OFFSET, this::updateOffset);
        methods.add(service, ConsumerMethods.QUERY_OFFSET, this::queryOffset);
        methods.add(service, ConsumerMethods.DELETE_CONSUMER_GROUP, this::deleteConsumerGroup);
    }

    /** What a worker has of a topic, checked. */
    private record Unit(TopicMetadata topic, String group, String worker, List<Integer> asked) {

        /** Partitions that the topic has, once each. */
        Map<TopicId, List<Integer>> existing() {
            return Map.of(
                    topic.id(),
                    asked.stream().filter(topic::hasPartition).distinct().toList());
        }

        /** Those asked for that some entries are about, or that the topic does not have. Others must not be told: the SDK stops for ever. */
        List<Integer> failed(List<GroupEntry> held) {
            Set<Integer> others = new HashSet<>();
            held.forEach(entry -> others.add(entry.partition()));
            return asked.stream()
                    .filter(partition -> !topic.hasPartition(partition) || others.contains(partition))
                    .toList();
        }
    }

    private Unit unit(TalosCall call, ConsumeUnit unit) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        return new Unit(
                topics.find(call, unit.getTopicTalosResourceName()),
                ConsumerGroups.checkedGroup(unit.getConsumerGroup()),
                ConsumerGroups.checkedWorker(unit.getWorkerId()),
                unit.getPartitionIdList());
    }

    private CompletableFuture<GroupAnswer> claim(TalosCall call, Unit unit) {
        return groups.ask(GroupRequest.claim(unit.group(), unit.worker(), unit.existing()), deadline(call));
    }

    // --- Workers ---

    private CompletableFuture<LockWorkerResponse> lockWorker(TalosCall call, LockWorkerRequest request) {
        return claim(call, unit(call, request.getConsumeUnit())).thenApply(done -> new LockWorkerResponse(true));
    }

    /** Whoever may use the group may register: there are as many workers as want to be. */
    private CompletableFuture<CheckRegisterResponse> checkRegister(TalosCall call, CheckRegisterRequest request) {
        unit(call, request.getConsumeUnit());
        return CompletableFuture.completedFuture(new CheckRegisterResponse(true));
    }

    /**
     * A worker that is not known is registered: the SDK never does so again itself. It asks for partitions, too, whose
     * locks it has only begun to ask for; they are its own if nobody holds them.
     */
    private CompletableFuture<RenewResponse> renew(TalosCall call, RenewRequest request) {
        Unit unit = unit(call, request.getConsumeUnit());
        return claim(call, unit).thenApply(answer -> new RenewResponse(true, unit.failed(answer.entries())));
    }

    private CompletableFuture<QueryWorkerResponse> queryWorker(TalosCall call, QueryWorkerRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        TopicMetadata topic = topics.find(call, request.getTopicTalosResourceName());
        String group = ConsumerGroups.checkedGroup(request.getConsumerGroup());
        return groups.ask(GroupRequest.workers(group, List.of(topic.id())), deadline(call))
                .thenApply(answer -> {
                    Map<String, List<Integer>> workers = new HashMap<>();
                    for (GroupEntry entry : answer.entries()) {
                        List<Integer> held = workers.computeIfAbsent(entry.worker(), absent -> new ArrayList<>());
                        if (entry.hasPartition()) {
                            held.add(entry.partition());
                        }
                    }
                    return new QueryWorkerResponse(workers);
                });
    }

    private CompletableFuture<GetWorkerIdResponse> getWorkerId(TalosCall call, GetWorkerIdRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        TopicPartition partition = TopicArguments.partition(
                topics.find(call, request.getTopicAndPartition()), request.getTopicAndPartition());
        return find(call, request.getConsumerGroup(), partition)
                .thenApply(entry -> new GetWorkerIdResponse(entry.worker()));
    }

    // --- Partitions ---

    private CompletableFuture<LockPartitionResponse> lockPartition(TalosCall call, LockPartitionRequest request) {
        Unit unit = unit(call, request.getConsumeUnit());
        unit.asked().forEach(partition -> TopicArguments.partition(unit.topic(), partition));
        return claim(call, unit).thenApply(answer -> {
            List<Integer> failed = unit.failed(answer.entries());
            return new LockPartitionResponse(
                    unit.asked().stream()
                            .filter(partition -> !failed.contains(partition))
                            .toList(),
                    failed);
        });
    }

    private CompletableFuture<Void> unlockPartition(TalosCall call, UnlockPartitionRequest request) {
        Unit unit = unit(call, request.getConsumeUnit());
        return groups.ask(GroupRequest.release(unit.group(), unit.worker(), unit.existing()), deadline(call))
                .thenApply(done -> null);
    }

    // --- Offsets ---

    private CompletableFuture<UpdateOffsetResponse> updateOffset(TalosCall call, UpdateOffsetRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        CheckPoint checkPoint = request.getCheckpoint();
        TopicPartition partition = TopicArguments.partition(
                topics.find(call, checkPoint.getTopicAndPartition()), checkPoint.getTopicAndPartition());
        GroupRequest commit = GroupRequest.commit(
                ConsumerGroups.checkedGroup(checkPoint.getConsumerGroup()),
                ConsumerGroups.checkedWorker(checkPoint.getWorkerId()),
                partition.topic(),
                partition.partition(),
                checkPoint.getMsgOffset(),
                checkPoint.isSetLastCommitOffset() ? checkPoint.getLastCommitOffset() : null);
        return groups.commit(partition, commit, deadline(call))
                .thenApply(answer -> new UpdateOffsetResponse(answer.accepted()));
    }

    private CompletableFuture<QueryOffsetResponse> queryOffset(TalosCall call, QueryOffsetRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        TopicPartition partition = TopicArguments.partition(
                topics.find(call, request.getTopicAndPartition()), request.getTopicAndPartition());
        return find(call, request.getConsumerGroup(), partition)
                .thenApply(entry -> new QueryOffsetResponse(entry.offset()));
    }

    private CompletableFuture<GroupEntry> find(TalosCall call, String group, TopicPartition partition) {
        GroupRequest request = GroupRequest.find(
                ConsumerGroups.checkedGroup(group), partition.topic(), List.of(partition.partition()));
        return groups.ask(request, deadline(call))
                .thenApply(answer -> answer.entries().get(0));
    }

    // --- Groups ---

    private CompletableFuture<Void> deleteConsumerGroup(TalosCall call, DeleteConsumerGroupRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        TopicMetadata topic = topics.find(call, request.getTopicTalosResourceName());
        String group = ConsumerGroups.checkedGroup(request.getConsumerGroup());
        return groups.delete(group, topic.id(), deadline(call)).thenApply(answer -> null);
    }

    private static Deadline deadline(TalosCall call) {
        return call.exchange().deadline();
    }
}
