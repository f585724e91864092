package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.OwnerQuota;
import io.talosgateway.rest.topic.PartitionQuota;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.SubResource;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroup.Definition;
import io.talosgateway.rest.topic.TopicGroup.Listed;
import io.talosgateway.rest.topic.TopicGroup.Matching;
import io.talosgateway.rest.topic.TopicGroupName;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicOwnerInfo;
import io.talosgateway.rest.topic.TopicPattern;
import org.jspecify.annotations.Nullable;

/**
 * The records in ZooKeeper, as JSON objects. Hosts of two releases read each other's records during an upgrade, so a format
 * changes in one of two ways:
 *
 * <ul>
 *   <li>A field is added, and the version stays. A host of an earlier release ignores the field, and drops it if it rewrites
 *       the record. A reader must have an answer for a record without the field.
 *   <li>The version is raised, because an earlier release would misread the record, or do damage without the new field. A reader
 *       refuses a version above its own instead of guessing. One release learns to read the new version; only the next one
 *       writes it. A format may be raised in a single release only as long as no release has written it.
 * </ul>
 *
 * A record without the field {@code version} has version 1. Stateless.
 */
public final class RecordJson {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final String VERSION = "version";
    private static final int FIRST_VERSION = 1;

    /** For each kind of record the newest version that is read, which is also the one that is written; 1 if it is not here. */
    private static final Map<Class<?>, Integer> VERSIONS = Map.of(OwnershipJson.class, 3);

    /** Of ownership records without a fencing token, which an earlier release can read. */
    private static final int WITHOUT_FENCING_TOKEN = 2;

    /** The record was written by a newer release. */
    static final class NewerVersionException extends IOException {

        private static final long serialVersionUID = 1L;

        NewerVersionException(long found, int known) {
            super("it has version %d of its format, and this gateway reads versions up to %d: upgrade this gateway"
                    .formatted(found, known));
        }
    }

    private RecordJson() {}

    private record TopicJson(
            String name,
            String id,
            String ownerId,
            int partitions,
            long retentionMs,
            Map<String, String> attributes,
            Map<String, Integer> acl,
            Quota quota,
            long createdAtMs,
            @Nullable TopicOwnerInfo ownerInfo,
            @Nullable SubResource subResource) {}

    private record TopicGroupJson(
            String name,
            String ownerId,
            @Nullable String pattern,
            @Nullable List<String> topics,
            @Nullable List<String> excluded) {}

    private record OwnerQuotaJson(
            @Nullable String ownerId,
            @Nullable Quota limits,
            @Nullable Integer topics,
            @Nullable PartitionQuota granted,
            @Nullable PartitionQuota pending) {}

    private record JournalJson(String host, long incarnation, long epoch, long firstOffset, long totalBytes) {}

    private record OwnershipJson(
            String owner,
            long incarnation,
            long epoch,
            List<JournalJson> journals,
            @JsonAlias("trimmedTo") long startOffset,
            long endOffset,
            long totalBytes,
            boolean released,
            long lostBefore,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String fencingToken) {}

    static byte[] encode(TopicMetadata topic) {
        return write(new TopicJson(
                topic.name().value(),
                topic.id().toString(),
                topic.ownerId(),
                topic.partitions(),
                topic.retention().toMillis(),
                new TreeMap<>(topic.attributes()),
                new TreeMap<>(topic.acl()),
                topic.quota(),
                topic.createdAtMs(),
                topic.ownerInfo(),
                topic.subResource()));
    }

    static TopicMetadata topic(byte[] bytes) throws IOException {
        try {
            return topic(read(bytes, TopicJson.class));
        } catch (RuntimeException e) {
            throw new IOException("a field is missing or wrong: " + e.getMessage(), e);
        }
    }

    private static TopicMetadata topic(TopicJson json) {
        return new TopicMetadata(
                new TopicName(json.name),
                TopicId.parse(json.id),
                json.ownerId,
                json.partitions,
                Duration.ofMillis(json.retentionMs),
                json.attributes,
                json.acl,
                json.quota,
                json.createdAtMs,
                json.ownerInfo == null ? TopicOwnerInfo.NONE : json.ownerInfo,
                json.subResource);
    }

    static byte[] encode(TopicGroup group) {
        Definition definition = group.definition();
        Matching matching = definition instanceof Matching pattern ? pattern : null;
        return write(new TopicGroupJson(
                group.name().value(),
                group.ownerId(),
                matching == null ? null : matching.pattern().text(),
                definition instanceof Listed listed ? texts(listed.topics()) : null,
                matching == null ? null : texts(matching.excluded())));
    }

