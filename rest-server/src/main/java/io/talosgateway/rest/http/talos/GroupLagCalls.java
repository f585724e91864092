package io.talosgateway.rest.http.talos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.talosgateway.rest.consumergroup.ConsumerGroups;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.ConsumerGroupAndPartition;
import io.talosgateway.thrift.GetTopicConsumeUnitRequest;
import io.talosgateway.thrift.GetTopicConsumeUnitResponse;
import io.talosgateway.thrift.PartitionConsumeUnit;
import io.talosgateway.thrift.QueryConsumerGroupRequest;
import io.talosgateway.thrift.QueryConsumerGroupResponse;
import io.talosgateway.thrift.QueryOrgOffsetRequest;
import io.talosgateway.thrift.QueryOrgOffsetResponse;
import io.talosgateway.thrift.QueryTopicConsumeUnitRequest;
import io.talosgateway.thrift.QueryTopicConsumeUnitResponse;
import io.talosgateway.thrift.call.ConsumerMethods;
import io.talosgateway.thrift.call.MetricMethods;
import io.talosgateway.thrift.call.ThriftService;

/** The methods of {@code MetricService} and {@code ConsumerService} that tell how far groups are behind. */
public final class GroupLagCalls {

    /** A worker of newer SDKs begins with its address, whose dots are written as {@code _}. */
    private static final Pattern ADDRESS = Pattern.compile("(\\d{1,3})_(\\d{1,3})_(\\d{1,3})_(\\d{1,3})-.*");

    /** Of all topics that a caller may see together. */
    private static final int MAX_PARTITIONS = 100_000;

    private final AuthorizedTopics authorized;
    private final TopicArguments topics;
    private final ConsumerGroups groups;
    private final PartitionService partitions;

    public GroupLagCalls(AuthorizedTopics topics, ConsumerGroups groups, PartitionService partitions) {
        this.authorized = topics;
        this.topics = new TopicArguments(topics);
        this.groups = groups;
        this.partitions = partitions;
    }

    void register(TalosMethods methods) {
        methods.add(ThriftService.CONSUMER, ConsumerMethods.QUERY_ORG_OFFSET, this::queryOrgOffset);
        ThriftService service = ThriftService.METRIC;
        methods.add(service, MetricMethods.QUERY_CONSUMER_GROUP, this::queryConsumerGroup);
        methods.add(service, MetricMethods.GET_TOPIC_CONSUME_UNIT, this::getTopicConsumeUnit);
        methods.add(service, MetricMethods.QUERY_TOPIC_CONSUME_UNIT, this::queryTopicConsumeUnit);
    }

    private CompletableFuture<QueryConsumerGroupResponse> queryConsumerGroup(
            TalosCall call, QueryConsumerGroupRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        TopicMetadata topic = topics.find(call, request.getTopicTalosResourceName());
        return groups.list(GroupRequest.list("", List.of(topic.id())), deadline(call))
                .thenApply(entries -> new QueryConsumerGroupResponse(
                        entries.stream().map(GroupEntry::group).collect(Collectors.toSet())));
    }

    private CompletableFuture<GetTopicConsumeUnitResponse> getTopicConsumeUnit(
            TalosCall call, GetTopicConsumeUnitRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        TopicMetadata topic =
                topics.find(call, request.getConsumerGroupAndTopic().getTopicTalosResourceName());
        String group =
                ConsumerGroups.checkedGroup(request.getConsumerGroupAndTopic().getConsumerGroupName());
        GroupRequest find = GroupRequest.find(
                group,
                topic.id(),
                topic.allPartitions().map(TopicPartition::partition).toList());
        Deadline deadline = deadline(call);
        return groups.ask(find, deadline)
                .thenCombine(
                        statuses(List.of(topic), deadline),
                        (answer, statuses) ->
                                new GetTopicConsumeUnitResponse(units(topic, answer.entries(), statuses)));
    }

    private CompletableFuture<QueryTopicConsumeUnitResponse> queryTopicConsumeUnit(
            TalosCall call, QueryTopicConsumeUnitRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        TopicMetadata topic = topics.find(call, request.getTopicTalosResourceName());
        Deadline deadline = deadline(call);
        return groups.list(GroupRequest.list("", List.of(topic.id())), deadline)
                .thenCombine(statuses(List.of(topic), deadline), (entries, statuses) -> {
                    Map<String, List<PartitionConsumeUnit>> units = new HashMap<>();
                    entries.stream()
                            .collect(Collectors.groupingBy(GroupEntry::group))
                            .forEach((group, ofGroup) -> units.put(group, units(topic, ofGroup, statuses)));
                    return new QueryTopicConsumeUnitResponse(units);
                });
    }

