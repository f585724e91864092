package io.talosgateway.rest.topicadmin;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

import io.talosgateway.rest.coordination.OwnerQuotas;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.Grants;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.SubResource;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicOwnerInfo;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.KeyedExecutor;

/**
 * Creates, changes and deletes topics. A change is complete when it is recorded and this host acts on it. Who may ask for it
 * is decided before. Safe for use by any thread; does not block.
 */
public final class TopicAdminService {

    private static final int MAX_ATTRIBUTES = 100;
    private static final int MAX_ATTRIBUTE_LENGTH = 1024;
    private static final String OWNER_OF_RESERVED = "talos-gateway";
    /** What is not needed any more is deleted by who writes it. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final TopicConfig config;
    private final TopicRegistry topics;
    private final OwnerQuotas quotas;
    private final HostedPartitions hosting;
    private final Changes changes;
    private final RandomGenerator ids;
    private final InstantSource wallClock;

    /** @param pool runs changes, which block; those of a topic one after another */
    public TopicAdminService(
            TopicConfig config,
            TopicRegistry topics,
            OwnerQuotas quotas,
            HostedPartitions hosting,
            KeyedExecutor<TopicName> pool,
            RandomGenerator ids,
            InstantSource wallClock) {
        this.config = config;
        this.topics = topics;
        this.quotas = quotas;
        this.hosting = hosting;
        this.changes = new Changes(hosting, pool);
        this.ids = ids;
        this.wallClock = wallClock;
    }

