package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.talosgateway.fuzz.FuzzTarget;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.OwnerQuota;
import io.talosgateway.rest.topic.PartitionQuota;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroupName;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPattern;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Records in ZooKeeper: whatever is in a node is a record or refused with an {@link IOException}. */
public final class RecordTargets {

    private RecordTargets() {}

    /** Reads a record. */
    @FunctionalInterface
    private interface Reader<T> {
        T read(byte[] bytes) throws IOException;
    }

    private static <T> FuzzTarget<T> target(String name, List<byte[]> seeds, Reader<T> reader) {
        FuzzTarget.Decoder<T> decoder = input -> refusing(reader, input);
        // A tree of nodes, and a mapper that caches names.
        return FuzzTarget.of("record-" + name, seeds, decoder).allocating(512, 512 * 1024);
    }

    private static <T> @Nullable T refusing(Reader<T> reader, byte[] input) {
        try {
            return reader.read(input);
        } catch (IOException e) {
            return null;
        }
    }

    public static List<FuzzTarget<?>> all() {
        return List.of(
                target("topic", List.of(RecordJson.encode(topic())), RecordJson::topic)
                        .checked(topic -> assertThat(RecordJson.topic(RecordJson.encode(topic)))
                                .isEqualTo(topic)),
                target("topic-group", List.of(RecordJson.encode(group())), RecordJson::topicGroup)
                        .checked(group -> assertThat(RecordJson.topicGroup(RecordJson.encode(group)))
                                .isEqualTo(group)),
                target("owner-quota", List.of(RecordJson.encode(ownerQuota())), RecordJson::ownerQuota)
                        .checked(quota -> assertThat(RecordJson.ownerQuota(RecordJson.encode(quota)))
                                .isEqualTo(quota)),
                target("ownership", List.of(RecordJson.encode(ownership())), RecordJson::ownership)
                        .checked(record -> assertThat(RecordJson.ownership(RecordJson.encode(record)))
                                .isEqualTo(record)),
                target(
                                "placement",
                                List.of(RecordJson.write(placement())),
                                bytes -> RecordJson.read(bytes, Placement.class))
                        .checked(placement -> assertThat(RecordJson.read(RecordJson.write(placement), Placement.class))
                                .isEqualTo(placement)),
                target("host", List.of(RecordJson.write(host())), bytes -> RecordJson.read(bytes, HostInfo.class))
                        .checked(host -> assertThat(RecordJson.read(RecordJson.write(host), HostInfo.class))
                                .isEqualTo(host)));
    }

    private static TopicMetadata topic() {
        return new TopicMetadata(
                new TopicName("orders"),
                new TopicId(1, 2),
                "owner#1",
                8,
                Duration.ofDays(3),
                Map.of("a", "b", "talos.durability", "disk"),
                Map.of("bob", 7),
                new Quota(1L, 2, 3, 4L, 5L),
                1_600_000_000_000L);
    }

    private static TopicGroup group() {
        return new TopicGroup(
                new TopicGroupName("readers"),
                "CL1",
                new TopicGroup.Matching(new TopicPattern("(eu|us)-[a-z]+.*"), List.of(new TopicName("eu-test"))));
    }

    private static OwnerQuota ownerQuota() {
        return new OwnerQuota(
                "CL1",
                new Quota(1L, 2, 3, 4L, 5L),
                6,
                new PartitionQuota(7, "orders", "The team"),
                new PartitionQuota(8, null, null));
    }

    private static OwnershipRecord ownership() {
        return new OwnershipRecord(
                "gw-1",
                7,
                new OwnerEpoch(3),
                List.of(
                        new OwnershipRecord.JournalReference("gw-2", 1, new OwnerEpoch(1), 0, 0),
                        new OwnershipRecord.JournalReference("gw-1", 7, new OwnerEpoch(3), 100, 5000)),
                10,
                200,
                9000,
                true,
                5,
                "writer-1");
    }

    private static Placement placement() {
        return new Placement(List.of(
                new Placement.PlacedHost("gw-1", Placement.Presence.PRESENT),
                new Placement.PlacedHost("gw-2", Placement.Presence.RESTARTING)));
    }

    private static HostInfo host() {
        return new HostInfo("gw-1", 7, "https://h:8443", "h:7000", HostInfo.Intent.SERVE);
    }
}
