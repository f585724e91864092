package io.talosgateway.rest.coordination.zookeeper;

import java.util.List;

import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroup.Matching;
import io.talosgateway.rest.topic.TopicGroupName;
import io.talosgateway.rest.topic.TopicPattern;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** News in the orders that two writers and a watch can give. */
final class TopicGroupTableTest {

    private final TopicGroupTable table = new TopicGroupTable();

    private static TopicGroup group(String pattern) {
        return new TopicGroup(new TopicGroupName("g"), "alice", new Matching(new TopicPattern(pattern), List.of()));
    }

    private void put(String pattern, int version, long createdZxid, long zxid) {
        table.put(new TopicGroupTable.Entry(group(pattern), version, createdZxid, zxid));
    }

    @Test
    void newestVersionStays() {
        put("b", 1, 7, 9);
        put("a", 0, 7, 7);

        assertThat(table.all()).containsExactly(group("b"));
        assertThat(table.find("g").version()).isEqualTo(1);
    }

    @Test
    void versionsOfANodeThatWasDeletedAreNotTakenForNew() {
        put("a", 0, 7, 7);
        table.remove("g", 7);
        put("b", 1, 7, 9);

        assertThat(table.all()).isEmpty();
    }

    @Test
    void groupThatWasCreatedAgainStaysWhenTheDeletionIsSeenLate() {
        put("a", 0, 7, 7);
        table.remove("g", 7);
        put("b", 0, 11, 11);
        table.remove("g", 7);

        assertThat(table.all()).containsExactly(group("b"));
    }
}
