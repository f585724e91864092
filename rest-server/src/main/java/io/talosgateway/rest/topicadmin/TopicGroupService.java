package io.talosgateway.rest.topicadmin;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.talosgateway.rest.coordination.TopicGroups;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroupName;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.KeyedExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Finds, creates, changes and deletes topic groups. Who may ask for it is decided before. Safe for use by any thread; does not block.
 */
public final class TopicGroupService {

    /**
     * Every host has them in memory: 30 MB at most, 10 KB each. Compared with what this host knows, so that creations at the
     * same time may exceed it by one each.
     */
    static final int MAX_GROUPS = 3_000;

    /** Administrators may give an owner more. */
    static final int MAX_GROUPS_OF_AN_OWNER = 50;

    private final TopicGroups groups;
    private final Changes changes;

    /** @param pool runs changes, which block; those of a name one after another */
    public TopicGroupService(TopicGroups groups, HostedPartitions hosting, KeyedExecutor<TopicName> pool) {
        this.groups = groups;
        this.changes = new Changes(hosting, pool);
    }

    /** The group with this name, or null. From memory. */
    public @Nullable TopicGroup find(TopicGroupName name) {
        return groups.find(name);
    }

    /** The groups that match, by name. From memory. */
    public List<TopicGroup> list(Predicate<TopicGroup> wanted) {
        return groups.all().stream()
                .filter(wanted)
                .sorted(Comparator.comparing(group -> group.name().value()))
                .toList();
    }

    /**
     * Creates a group.
     *
     * @param byAdmin whether an administrator asks
     */
    public CompletableFuture<TopicGroup> create(TopicGroup group, boolean byAdmin, Deadline deadline) {
        return changes.run(key(group), deadline, () -> {
            requireRoom(group, byAdmin);
            groups.create(group);
            return group;
        });
    }

    private void requireRoom(TopicGroup group, boolean byAdmin) {
        require(groups.all().size() < MAX_GROUPS, "The cluster", MAX_GROUPS);
        long owned = groups.all().stream()
                .filter(other -> other.ownerId().equals(group.ownerId()))
                .count();
        require(byAdmin || owned < MAX_GROUPS_OF_AN_OWNER, "The owner of the topic group", MAX_GROUPS_OF_AN_OWNER);
    }

    private static void require(boolean room, String who, int most) {
        if (!room) {
            throw new GatewayException(
                    ErrorCode.TOPIC_GROUP_LIMIT_REACHED,
                    "%s has %d topic groups; no more are allowed. Delete groups that are not needed, or ask an administrator."
                            .formatted(who, most));
        }
    }

    /** Replaces {@code expected}, which the caller was allowed to change, by {@code changed}. */
    public CompletableFuture<TopicGroup> update(TopicGroup expected, TopicGroup changed, Deadline deadline) {
        return changes.run(key(expected), deadline, () -> {
            groups.update(expected, changed);
            return changed;
        });
    }

    /** Deletes {@code expected}, which the caller was allowed to delete. */
    public CompletableFuture<TopicGroup> delete(TopicGroup expected, Deadline deadline) {
        return changes.run(key(expected), deadline, () -> {
            groups.delete(expected);
            return expected;
        });
    }

    /** Topics and groups have names by the same rule. */
    private static TopicName key(TopicGroup group) {
        return new TopicName(group.name().value());
    }
}