    private static List<String> texts(List<TopicName> names) {
        return names.stream().map(TopicName::value).toList();
    }

    static TopicGroup topicGroup(byte[] bytes) throws IOException {
        try {
            return topicGroup(read(bytes, TopicGroupJson.class));
        } catch (RuntimeException e) {
            throw new IOException("a field is missing or wrong: " + e.getMessage(), e);
        }
    }

    private static TopicGroup topicGroup(TopicGroupJson json) {
        return new TopicGroup(
                new TopicGroupName(json.name),
                json.ownerId,
                json.pattern == null
                        ? new Listed(names(json.topics))
                        : new Matching(new TopicPattern(json.pattern), names(json.excluded)));
    }

    private static List<TopicName> names(@Nullable List<String> texts) {
        return texts == null ? List.of() : texts.stream().map(TopicName::new).toList();
    }

    static byte[] encode(OwnerQuota quota) {
        return write(
                new OwnerQuotaJson(quota.ownerId(), quota.limits(), quota.topics(), quota.granted(), quota.pending()));
    }

    static OwnerQuota ownerQuota(byte[] bytes) throws IOException {
        OwnerQuotaJson json = read(bytes, OwnerQuotaJson.class);
        if (json.ownerId == null || json.limits == null) {
            throw new IOException("a field is missing: ownerId or limits");
        }
        return new OwnerQuota(json.ownerId, json.limits, json.topics, json.granted, json.pending);
    }

    static byte[] encode(OwnershipRecord record) {
        return write(new OwnershipJson(
                record.owner(),
                record.incarnation(),
                record.epoch().value(),
                record.journals().stream()
                        .map(journal -> new JournalJson(
                                journal.host(),
                                journal.incarnation(),
                                journal.epoch().value(),
                                journal.firstOffset(),
                                journal.totalBytes()))
                        .toList(),
                record.startOffset(),
                record.endOffset(),
                record.totalBytes(),
                record.released(),
                record.lostBefore(),
                record.fencingToken()));
    }

    static OwnershipRecord ownership(byte[] bytes) throws IOException {
        try {
            return ownership(read(bytes, OwnershipJson.class));
        } catch (RuntimeException e) {
            throw new IOException("a field is missing or wrong: " + e.getMessage(), e);
        }
    }

    private static OwnershipRecord ownership(OwnershipJson json) {
        return new OwnershipRecord(
                json.owner,
                json.incarnation,
                new OwnerEpoch(json.epoch),
                json.journals.stream()
                        .map(journal -> new OwnershipRecord.JournalReference(
                                journal.host,
                                journal.incarnation,
                                new OwnerEpoch(journal.epoch),
                                journal.firstOffset,
                                journal.totalBytes))
                        .toList(),
                json.startOffset,
                json.endOffset,
                json.totalBytes,
                json.released,
                json.lostBefore,
                json.fencingToken);
    }

    /** What a node holds of a record of the coordination. */
    public static byte[] write(Object json) {
        try {
            int version = json instanceof OwnershipJson ownership && ownership.fencingToken == null
                    ? WITHOUT_FENCING_TOKEN
                    : version(json.getClass());
            ObjectNode object = MAPPER.createObjectNode().put(VERSION, version);
            return MAPPER.writeValueAsBytes(object.setAll(MAPPER.<ObjectNode>valueToTree(json)));
        } catch (JsonProcessingException e) {
            throw new AssertionError("our own records can be written", e);
        }
    }

    /**
     * @throws NewerVersionException if it was written by a newer release
     * @throws IOException if it is not such a record
     */
    static <T> T read(byte[] bytes, Class<T> type) throws IOException {
        int newest = version(type);
        JsonNode tree = MAPPER.readTree(bytes);
        if (!(tree instanceof ObjectNode object)) {
            throw new IOException("it is not a JSON object");
        }
        JsonNode version = object.get(VERSION);
        if (version != null) {
            if (!version.isIntegralNumber() || !version.canConvertToLong() || version.longValue() < FIRST_VERSION) {
                throw new IOException("its version is " + version);
            }
            if (version.longValue() > newest) {
                throw new NewerVersionException(version.longValue(), newest);
            }
        }
        return MAPPER.treeToValue(object, type);
    }

    private static int version(Class<?> type) {
        return VERSIONS.getOrDefault(type, FIRST_VERSION);
    }

    /** Why something could not be read, in one line. */
    static String reason(Exception failure) {
        return String.valueOf(
                failure instanceof JsonProcessingException json ? json.getOriginalMessage() : failure.getMessage());
    }
}
