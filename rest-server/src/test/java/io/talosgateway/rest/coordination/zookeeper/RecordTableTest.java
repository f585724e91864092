package io.talosgateway.rest.coordination.zookeeper;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** News in the orders that two writers and a watch can give. */
final class RecordTableTest {

    private final RecordTable<String> table = new RecordTable<>();

    private void put(String value, int version, long createdZxid, long zxid) {
        table.put("name", new RecordTable.Entry<>(value, version, createdZxid, zxid));
    }

    @Test
    void newestVersionStays() {
        put("b", 1, 7, 9);
        put("a", 0, 7, 7);

        assertThat(table.all()).containsExactly("b");
        assertThat(table.find("name").version()).isEqualTo(1);
    }

    @Test
    void versionsOfANodeThatWasDeletedAreNotTakenForNew() {
        put("a", 0, 7, 7);
        table.remove("name", 7);
        put("b", 1, 7, 9);

        assertThat(table.all()).isEmpty();
    }

    @Test
    void recordThatWasCreatedAgainStaysWhenTheDeletionIsSeenLate() {
        put("a", 0, 7, 7);
        table.remove("name", 7);
        put("b", 0, 11, 11);
        table.remove("name", 7);

        assertThat(table.all()).containsExactly("b");
    }
}
