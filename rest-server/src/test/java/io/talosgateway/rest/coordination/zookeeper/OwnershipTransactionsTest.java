package io.talosgateway.rest.coordination.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.zookeeper.OwnershipTransactions.Encoded;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class OwnershipTransactionsTest {

    private static List<Change> changes(int count, int journals) {
        List<JournalReference> references = IntStream.range(0, journals)
                .mapToObj(number -> new JournalReference("gateway-" + number, number, OwnerEpoch.NONE, number, number))
                .toList();
        List<Change> changes = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            changes.add(new Change(
                    new TopicPartition(new TopicId(1, 2), number),
                    OwnershipRecords.ABSENT,
                    new OwnershipRecord("gateway-1", 1, OwnerEpoch.NONE.next(), references, 0, 0, 0, false)));
        }
        return changes;
    }

    private static List<Integer> sizes(List<Change> changes) {
        return OwnershipTransactions.divide(changes).stream().map(List::size).toList();
    }

    @Test
    void fewChangesAreWrittenAtOnce() {
        assertThat(sizes(List.of())).isEmpty();
        assertThat(sizes(changes(500, 1))).containsExactly(500);
        assertThat(sizes(changes(1_001, 1))).containsExactly(500, 500, 1);
    }

    /** More than a megabyte would never be taken by ZooKeeper, however often it is tried. */
    @Test
    void longHistoriesAreWrittenInSmallerParts() {
        List<Change> changes = changes(500, 40);

        List<List<Encoded>> parts = OwnershipTransactions.divide(changes);

        assertThat(parts).hasSizeGreaterThan(2);
        assertThat(parts)
                .allSatisfy(part -> assertThat(part.stream()
                                .mapToInt(one -> one.data().length())
                                .sum())
                        .isLessThanOrEqualTo(512 << 10));
        assertThat(parts.stream().flatMap(List::stream).map(Encoded::change)).isEqualTo(changes);
    }

    @Test
    void recordThatZooKeeperWouldNotTakeIsRefusedWithTheReason() {
        assertThatThrownBy(() -> OwnershipTransactions.divide(changes(1, 12_000)))
                .isInstanceOf(GatewayException.class)
                .hasMessageContainingAll(
                        "would have 1", "because 12000 journals hold messages of it", "Lower the retention");
    }
}
