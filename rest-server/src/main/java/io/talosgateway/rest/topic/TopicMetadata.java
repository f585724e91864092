package io.talosgateway.rest.topic;

import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.talosgateway.scheduler.Priority;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is recorded about a topic but its messages.
 *
 * @param name unique in the cluster
 * @param id identity of this incarnation
 * @param ownerId the principal or organisation that owns it; may hold {@code #}
 * @param partitions number of partitions; only grows
 * @param retention how long messages are kept
 * @param attributes free-form; keys starting with {@code talos.} mean something to the gateway
 * @param acl principal to permission bits, as the Talos SDK grants them
 * @param quota limits
 * @param createdAtMs epoch milliseconds
 * @param ownerInfo what the owner says of itself, for people
 * @param subResource the organization and team that it was handed to; null if it was not
 */
public record TopicMetadata(
        TopicName name,
        TopicId id,
        String ownerId,
        int partitions,
        Duration retention,
        Map<String, String> attributes,
        Map<String, Integer> acl,
        Quota quota,
        long createdAtMs,
        TopicOwnerInfo ownerInfo,
        @Nullable SubResource subResource) {

    /** Attribute: durability of the topic's puts, {@code disk} or {@code memory}; absent: the gateway's default. */
    public static final String DURABILITY_ATTRIBUTE = "talos.durability";

    /** Attribute: whose requests come first, {@code high}, {@code normal} or {@code low}; set by administrators only. */
    public static final String PRIORITY_ATTRIBUTE = "talos.priority";

    public TopicMetadata {
        attributes = Map.copyOf(attributes);
        acl = Map.copyOf(acl);
    }

    /** A topic that was not handed to anybody, of whose owner nothing is known but the id. */
    public TopicMetadata(
            TopicName name,
            TopicId id,
            String ownerId,
            int partitions,
            Duration retention,
            Map<String, String> attributes,
            Map<String, Integer> acl,
            Quota quota,
            long createdAtMs) {
        this(name, id, ownerId, partitions, retention, attributes, acl, quota, createdAtMs, TopicOwnerInfo.NONE, null);
    }

    /** The name under which the Talos SDKs know this incarnation: {@code ownerId#name#id}. */
    public String resourceName() {
        return resourceName(ownerId);
    }

    private String resourceName(String owner) {
        return owner + "#" + name + "#" + id;
    }

    /** Whether this is a name of this incarnation: the one it was created with, or that of the organization it was handed to. */
    public boolean hasResourceName(String wanted) {
        return wanted.equals(resourceName())
                || (subResource != null && wanted.equals(resourceName(subResource.organization())));
    }

    /** The team that has every permission beside the owner; null if there is none. */
    public @Nullable String adminTeam() {
        return subResource == null ? null : subResource.adminTeam();
    }

    /** The durability that the topic asks for, or null for the gateway's default. */
    public @Nullable Durability durability() {
        String text = attributes.get(DURABILITY_ATTRIBUTE);
        return text == null ? null : Durability.parse(text);
    }

    /** How important the topic's requests are among those that wait. */
    public Priority.Importance importance() {
        return parseImportance(attributes.get(PRIORITY_ATTRIBUTE));
    }

    /** @throws IllegalArgumentException with a sentence for the user if the text names no importance */
    public static Priority.Importance parseImportance(@Nullable String text) {
        if (text == null) {
            return Priority.Importance.NORMAL;
        }
        return switch (text) {
            case "high" -> Priority.Importance.HIGH;
            case "normal" -> Priority.Importance.NORMAL;
            case "low" -> Priority.Importance.LOW;
            default ->
                throw new IllegalArgumentException(
                        PRIORITY_ATTRIBUTE + " must be high, normal or low, not '" + text + "'");
        };
    }

    public TopicPartition partition(int partition) {
        return new TopicPartition(id, partition);
    }

    public boolean hasPartition(int partition) {
        return partition >= 0 && partition < partitions;
    }

    public Stream<TopicPartition> allPartitions() {
        return IntStream.range(0, partitions).mapToObj(this::partition);
    }

    public TopicMetadata withAcl(Map<String, Integer> newAcl) {
        return changed(partitions, retention, attributes, newAcl, quota, ownerInfo, subResource);
    }

    public TopicMetadata withQuota(Quota newQuota) {
        return changed(partitions, retention, attributes, acl, newQuota, ownerInfo, subResource);
    }

    public TopicMetadata withOwnerInfo(TopicOwnerInfo newInfo) {
        return changed(partitions, retention, attributes, acl, quota, newInfo, subResource);
    }

    public TopicMetadata withSubResource(@Nullable SubResource newSubResource) {
        return changed(partitions, retention, attributes, acl, quota, ownerInfo, newSubResource);
    }

    public TopicMetadata with(int newPartitions, Duration newRetention, Map<String, String> newAttributes) {
        return changed(newPartitions, newRetention, newAttributes, acl, quota, ownerInfo, subResource);
    }

    /** This incarnation, with what can change of it. */
    private TopicMetadata changed(
            int newPartitions,
            Duration newRetention,
            Map<String, String> newAttributes,
            Map<String, Integer> newAcl,
            Quota newQuota,
            TopicOwnerInfo newInfo,
            @Nullable SubResource newSubResource) {
        return new TopicMetadata(
                name,
                id,
                ownerId,
                newPartitions,
                newRetention,
                newAttributes,
                newAcl,
                newQuota,
                createdAtMs,
                newInfo,
                newSubResource);
    }
}
