package io.talosgateway.rest.http.rest;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.consumergroup.ConsumerGroups;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.http.rest.Paging.Page;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import org.jspecify.annotations.Nullable;

/** Consumer groups of a topic on the JSON interface: how far they are, and setting them elsewhere. Those of the Talos SDKs are the same. */
public final class GroupOperations {

    static final String GROUPS = "/v1/topics/{topic}/groups";
    static final String GROUP = GROUPS + "/{group}";

    private final AuthorizedTopics authorized;
    private final ConsumerGroups groups;
    private final PartitionService partitions;

    public GroupOperations(AuthorizedTopics authorized, ConsumerGroups groups, PartitionService partitions) {
        this.authorized = authorized;
        this.groups = groups;
        this.partitions = partitions;
    }

    List<RestRoute> routes() {
        return List.of(
                new RestRoute(Operation.REST_LIST_GROUPS, "GET", GROUPS, RequestClass.GROUP, this::list),
                new RestRoute(Operation.REST_DESCRIBE_GROUP, "GET", GROUP, RequestClass.GROUP, this::describe),
                new RestRoute(Operation.REST_DELETE_GROUP, "DELETE", GROUP, RequestClass.GROUP, this::delete),
                new RestRoute(Operation.REST_RESET_GROUP, "POST", GROUP + "/reset", RequestClass.GROUP, this::reset));
    }

    /** @param next null if there are no more */
    record GroupsJson(
            String topic, List<String> groups, @Nullable String next) {}

    /**
     * How far a group is on one partition.
     *
     * @param member null if nobody holds it
     * @param nextOffset of the first message that is kept and not processed; null while the partition is not served
     * @param lag messages that are not processed; null while the partition is not served
     */
    record ProgressJson(
            int partition,
            @Nullable String member,
            @Nullable Long nextOffset,
            @Nullable Long logEndOffset,
            @Nullable Long lag) {}

    /** @param members those that live */
    record GroupJson(String topic, String group, Collection<String> members, List<ProgressJson> partitions) {}

    /**
     * Where a group shall go on; one of the first three.
     *
     * @param to {@code earliest} or {@code latest}
     * @param partitions which; null for all
     */
    record ResetJson(
            @Nullable String to,
            @Nullable Long timestampMs,
            @Nullable Long offset,
            @Nullable List<Integer> partitions) {}

    static String group(RestCall call) {
        return ConsumerGroups.checkedGroup(call.pathParameter("group"));
    }

    private CompletableFuture<Answer> list(RestCall call) {
        call.allowQuery(Paging.PARAMETERS);
        TopicMetadata topic = call.topic(authorized);
        Paging paging = Paging.of(call);
        String after = paging.after();
        return groups.list(
                        GroupRequest.list("", List.of(topic.id())),
                        call.exchange().deadline())
                .thenApply(entries -> {
                    Set<String> names =
                            entries.stream().map(GroupEntry::group).collect(Collectors.toCollection(TreeSet::new));
                    Page<String> page = paging.of(names, name -> after == null || name.compareTo(after) > 0);
                    return answer(new GroupsJson(topic.name().value(), page.entries(), page.next()));
                });
    }

    private CompletableFuture<Answer> describe(RestCall call) {
        call.allowQuery(Set.of());
        TopicMetadata topic = call.topic(authorized);
        String group = group(call);
        Deadline deadline = call.exchange().deadline();
        return groups.ask(GroupRequest.list(group, List.of(topic.id())), deadline)
                .thenCombine(
                        partitions.describe(topic.allPartitions().toList(), deadline),
                        (known, statuses) -> answer(json(
                                topic,
                                group,
                                known.entries().stream()
                                        .filter(entry -> entry.group().equals(group))
                                        .toList(),
                                statuses.byPartition())));
    }

