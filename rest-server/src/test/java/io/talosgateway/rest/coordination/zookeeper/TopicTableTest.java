package io.talosgateway.rest.coordination.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.talosgateway.rest.coordination.TopicRegistry.Page;
import io.talosgateway.rest.coordination.TopicUsage;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** News in the orders that two writers and a watch can give. */
final class TopicTableTest {

    private static final TopicName NAME = new TopicName("orders");
    private static final TopicMetadata FIRST = topic(1, 4);
    private static final TopicMetadata FIRST_GROWN = topic(1, 8);
    private static final TopicMetadata SECOND = topic(2, 2);

    private final TopicTable table = new TopicTable();

    private static TopicMetadata topic(long id, int partitions) {
        return new TopicMetadata(
                NAME,
                new TopicId(0, id),
                "owner",
                partitions,
                Duration.ofDays(1),
                Map.of(),
                Map.of(),
                Quota.UNLIMITED,
                0);
    }

    private void put(TopicMetadata topic, int version, long zxid) {
        table.put(new TopicTable.Entry(topic, 100 * topic.partitions(), version, zxid, zxid));
    }

    private void assertOnly(TopicMetadata expected) {
        assertThat(table.all()).containsExactly(expected);
        assertThat(table.find(NAME))
                .isNotNull()
                .extracting(TopicTable.Entry::topic)
                .isEqualTo(expected);
        assertThat(table.find(expected.id())).isEqualTo(expected);
    }

    @Test
    void creationThatIsSeenAfterTheDeletionChangesNothing() {
        put(FIRST, 0, 10);
        table.remove(FIRST);

        put(FIRST, 0, 10);
        put(FIRST_GROWN, 1, 11);

        assertThat(table.all()).isEmpty();
        assertThat(table.find(NAME)).isNull();
        assertThat(table.find(FIRST.id())).isNull();
    }

    @Test
    void changeThatIsSeenAfterALaterOneChangesNothing() {
        put(FIRST_GROWN, 1, 11);

        put(FIRST, 0, 10);

        assertOnly(FIRST_GROWN);
        assertThat(table.find(NAME)).extracting(TopicTable.Entry::version).isEqualTo(1);
    }

    @Test
    void newTopicOfTheSameNameReplacesTheOldOne() {
        put(FIRST, 0, 10);

        put(SECOND, 0, 20);

        assertOnly(SECOND);
        assertThat(table.find(FIRST.id())).isNull();
        put(FIRST_GROWN, 1, 11);
        assertOnly(SECOND);
    }

    @Test
    void deletionOfTheOldTopicLeavesTheNewOneOfItsName() {
        put(SECOND, 0, 20);

        table.remove(FIRST_GROWN);

        assertOnly(SECOND);
    }

    @Test
    void deletionThatIsSeenBeforeTheCreationHolds() {
        table.remove(FIRST);

        put(FIRST, 0, 10);

        assertThat(table.all()).isEmpty();
    }

    private static TopicMetadata named(String name, String owner, int partitions) {
        return new TopicMetadata(
                new TopicName(name),
                new TopicId(1, name.hashCode()),
                owner,
                partitions,
                Duration.ofDays(1),
                Map.of(),
                Map.of(),
                Quota.UNLIMITED,
                0);
    }

    @Test
    void usageIsThatOfTheTopicsThatAreThere() {
        TopicMetadata a = named("a", "alice", 2);
        put(a, 0, 1);
        put(named("b", "alice", 3), 0, 2);
        put(named("c", "bob", 4), 0, 3);
        put(a.with(5, a.retention(), a.attributes()), 1, 4);
        assertThat(table.total()).isEqualTo(new TopicUsage(3, 12, 1_200));
        assertThat(table.ownedBy("alice")).isEqualTo(new TopicUsage(2, 8, 800));

        table.remove(a);
        table.remove(a);

        assertThat(table.total()).isEqualTo(new TopicUsage(2, 7, 700));
        assertThat(table.ownedBy("alice")).isEqualTo(new TopicUsage(1, 3, 300));
        assertThat(table.ownedBy("nobody")).isEqualTo(TopicUsage.NONE);
    }

    @Test
    void newTopicOfTheSameNameTakesThePlaceOfTheOldOneInTheUsage() {
        put(FIRST, 0, 10);
        put(SECOND, 0, 20);

        assertThat(table.total()).isEqualTo(new TopicUsage(1, 2, 200));
    }

    @Test
    void pagesAreInOrderOfNameAndBoundedInNumberAndBytes() {
        for (String name : List.of("d", "b", "a", "c", "e")) {
            put(named(name, name.equals("c") ? "bob" : "alice", 1), 0, name.charAt(0));
        }

        assertThat(page(null, 2, 1_000)).isEqualTo("a b, next b");
        assertThat(page("b", 2, 1_000)).isEqualTo("d e, last");
        assertThat(page("aa", 9, 200)).as("by bytes").isEqualTo("b d, next d");
        assertThat(page("d", 9, 1)).as("one at least").isEqualTo("e, last");
        assertThat(page("e", 9, 1)).isEqualTo(", last");
    }

    private String page(@Nullable String after, int maxTopics, long maxBytes) {
        Page page = table.page(
                after == null ? null : new TopicName(after),
                topic -> topic.ownerId().equals("alice"),
                maxTopics,
                maxBytes);
        return page.topics().stream().map(topic -> topic.name().value()).collect(Collectors.joining(" "))
                + (page.next() == null ? ", last" : ", next " + page.next());
    }
}
