package io.talosgateway.rest.coordination.zookeeper;

import java.time.Duration;
import java.util.Map;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicQuota;
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
                TopicQuota.UNLIMITED,
                0);
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
        table.put(FIRST, 0, 10);
        table.remove(FIRST);

        table.put(FIRST, 0, 10);
        table.put(FIRST_GROWN, 1, 11);

        assertThat(table.all()).isEmpty();
        assertThat(table.find(NAME)).isNull();
        assertThat(table.find(FIRST.id())).isNull();
    }

    @Test
    void changeThatIsSeenAfterALaterOneChangesNothing() {
        table.put(FIRST_GROWN, 1, 11);

        table.put(FIRST, 0, 10);

        assertOnly(FIRST_GROWN);
        assertThat(table.find(NAME)).extracting(TopicTable.Entry::version).isEqualTo(1);
    }

    @Test
    void newTopicOfTheSameNameReplacesTheOldOne() {
        table.put(FIRST, 0, 10);

        table.put(SECOND, 0, 20);

        assertOnly(SECOND);
        assertThat(table.find(FIRST.id())).isNull();
        table.put(FIRST_GROWN, 1, 11);
        assertOnly(SECOND);
    }

    @Test
    void deletionOfTheOldTopicLeavesTheNewOneOfItsName() {
        table.put(SECOND, 0, 20);

        table.remove(FIRST_GROWN);

        assertOnly(SECOND);
    }

    @Test
    void deletionThatIsSeenBeforeTheCreationHolds() {
        table.remove(FIRST);

        table.put(FIRST, 0, 10);

        assertThat(table.all()).isEmpty();
    }
}
