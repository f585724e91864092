package io.talosgateway.rest.topicadmin;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.talosgateway.rest.coordination.OwnerQuotas;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.topic.Grants;
import io.talosgateway.rest.topic.OwnerQuota;
import io.talosgateway.rest.topic.PartitionQuota;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.KeyedExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Finds and changes the quotas of the owners of topics, and what was applied for. Who may ask for it is decided before. Safe for use by
 * any thread; does not block.
 */
public final class OwnerQuotaService {

    /** Every host has them in memory. Compared with what this host knows, so that applications at the same time may exceed it. */
    static final int MAX_QUOTAS = 10_000;

    private final OwnerQuotas quotas;
    private final TopicRegistry topics;
    private final TopicLimits limits;
    private final Changes changes;

    /**
     * @param limits what an owner may have of whose quota nothing was said
     * @param pool runs changes, which block; those of an owner one after another
     */
    public OwnerQuotaService(
            OwnerQuotas quotas,
            TopicRegistry topics,
            TopicLimits limits,
            HostedPartitions hosting,
            KeyedExecutor<TopicName> pool) {
        this.quotas = quotas;
        this.topics = topics;
        this.limits = limits;
        this.changes = new Changes(hosting, pool);
    }

    /** The quota of an owner, which says nothing if nothing was said about it. From memory. */
    public OwnerQuota of(String ownerId) {
        return quotas.of(ownerId);
    }

    /** Those that match, by owner. From memory. */
    public List<OwnerQuota> list(Predicate<OwnerQuota> wanted) {
        return quotas.all().stream()
                .filter(wanted)
                .sorted(Comparator.comparing(OwnerQuota::ownerId))
                .toList();
    }

    /** How many topics an owner with this quota may have. */
    public int topics(OwnerQuota quota) {
        return limits.topicsOf(quota);
    }

    /** How many partitions the topics of an owner with this quota may have. */
    public int partitions(OwnerQuota quota) {
        return limits.partitionsOf(quota);
    }

    /** How many topics an owner has. From memory. */
    public int usedTopics(String ownerId) {
        return topics.usage(ownerId).topics();
    }

    /** How many partitions the topics of an owner have. From memory. */
    public int usedPartitions(String ownerId) {
        return topics.usage(ownerId).partitions();
    }

    /** All partitions of an owner. From memory. */
    public List<TopicPartition> partitionsOf(String ownerId) {
        return topics.ownedBy(ownerId).flatMap(TopicMetadata::allPartitions).toList();
    }

    /**
     * Replaces the limits of an owner and its number of topics.
     *
     * @param newTopics null for as many as every owner may have
     * @return the quota after that; fails with {@code INVALID_QUOTA} if something is not positive
     */
    public CompletableFuture<OwnerQuota> setLimits(
            String ownerId, Quota newLimits, @Nullable Integer newTopics, Deadline deadline) {
        return change(ownerId, deadline, quota -> quota.withLimits(newLimits, newTopics));
    }

    /**
     * Replaces everything but what was applied for.
     *
     * @param newTopics null for as many as every owner may have
     * @param partitions null for as many as every owner may have
     * @return the quota after that; fails with {@code INVALID_QUOTA} if something is not positive
     */
    public CompletableFuture<OwnerQuota> set(
            String ownerId,
            Quota newLimits,
            @Nullable Integer newTopics,
            @Nullable Integer partitions,
            Deadline deadline) {
        return change(
                ownerId,
                deadline,
                quota -> quota.withLimits(newLimits, newTopics)
                        .withGranted(
                                partitions == null ? null : new PartitionQuota(partitions, null, null).requireValid()));
    }

    /**
     * Applies for partitions, in place of what was applied for before. Whoever applies for what it has has it.
     *
     * @return the quota after that; fails with {@code INVALID_QUOTA}
     */
    public CompletableFuture<OwnerQuota> apply(String ownerId, PartitionQuota wanted, Deadline deadline) {
        return change(
                ownerId,
                deadline,
                quota -> limits.partitionsOf(quota) == wanted.total() ? quota : quota.withPending(checked(wanted)));
    }