    /** For each partition of the topic, in order. */
    private static List<PartitionConsumeUnit> units(
            TopicMetadata topic, List<GroupEntry> entries, Map<TopicPartition, PartitionStatus> statuses) {
        Map<Integer, GroupEntry> byPartition = new TreeMap<>();
        entries.stream().filter(GroupEntry::hasPartition).forEach(entry -> byPartition.put(entry.partition(), entry));
        List<PartitionConsumeUnit> units = new ArrayList<>();
        topic.allPartitions().forEach(partition -> {
            GroupEntry entry = byPartition.get(partition.partition());
            String worker = entry == null ? "" : entry.worker();
            long offset = entry == null ? GroupEntry.NOTHING_COMMITTED : entry.offset();
            units.add(new PartitionConsumeUnit(
                    partition.partition(), address(worker), offset, lag(partition, offset, statuses)));
        });
        return units;
    }

    private static String address(String worker) {
        Matcher matcher = ADDRESS.matcher(worker);
        return matcher.matches()
                ? "%s.%s.%s.%s".formatted(matcher.group(1), matcher.group(2), matcher.group(3), matcher.group(4))
                : "";
    }

    /**
     * Messages that are not processed.
     *
     * @throws GatewayException {@code PARTITION_NOT_SERVING} if nobody can tell where the partition ends
     */
    private static long lag(TopicPartition partition, long offset, Map<TopicPartition, PartitionStatus> statuses) {
        PartitionStatus status = statuses.get(partition);
        if (status == null) {
            throw new GatewayException(
                    ErrorCode.PARTITION_NOT_SERVING,
                    "No host serves partition " + partition.partition()
                            + " of the topic right now; try again shortly.");
        }
        return ConsumerGroups.lag(offset, status);
    }

    /** How far the groups of a prefix are behind on the topics of an organization, or another owner, as far as the caller may see them. */
    private CompletableFuture<QueryOrgOffsetResponse> queryOrgOffset(TalosCall call, QueryOrgOffsetRequest request) {
        call.exchange().setRequestClass(RequestClass.GROUP);
        // There may be many: not on a thread that serves connections.
        return call.exchange()
                .work(false, () -> owned(call, request.getOrgId()))
                .thenCompose(owned -> owned.isEmpty()
                        ? CompletableFuture.completedFuture(new QueryOrgOffsetResponse(Map.of()))
                        : lags(owned, request.getConsumerGroupPrefix(), deadline(call)));
    }

    private Map<TopicId, TopicMetadata> owned(TalosCall call, String owner) {
        return authorized.listAll(call.principal(), MAX_PARTITIONS).stream()
                .filter(topic -> topic.ownerId().equals(owner))
                .collect(Collectors.toMap(TopicMetadata::id, Function.identity()));
    }

    private CompletableFuture<QueryOrgOffsetResponse> lags(
            Map<TopicId, TopicMetadata> owned, String prefix, Deadline deadline) {
        return groups.list(GroupRequest.list(prefix, List.copyOf(owned.keySet())), deadline)
                .thenCompose(entries -> {
                    Set<TopicId> consumed =
                            entries.stream().map(GroupEntry::topic).collect(Collectors.toSet());
                    List<TopicMetadata> asked = owned.values().stream()
                            .filter(topic -> consumed.contains(topic.id()))
                            .toList();
                    return statuses(asked, deadline)
                            .thenApply(statuses -> new QueryOrgOffsetResponse(lags(owned, entries, statuses)));
                });
    }

    private static Map<ConsumerGroupAndPartition, Long> lags(
            Map<TopicId, TopicMetadata> topics,
            List<GroupEntry> entries,
            Map<TopicPartition, PartitionStatus> statuses) {
        Map<ConsumerGroupAndPartition, Long> lags = new HashMap<>();
        for (GroupEntry entry : entries) {
            TopicMetadata topic = topics.get(entry.topic());
            if (entry.hasPartition() && topic != null) {
                lags.put(
                        new ConsumerGroupAndPartition(
                                entry.group(), TopicStructs.resourceName(topic), entry.partition()),
                        lag(topic.partition(entry.partition()), entry.offset(), statuses));
            }
        }
        return lags;
    }

    private CompletableFuture<Map<TopicPartition, PartitionStatus>> statuses(
            List<TopicMetadata> of, Deadline deadline) {
        List<TopicPartition> asked =
                of.stream().flatMap(TopicMetadata::allPartitions).toList();
        return partitions.describe(asked, deadline).thenApply(PartitionStatuses::byPartition);
    }

    private static Deadline deadline(TalosCall call) {
        return call.exchange().deadline();
    }
}
