package io.talosgateway.rest.hosting;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ChangeMarksTest {

    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();
    private final Counting records = new Counting();
    private final ChangeMarks first = new ChangeMarks(storage, records, "a");
    private final ChangeMarks second = new ChangeMarks(storage, records, "b");

    private List<String> marks() {
        return storage.list(ChangeMarks.DIRECTORY).stream()
                .map(JournalStorage.StoredFile::name)
                .sorted()
                .toList();
    }

    private void assertRestored(ChangeMarks marks) {
        assertThatThrownBy(marks::confirm)
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.COORDINATION_RESTORED));
    }

    @Test
    void countBelowAMarkProvesThatZooKeeperWasSetBack() {
        first.confirm();
        assertThat(marks()).containsExactly("0000000000-a");
        records.changes = 7;
        first.confirm();
        assertThat(marks()).containsExactly("0000000007-a");
        records.changes = 6;
        assertRestored(first);
        assertRestored(second);
        records.changes = 7;
        second.confirm();
        assertThat(marks()).containsExactly("0000000007-a");
        records.changes = 8;
        second.confirm();
        first.confirm();
        assertThat(marks()).containsExactly("0000000007-a", "0000000008-b");
    }

    /** The version of a node has 32 bits, of which the first is a sign: it comes after two thousand million changes. */
    @Test
    void countThatBeginsAgainIsNotTakenForOneThatWasSetBack() {
        for (int before : new int[] {Integer.MAX_VALUE, -1}) {
            records.changes = before;
            first.confirm();
            assertThat(marks()).hasSize(1);
            records.changes = before + 1;
            second.confirm();
            first.confirm();
            records.changes = before;
            assertRestored(first);
            records.changes = before + 2;
            first.confirm();
            storage.delete(ChangeMarks.DIRECTORY);
        }
    }

    /** Only counts. */
    private static final class Counting implements OwnershipRecords {

        private int changes;

        @Override
        public int changes() {
            return changes;
        }

        @Override
        public Map<TopicPartition, Versioned> read(Collection<TopicPartition> partitions) {
            throw new AssertionError();
        }

        @Override
        public Map<TopicPartition, Versioned> read(
                Collection<TopicPartition> partitions, BiConsumer<TopicPartition, String> unreadable) {
            throw new AssertionError();
        }

        @Override
        public List<Integer> write(List<Change> changed) {
            throw new AssertionError();
        }

        @Override
        public void delete(TopicId topic) {
            throw new AssertionError();
        }

        @Override
        public List<TopicId> topics() {
            throw new AssertionError();
        }
    }
}