    /**
     * Applies for partitions where nobody has to approve: for no more than the owner has.
     *
     * @return the quota; fails with {@code QUOTA_NOT_AUTO_APPROVED}, {@code INVALID_QUOTA}
     */
    public CompletableFuture<OwnerQuota> applyAutomatically(String ownerId, PartitionQuota wanted, Deadline deadline) {
        return change(ownerId, deadline, quota -> {
            int has = limits.partitionsOf(quota);
            if (checked(wanted).total() > has) {
                throw new GatewayException(
                        ErrorCode.QUOTA_NOT_AUTO_APPROVED,
                        "'%s' may have %d partitions; an administrator has to approve more. Use applyQuota."
                                .formatted(ownerId, has));
            }
            return quota;
        });
    }

    private PartitionQuota checked(PartitionQuota wanted) {
        if (wanted.total() > limits.partitions()) {
            throw new IllegalArgumentException("The cluster has no more than " + limits.partitions()
                    + " partitions (topic.max-partitions-total), so nobody can have " + wanted.total() + ".");
        }
        return wanted.requireValid();
    }

    /**
     * Grants what an owner has applied for. What was granted before is granted: an administrator may repeat this after a lost answer.
     *
     * @param total that was applied for
     * @return the quota after that; fails with {@code QUOTA_NOT_FOUND}
     */
    public CompletableFuture<OwnerQuota> approve(String ownerId, int total, Deadline deadline) {
        return change(ownerId, deadline, quota -> {
            PartitionQuota pending = quota.pending();
            if (pending != null && pending.total() == total) {
                return quota.withGranted(pending).withPending(null);
            }
            if (limits.partitionsOf(quota) == total) {
                return quota;
            }
            throw new GatewayException(
                    ErrorCode.QUOTA_NOT_FOUND,
                    pending == null
                            ? "'%s' has not applied for a quota.".formatted(ownerId)
                            : "'%s' has applied for %d partitions, not for %d."
                                    .formatted(ownerId, pending.total(), total));
        });
    }

    /**
     * Declines what an owner has applied for, or takes back what it was granted: it may have as many partitions as every owner then.
     * Those that it has stay.
     *
     * @param total that was applied for or granted
     * @return the quota after that; fails with {@code QUOTA_NOT_FOUND}
     */
    public CompletableFuture<OwnerQuota> revoke(String ownerId, int total, Deadline deadline) {
        return change(ownerId, deadline, quota -> {
            PartitionQuota pending = quota.pending();
            PartitionQuota granted = quota.granted();
            if (pending != null && pending.total() == total) {
                return quota.withPending(null);
            }
            if (granted != null && granted.total() == total) {
                return quota.withGranted(null);
            }
            throw new GatewayException(
                    ErrorCode.QUOTA_NOT_FOUND,
                    "'%s' has neither applied for %d partitions nor been granted them.".formatted(ownerId, total));
        });
    }

    /** Changes a quota as it is when its turn comes. */
    private CompletableFuture<OwnerQuota> change(String ownerId, Deadline deadline, UnaryOperator<OwnerQuota> change) {
        return changes.run(key(ownerId), deadline, () -> {
            OwnerQuota before = quotas.of(ownerId);
            OwnerQuota changed;
            try {
                Grants.checkedPrincipal(ownerId);
                changed = change.apply(before);
            } catch (IllegalArgumentException e) {
                throw GatewayException.because(ErrorCode.INVALID_QUOTA, e);
            }
            if (before.isNothing() && !changed.isNothing()) {
                requireRoom();
            }
            if (!changed.equals(before)) {
                quotas.replace(before, changed);
            }
            return changed;
        });
    }

    private void requireRoom() {
        if (quotas.all().size() >= MAX_QUOTAS) {
            throw new GatewayException(
                    ErrorCode.QUOTA_LIMIT_REACHED,
                    "The cluster holds the quotas and applications of %d owners; no more are allowed. Ask an administrator to decide or delete some."
                            .formatted(MAX_QUOTAS));
        }
    }

    /** The pool orders by names of topics; owners have any. */
    private static TopicName key(String ownerId) {
        return new TopicName("owner-" + Integer.toHexString(ownerId.hashCode()));
    }
}
