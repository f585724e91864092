package io.talosgateway.rest.journal.recovery;

import java.util.List;
import java.util.Map;

import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.file.FileIndex;
import io.talosgateway.rest.journal.file.FileRange;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.file.StartRecord;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which messages that the files do not hold are missing, and which are known to be lost. */
final class PartitionHistoryTest {

    private static final JournalId JOURNAL = new JournalId("gw-1", 1);
    private static final JournalFile FILE =
            JournalFile.live(1, new FileIndex(new StartRecord(new JournalFileId(JOURNAL, "days-0", 0), 1, Map.of())));

    /** Files hold offsets 0 to 9. */
    private static PartitionHistory history(long recordedStart, long recordedEnd, long lostBefore, long endByStart) {
        JournalSpan span = new JournalSpan(JOURNAL, OwnerEpoch.NONE.next(), 0, 0);
        RecordedPartition recorded = new RecordedPartition(
                new TopicPartition(JournalFixture.TOPIC, 0),
                List.of(span),
                recordedStart,
                recordedEnd,
                1_000,
                false,
                lostBefore);
        return PartitionHistory.of(
                recorded,
                List.of(span),
                List.of(new FileRange(FILE, 0, 10)),
                endByStart,
                Math.max(10, endByStart),
                900);
    }

    @Test
    void filesMayHoldMoreThanIsRecorded() {
        PartitionHistory history = history(0, 8, 0, 0);
        assertThat(history.endOffset()).isEqualTo(10);
        assertThat(history.missingAtEnd()).isZero();
        assertThat(history.lostBefore()).isZero();
        assertThat(history.totalBytes()).isEqualTo(1_000);
    }

    @Test
    void whatIsRecordedAndNotThereIsMissing() {
        PartitionHistory history = history(0, 12, 0, 0);
        assertThat(history.endOffset()).isEqualTo(12);
        assertThat(history.missingAtEnd()).isEqualTo(2);
        assertThat(history.lostBefore()).isZero();
    }

    /** The owner went on behind messages that it had in memory only: a START record on disk names their end. */
    @Test
    void whatAStartNamesAndIsNotThereIsLost() {
        PartitionHistory history = history(0, 12, 0, 12);
        assertThat(history.endOffset()).isEqualTo(12);
        assertThat(history.missingAtEnd()).isZero();
        assertThat(history.lostBefore()).isEqualTo(12);
    }

    @Test
    void onlyWhatIsBehindTheLostIsMissing() {
        assertThat(history(0, 12, 0, 11).missingAtEnd()).isEqualTo(1);
    }

    /** By an earlier take-over, whose START record may be deleted since. */
    @Test
    void whatWasFoundToBeLostIsNotMissing() {
        PartitionHistory history = history(0, 12, 12, 0);
        assertThat(history.missingAtEnd()).isZero();
        assertThat(history.lostBefore()).isEqualTo(12);
    }

    @Test
    void whatIsDeletedIsNeitherMissingNorLost() {
        PartitionHistory history = history(12, 12, 0, 12);
        assertThat(history.startOffset()).isEqualTo(12);
        assertThat(history.missingAtEnd()).isZero();
        assertThat(history.lostBefore()).isZero();
    }
}