    private static GroupJson json(
            TopicMetadata topic,
            String group,
            List<GroupEntry> entries,
            Map<TopicPartition, PartitionStatus> statuses) {
        if (entries.isEmpty()) {
            throw new GatewayException(
                    ErrorCode.CONSUMER_GROUP_NOT_FOUND,
                    "The consumer group '%s' has no members and has committed nothing of the topic '%s'."
                            .formatted(group, topic.name()));
        }
        Set<String> members = new TreeSet<>();
        Map<Integer, GroupEntry> byPartition = new HashMap<>();
        for (GroupEntry entry : entries) {
            byPartition.put(entry.partition(), entry);
            members.add(entry.worker());
        }
        members.remove("");
        List<ProgressJson> progress = topic.allPartitions()
                .map(partition -> progress(
                        partition.partition(), byPartition.get(partition.partition()), statuses.get(partition)))
                .toList();
        return new GroupJson(topic.name().value(), group, members, progress);
    }

    private static ProgressJson progress(int partition, @Nullable GroupEntry entry, @Nullable PartitionStatus status) {
        String member = entry == null || entry.worker().isEmpty() ? null : entry.worker();
        if (status == null) {
            return new ProgressJson(partition, member, null, null, null);
        }
        long offset = entry == null ? GroupEntry.NOTHING_COMMITTED : entry.offset();
        return new ProgressJson(
                partition,
                member,
                ConsumerGroups.nextOffset(offset, status),
                status.logEndOffset(),
                ConsumerGroups.lag(offset, status));
    }

    private CompletableFuture<Answer> delete(RestCall call) {
        call.allowQuery(Set.of());
        TopicMetadata topic = call.topic(authorized);
        String group = group(call);
        return groups.delete(group, topic.id(), call.exchange().deadline())
                .thenApply(deleted -> Answer.noContent(List.of()));
    }

    private CompletableFuture<Answer> reset(RestCall call) {
        call.allowQuery(Set.of());
        TopicMetadata topic = call.topic(authorized);
        String group = group(call);
        Deadline deadline = call.exchange().deadline();
        ResetJson wanted = Json.read(call.body(), ResetJson.class, "The reset");
        boolean knownName = wanted.to == null || wanted.to.equals("earliest") || wanted.to.equals("latest");
        if (!knownName
                || Stream.of(wanted.to, wanted.timestampMs, wanted.offset)
                                .filter(one -> one != null)
                                .count()
                        != 1) {
            throw RestCall.malformed(
                    "Say where the group shall go on with one of \"to\": \"earliest\", \"to\": \"latest\", \"timestampMs\" and \"offset\".");
        }
        List<TopicPartition> reset = wanted.partitions == null
                ? topic.allPartitions().toList()
                : wanted.partitions.stream()
                        .map(partition -> TopicOperations.partition(topic, String.valueOf(partition)))
                        .distinct()
                        .toList();
        // All are found before one is reset: what is wrong for one partition changes nothing.
        List<CompletableFuture<Long>> next = reset.stream()
                .map(partition -> nextOffset(wanted, partition, deadline))
                .toList();
        return all(next)
                .thenCompose(found -> all(IntStream.range(0, reset.size())
                        .mapToObj(index -> groups.reset(
                                group, reset.get(index), next.get(index).join() - 1, deadline))
                        .toList()))
                .thenApply(done -> Answer.noContent(List.of()));
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Long> nextOffset(ResetJson wanted, TopicPartition partition, Deadline deadline) {
        if (wanted.timestampMs != null) {
            return partitions.offsetAt(partition, wanted.timestampMs, deadline);
        }
        return partitions.describe(partition, deadline).thenApply(status -> {
            Long offset = wanted.offset;
            if (offset == null) {
                return "earliest".equals(wanted.to) ? status.logStartOffset() : status.logEndOffset();
            }
            if (offset < status.logStartOffset() || offset > status.logEndOffset()) {
                throw new GatewayException(
                        ErrorCode.INVALID_OFFSET,
                        "The offset %d cannot be that of the next message: partition %d has messages from offset %d to %d."
                                .formatted(
                                        offset,
                                        partition.partition(),
                                        status.logStartOffset(),
                                        status.logEndOffset() - 1));
            }
            return offset;
        });
    }

    private static Answer answer(Object json) {
        return Answer.of(200, Json.CONTENT_TYPE, Json.write(json));
    }
}