    /** Creates a topic; completes when its partitions are served. */
    public CompletableFuture<TopicMetadata> create(TopicRequest wanted, Deadline deadline) {
        try {
            if (wanted.name().isReserved()) {
                throw new GatewayException(
                        ErrorCode.INVALID_NAME,
                        "The name '" + wanted.name() + "' is reserved for the gateway; choose another one.");
            }
            Integer partitions = wanted.partitions();
            Duration retention = wanted.retention();
            TopicMetadata topic = new TopicMetadata(
                    wanted.name(),
                    TopicId.random(ids),
                    wanted.ownerId(),
                    checkedPartitions(partitions == null ? config.defaultPartitions() : partitions),
                    checkedRetention(retention == null ? config.defaultRetention() : retention),
                    checkedAttributes(Map.of(), wanted.attributes(), wanted.byAdmin()),
                    checked(() -> Grants.ofNew(wanted.ownerId(), wanted.acl())),
                    checked(wanted.quota()::requireValid),
                    wallClock.millis(),
                    checked(wanted.ownerInfo()::requireValid),
                    null);
            return changes.run(wanted.name(), deadline, () -> {
                        config.limits()
                                .requireRoomForTopic(topics, quotas.of(topic.ownerId()), topic, wanted.byAdmin());
                        topics.create(topic);
                        return topic;
                    })
                    .thenCompose(created -> hosting.host(created).thenApply(done -> created));
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The topic of the gateway itself that has this name; it is created if there is none, and then its partitions are served. */
    public CompletableFuture<TopicMetadata> findOrCreate(TopicName reserved, int partitions, Deadline deadline) {
        TopicMetadata known = topics.find(reserved);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        TopicMetadata topic = new TopicMetadata(
                reserved,
                TopicId.random(ids),
                OWNER_OF_RESERVED,
                partitions,
                FOR_EVER,
                Map.of(),
                Map.of(),
                Quota.UNLIMITED,
                wallClock.millis());
        return changes.run(reserved, deadline, () -> findOrCreate(topic))
                .thenCompose(found -> hosting.host(found).thenApply(done -> found));
    }

    private TopicMetadata findOrCreate(TopicMetadata topic) {
        try {
            topics.create(topic);
            return topic;
        } catch (GatewayException e) {
            // Another host may have been faster.
            TopicMetadata found = topics.find(topic.name());
            if (found == null || e.code() != ErrorCode.TOPIC_EXISTS) {
                throw e;
            }
            return found;
        }
    }

    /** Changes a topic; completes when new partitions are served. */
    public CompletableFuture<TopicMetadata> change(TopicMetadata before, TopicChange change, Deadline deadline) {
        try {
            Integer partitions = change.partitions();
            Duration retention = change.retention();
            Map<String, String> attributes = change.attributes();
            if (partitions != null && partitions < before.partitions()) {
                throw new GatewayException(
                        ErrorCode.INVALID_TOPIC_PARAMETERS,
                        "The topic has %d partitions; their number can only be raised, not lowered to %d."
                                .formatted(before.partitions(), partitions));
            }
            TopicMetadata changed = before.with(
                    partitions == null ? before.partitions() : checkedPartitions(partitions),
                    retention == null ? before.retention() : checkedRetention(retention),
                    attributes == null
                            ? before.attributes()
                            : checkedAttributes(before.attributes(), attributes, change.byAdmin()));
            return changes.run(before.name(), deadline, () -> {
                        config.limits()
                                .requireRoomForPartitions(
                                        topics,
                                        quotas.of(before.ownerId()),
                                        before,
                                        changed.partitions() - before.partitions(),
                                        change.byAdmin());
                        topics.update(before, changed);
                        return changed;
                    })
                    .thenCompose(updated -> hosting.host(updated).thenApply(done -> updated));
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Grants a principal exactly these permissions on a topic, in place of what it had.
     *
     * @param bits of the permissions
     * @return the topic after that; fails with {@code INVALID_TOPIC_PARAMETERS} if that cannot be granted
     */
    public CompletableFuture<TopicMetadata> grant(TopicMetadata topic, String principal, int bits, Deadline deadline) {
        return changeNow(topic, now -> now.withAcl(Grants.granted(now, principal, bits)), deadline);
    }

    /**
     * Revokes what a principal was granted on a topic, if anything. Of the team that it was handed to, takes it back.
     *
     * @return the topic after that; fails with {@code INVALID_TOPIC_PARAMETERS} for the owner
     */
    public CompletableFuture<TopicMetadata> revoke(TopicMetadata topic, String principal, Deadline deadline) {
        return changeNow(
                topic,
                now -> {
                    TopicMetadata revoked = now.withAcl(Grants.revoked(now, principal));
                    return principal.equals(now.adminTeam()) ? revoked.withSubResource(null) : revoked;
                },
                deadline);
    }

    /**
     * Replaces the quota of a topic.
     *
     * @return the topic after that; fails with {@code INVALID_TOPIC_PARAMETERS} if a limit is not positive
     */
    public CompletableFuture<TopicMetadata> setQuota(TopicMetadata topic, Quota quota, Deadline deadline) {
        return changeNow(topic, now -> now.withQuota(quota.requireValid()), deadline);
    }

    /**
     * Replaces what the owner of a topic says of itself.
     *
     * @return the topic after that; fails with {@code INVALID_TOPIC_PARAMETERS} if that is too long
     */
    public CompletableFuture<TopicMetadata> setOwnerInfo(TopicMetadata topic, TopicOwnerInfo info, Deadline deadline) {
        return changeNow(topic, now -> now.withOwnerInfo(info.requireValid()), deadline);
    }

    /**
     * Hands a topic to an organization and a team.
     *
     * @return the topic after that; fails with {@code SUB_RESOURCE_NAME_EXISTS} if it was handed to others before
     */
    public CompletableFuture<TopicMetadata> handTo(TopicMetadata topic, SubResource subResource, Deadline deadline) {
        return changeNow(
                topic,
                now -> {
                    SubResource before = now.subResource();
                    if (before != null && !before.equals(subResource)) {
                        throw new GatewayException(
                                ErrorCode.SUB_RESOURCE_NAME_EXISTS,
                                "The topic '%s' was handed to '%s' and its team '%s' before; revoke the permission of '%s' first."
                                        .formatted(
                                                now.name(),
                                                before.organization(),
                                                before.adminTeam(),
                                                before.adminTeam()));
                    }
                    return now.withSubResource(subResource);
                },
                deadline);
    }

    /** Changes a topic as it is when its turn comes: changes that wait for each other do not undo each other. */
    private CompletableFuture<TopicMetadata> changeNow(
            TopicMetadata topic, UnaryOperator<TopicMetadata> change, Deadline deadline) {
        return changes.run(topic.name(), deadline, () -> {
            TopicMetadata found = topics.find(topic.id());
            TopicMetadata before = found == null ? topic : found;
            TopicMetadata changed = checked(() -> change.apply(before));
            if (!changed.equals(before)) {
                topics.update(before, changed);
            }
            return changed;
        });
    }

    private static <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(ErrorCode.INVALID_TOPIC_PARAMETERS, e);
        }
    }

    /** Deletes a topic and its messages. */
    public CompletableFuture<Void> delete(TopicMetadata topic, Deadline deadline) {
        return changes.run(topic.name(), deadline, () -> {
                    topics.delete(topic);
                    return topic;
                })
                .thenCompose(hosting::release);
    }

    private int checkedPartitions(int partitions) {
        if (partitions < 1 || partitions > config.maxPartitions()) {
            throw new GatewayException(
                    ErrorCode.INVALID_TOPIC_PARAMETERS,
                    "A topic has 1 to %d partitions, not %d.".formatted(config.maxPartitions(), partitions));
        }
        return partitions;
    }

    private Duration checkedRetention(Duration retention) {
        if (retention.compareTo(config.minRetention()) < 0 || retention.compareTo(config.maxRetention()) > 0) {
            throw new GatewayException(
                    ErrorCode.INVALID_TOPIC_PARAMETERS,
                    "Messages are kept for %d to %d seconds, not %d."
                            .formatted(
                                    config.minRetention().toSeconds(),
                                    config.maxRetention().toSeconds(),
                                    retention.toSeconds()));
        }
        return retention;
    }

    private static Map<String, String> checkedAttributes(
            Map<String, String> before, Map<String, String> attributes, boolean byAdmin) {
        boolean tooLong = attributes.entrySet().stream()
                .anyMatch(attribute -> attribute.getKey().length() > MAX_ATTRIBUTE_LENGTH
                        || attribute.getValue().length() > MAX_ATTRIBUTE_LENGTH);
        if (attributes.size() > MAX_ATTRIBUTES || tooLong) {
            throw new GatewayException(
                    ErrorCode.INVALID_TOPIC_PARAMETERS,
                    "A topic has at most %d attributes of at most %d characters."
                            .formatted(MAX_ATTRIBUTES, MAX_ATTRIBUTE_LENGTH));
        }
        String durability = attributes.get(TopicMetadata.DURABILITY_ATTRIBUTE);
        String priority = attributes.get(TopicMetadata.PRIORITY_ATTRIBUTE);
        try {
            if (durability != null) {
                Durability.parse(durability);
            }
            TopicMetadata.parseImportance(priority);
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(ErrorCode.INVALID_TOPIC_PARAMETERS, e);
        }
        if (!byAdmin && !Objects.equals(priority, before.get(TopicMetadata.PRIORITY_ATTRIBUTE))) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "Only an admin key may change the attribute " + TopicMetadata.PRIORITY_ATTRIBUTE + ".");
        }
        return attributes;
    }
}
