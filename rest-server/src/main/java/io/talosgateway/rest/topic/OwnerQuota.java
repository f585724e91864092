package io.talosgateway.rest.topic;

import org.jspecify.annotations.Nullable;

/**
 * What the topics of an owner may take up and do, all of them together.
 *
 * @param ownerId developer or organization
 * @param limits of space and rates
 * @param topics most topics; null for as many as every owner may have
 * @param granted most partitions; null for as many as every owner may have
 * @param pending what was applied for and not decided; null for nothing
 */
public record OwnerQuota(
        String ownerId,
        Quota limits,
        @Nullable Integer topics,
        @Nullable PartitionQuota granted,
        @Nullable PartitionQuota pending) {

    /** That of an owner about whom nothing was said. */
    public static OwnerQuota ofNew(String ownerId) {
        return new OwnerQuota(ownerId, Quota.UNLIMITED, null, null, null);
    }

    /** Whether an administrator has set limits, or a number of topics. */
    public boolean isSet() {
        return !limits.isUnlimited() || topics != null;
    }

    /** Whether it says nothing. */
    public boolean isNothing() {
        return !isSet() && granted == null && pending == null;
    }

    /**
     * @param newTopics null for as many as every owner may have
     * @throws IllegalArgumentException with a sentence for the user if a limit or the number is not positive
     */
    public OwnerQuota withLimits(Quota newLimits, @Nullable Integer newTopics) {
        if (newTopics != null && newTopics < 1) {
            throw new IllegalArgumentException(
                    "The quota of topics must be at least 1, not " + newTopics + "; leave it out for the default.");
        }
        return new OwnerQuota(ownerId, newLimits.requireValid(), newTopics, granted, pending);
    }

    public OwnerQuota withGranted(@Nullable PartitionQuota newGranted) {
        return new OwnerQuota(ownerId, limits, topics, newGranted, pending);
    }

    public OwnerQuota withPending(@Nullable PartitionQuota newPending) {
        return new OwnerQuota(ownerId, limits, topics, granted, newPending);
    }
}
