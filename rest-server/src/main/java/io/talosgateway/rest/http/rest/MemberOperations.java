package io.talosgateway.rest.http.rest;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.consumergroup.ConsumerGroups;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What members of a consumer group do on the JSON interface. A member is an id, and no connection: what it holds is known to the whole
 * cluster, so that each of its requests can go to another host.
 */
public final class MemberOperations {

    private static final String MEMBERS = GroupOperations.GROUP + "/members";
    private static final String MEMBER = MEMBERS + "/{member}";

    private final AuthorizedTopics authorized;
    private final ConsumerGroups groups;
    private final MemberPolls polls;
    private final Duration lease;

    /** @param lease how long a member keeps what it holds without asking for anything */
    public MemberOperations(AuthorizedTopics authorized, ConsumerGroups groups, MemberPolls polls, Duration lease) {
        this.authorized = authorized;
        this.groups = groups;
        this.polls = polls;
        this.lease = lease;
    }

    List<RestRoute> routes() {
        return List.of(
                new RestRoute(Operation.REST_JOIN_GROUP, "POST", MEMBERS, RequestClass.GROUP, this::join),
                new RestRoute(Operation.REST_LEAVE_GROUP, "DELETE", MEMBER, RequestClass.GROUP, this::leave),
                new RestRoute(
                        Operation.REST_KEEP_MEMBER, "POST", MEMBER + "/heartbeat", RequestClass.GROUP, this::keep),
                new RestRoute(Operation.REST_POLL, "POST", MEMBER + "/poll", RequestClass.GET, this::poll),
                new RestRoute(Operation.REST_COMMIT, "POST", MEMBER + "/commit", RequestClass.GROUP, this::commit));
    }

    /**
     * A member.
     *
     * @param leaseMs how long it keeps what it holds without asking for anything
     */
    record MemberJson(String topic, String group, String member, long leaseMs) {}

    /** @param nextOffset of the first message that is not processed */
    record CommitJson(@Nullable Integer partition, @Nullable Long nextOffset) {}

    private static String member(RestCall call) {
        return ConsumerGroups.checkedWorker(call.pathParameter("member"));
    }

    private CompletableFuture<Answer> join(RestCall call) {
        return keep(call, UUID.randomUUID().toString(), 201);
    }

    private CompletableFuture<Answer> keep(RestCall call) {
        return keep(call, member(call), 200);
    }

    private CompletableFuture<Answer> keep(RestCall call, String member, int status) {
        call.allowQuery(Set.of());
        TopicMetadata topic = call.topic(authorized);
        String group = GroupOperations.group(call);
        return groups.ask(
                        GroupRequest.heartbeat(group, member, topic.id()),
                        call.exchange().deadline())
                .thenApply(answer -> Answer.of(
                        status,
                        Json.CONTENT_TYPE,
                        Json.write(new MemberJson(topic.name().value(), group, member, lease.toMillis()))));
    }

    private CompletableFuture<Answer> leave(RestCall call) {
        call.allowQuery(Set.of());
        TopicMetadata topic = call.topic(authorized);
        GroupRequest leave = GroupRequest.leave(GroupOperations.group(call), member(call), topic.id());
        return groups.ask(leave, call.exchange().deadline()).thenApply(answer -> Answer.noContent(List.of()));
    }

    private CompletableFuture<Answer> poll(RestCall call) {
        return polls.poll(call, call.topic(authorized), GroupOperations.group(call), member(call));
    }

    private CompletableFuture<Answer> commit(RestCall call) {
        call.allowQuery(Set.of());
        TopicMetadata topic = call.topic(authorized);
        String group = GroupOperations.group(call);
        String member = member(call);
        CommitJson wanted = Json.read(call.body(), CommitJson.class, "The commit");
        if (wanted.partition == null || wanted.nextOffset == null) {
            throw RestCall.malformed("A commit says \"partition\" and \"nextOffset\", both from the answer of a poll.");
        }
        TopicPartition partition = TopicOperations.partition(topic, wanted.partition.toString());
        GroupRequest commit =
                GroupRequest.commit(group, member, topic.id(), partition.partition(), wanted.nextOffset - 1, null);
        return groups.commit(partition, commit, call.exchange().deadline()).thenApply(answer -> {
            if (!answer.accepted()) {
                throw notAssigned(member, partition, answer.entries());
            }
            return Answer.noContent(List.of());
        });
    }

    private static GatewayException notAssigned(String member, TopicPartition partition, List<GroupEntry> entries) {
        String holder = entries.isEmpty() ? "" : entries.get(0).worker();
        return new GatewayException(
                ErrorCode.PARTITION_NOT_ASSIGNED,
                "'%s' does not hold partition %d, %s; nothing was committed. Poll again: who holds the partition gets the messages again."
                        .formatted(
                                member,
                                partition.partition(),
                                holder.isEmpty() ? "nobody does" : "'" + holder + "' does"));
    }
}
