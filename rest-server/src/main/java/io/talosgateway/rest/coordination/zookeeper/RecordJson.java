package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicQuota;

/**
 * The records in ZooKeeper, as JSON. A reader ignores fields that it does not know, so that hosts of two versions can run
 * beside each other during an upgrade. Stateless.
 */
public final class RecordJson {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private RecordJson() {}

    private record TopicJson(
            String name,
            String id,
            String ownerId,
            int partitions,
            long retentionMs,
            Map<String, String> attributes,
            Map<String, Integer> acl,
            TopicQuota quota,
            long createdAtMs) {}

    private record JournalJson(String host, long incarnation, long epoch, long firstOffset, long totalBytes) {}

    private record OwnershipJson(
            String owner,
            long incarnation,
            long epoch,
            List<JournalJson> journals,
            @JsonAlias("trimmedTo") long startOffset,
            long endOffset,
            long totalBytes,
            boolean released) {}

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
                topic.createdAtMs()));
    }

    static TopicMetadata topic(byte[] bytes) throws IOException {
        TopicJson json = MAPPER.readValue(bytes, TopicJson.class);
        return new TopicMetadata(
                new TopicName(json.name),
                TopicId.parse(json.id),
                json.ownerId,
                json.partitions,
                Duration.ofMillis(json.retentionMs),
                json.attributes,
                json.acl,
                json.quota,
                json.createdAtMs);
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
                record.released()));
    }

    static OwnershipRecord ownership(byte[] bytes) throws IOException {
        OwnershipJson json = MAPPER.readValue(bytes, OwnershipJson.class);
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
                json.released);
    }

    /** What a node holds of a record of the coordination. */
    public static byte[] write(Object json) {
        try {
            return MAPPER.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError("our own records can be written", e);
        }
    }

    static <T> T read(byte[] bytes, Class<T> type) throws IOException {
        return MAPPER.readValue(bytes, type);
    }

    /** Why something could not be read, in one line. */
    static String reason(Exception failure) {
        return String.valueOf(
                failure instanceof JsonProcessingException json ? json.getOriginalMessage() : failure.getMessage());
    }
}
