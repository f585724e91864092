package io.talosgateway.rest.http.talos;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.talosgateway.rest.auth.Authorizer;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroupName;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPattern;
import io.talosgateway.rest.topicadmin.TopicGroupService;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.thrift.CreateTopicGroupRequest;
import io.talosgateway.thrift.CreateTopicGroupResponse;
import io.talosgateway.thrift.DeleteTopicGroupRequest;
import io.talosgateway.thrift.DescribeTopicGroupRequest;
import io.talosgateway.thrift.DescribeTopicGroupResponse;
import io.talosgateway.thrift.ListTopicGroupResponse;
import io.talosgateway.thrift.LookupTopicsRequest;
import io.talosgateway.thrift.LookupTopicsResponse;
import io.talosgateway.thrift.MatchTopicsRequest;
import io.talosgateway.thrift.MatchTopicsResponse;
import io.talosgateway.thrift.UpdateTopicGroupRequest;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import org.jspecify.annotations.Nullable;

/** The methods of {@code TopicService} about groups of topics, and about topics by pattern. */
public final class TopicGroupCalls {

    private final AuthorizedTopics authorized;
    private final TopicGroupService groups;
    private final NanoClock clock;

    public TopicGroupCalls(AuthorizedTopics authorized, TopicGroupService groups, NanoClock clock) {
        this.authorized = authorized;
        this.groups = groups;
        this.clock = clock;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.TOPIC;
        methods.add(service, TopicMethods.CREATE_TOPIC_GROUP, this::create);
        methods.add(service, TopicMethods.DESCRIBE_TOPIC_GROUP, this::describe);
        methods.add(service, TopicMethods.UPDATE_TOPIC_GROUP, this::update);
        methods.add(service, TopicMethods.DELETE_TOPIC_GROUP, this::delete);
        methods.add(service, TopicMethods.LIST_TOPIC_GROUP, this::list);
        methods.add(service, TopicMethods.LOOKUP_TOPICS, this::lookup);
        methods.add(service, TopicMethods.MATCH_TOPICS, this::match);
    }

    private TopicGroup group(String name) {
        // A name that no group can have is a group that does not exist.
        TopicGroup group = TopicName.isValid(name) ? groups.find(new TopicGroupName(name)) : null;
        if (group == null) {
            throw new GatewayException(
                    ErrorCode.TOPIC_GROUP_NOT_FOUND,
                    "There is no topic group '" + name + "'; create it, or check its name.");
        }
        return group;
    }

    /** A group that the caller may change. */
    private TopicGroup own(TalosCall call, String name) {
        call.exchange().about(name);
        TopicGroup group = group(name);
        Authorizer.requireGroupOwner(call.principal(), group);
        return group;
    }

    private CompletableFuture<CreateTopicGroupResponse> create(TalosCall call, CreateTopicGroupRequest request) {
        Deadline deadline = call.adminDeadline();
        io.talosgateway.thrift.TopicGroup wanted = request.getTopicGroup();
        OwnedName name = OwnedName.parse(wanted.getTopicGroupName());
        call.exchange().about(name.name());
        String owner = wanted.getOwnerId().isEmpty() ? name.organization() : wanted.getOwnerId();
        if (name.organization() != null && !name.organization().equals(owner)) {
            throw new GatewayException(
                    ErrorCode.INVALID_TOPIC_GROUP,
                    "The name of the topic group says that '%s' owns it, and ownerId says '%s'."
                            .formatted(name.organization(), owner));
        }
        TopicGroupName groupName = checked(ErrorCode.INVALID_NAME, () -> new TopicGroupName(name.name()));
        TopicGroup group = checked(
                ErrorCode.INVALID_TOPIC_GROUP,
                () -> new TopicGroup(
                        groupName,
                        Authorizer.ownerOfNewGroup(call.principal(), name.name(), owner),
                        TopicGroupStructs.definition(wanted)));
        return groups.create(group, call.principal().admin(), deadline)
                .thenApply(created -> new CreateTopicGroupResponse(TopicGroupStructs.struct(created)));
    }

    private static <T> T checked(ErrorCode otherwise, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(otherwise, e);
        }
    }

    private CompletableFuture<DescribeTopicGroupResponse> describe(TalosCall call, DescribeTopicGroupRequest request) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        TopicGroup group = group(request.getTopicGroupName());
        return CompletableFuture.completedFuture(new DescribeTopicGroupResponse(TopicGroupStructs.struct(group)));
    }

    private CompletableFuture<Void> update(TalosCall call, UpdateTopicGroupRequest request) {
        Deadline deadline = call.adminDeadline();
        io.talosgateway.thrift.TopicGroup wanted = request.getTopicGroup();
        TopicGroup before = own(call, wanted.getTopicGroupName());
        if (!wanted.getOwnerId().isEmpty() && !wanted.getOwnerId().equals(before.ownerId())) {
            throw new GatewayException(
                    ErrorCode.INVALID_TOPIC_GROUP,
                    "The topic group '%s' belongs to '%s'; its owner cannot be changed."
                            .formatted(before.name(), before.ownerId()));
        }
        return groups.update(before, before.with(TopicGroupStructs.definition(wanted)), deadline)
                .thenApply(changed -> null);
    }

    private CompletableFuture<Void> delete(TalosCall call, DeleteTopicGroupRequest request) {
        Deadline deadline = call.adminDeadline();
        return groups.delete(own(call, request.getTopicGroupName()), deadline).thenApply(deleted -> null);
    }

    private CompletableFuture<ListTopicGroupResponse> list(TalosCall call, @Nullable Object nothing) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        return call.exchange()
                .work(
                        false,
                        () -> new ListTopicGroupResponse(
                                groups.list(group -> Authorizer.ownsGroup(call.principal(), group)).stream()
                                        .map(TopicGroupStructs::struct)
                                        .toList()));
    }

    private CompletableFuture<LookupTopicsResponse> lookup(TalosCall call, LookupTopicsRequest request) {
        TopicGroup group = group(request.getTopicGroup());
        Predicate<TopicName> members = group.definition().members();
        return topics(
                call,
                topic -> members.test(topic.name()),
                topics -> new LookupTopicsResponse(topics.stream()
                        .collect(Collectors.toMap(TopicMetadata::resourceName, TopicMetadata::partitions))));
    }

    private CompletableFuture<MatchTopicsResponse> match(TalosCall call, MatchTopicsRequest request) {
        Predicate<TopicName> matching = checked(
                        ErrorCode.INVALID_TOPIC_GROUP, () -> new TopicPattern(request.getTopicPattern()))
                .matcher();
        String team = request.getTeamId();
        return topics(
                call,
                topic -> (team.isEmpty() || Authorizer.isBoundToTeam(call.principal(), team, topic))
                        && matching.test(topic.name()),
                topics -> new MatchTopicsResponse(
                        topics.stream().map(topic -> topic.name().value()).toList()));
    }

    /** Of those that the caller may describe. There may be many: not on a thread that serves connections. */
    private <R> CompletableFuture<R> topics(
            TalosCall call, Predicate<TopicMetadata> wanted, Function<List<TopicMetadata>, R> answer) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        Deadline deadline = call.exchange().deadline();
        Predicate<TopicMetadata> wantedInTime = topic -> {
            if (deadline.hasPassed(clock.nanoTime())) {
                throw new GatewayException(
                        ErrorCode.DEADLINE_EXCEEDED,
                        "The time for the request ran out while the names of topics were compared.");
            }
            return wanted.test(topic);
        };
        return call.exchange().work(false, () -> answer.apply(authorized.listAll(call.principal(), wantedInTime)));
    }
}
