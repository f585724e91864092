package io.talosgateway.rest.journal.recovery;

import java.util.List;
import java.util.Map;

import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.file.FileIndex;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.file.PartitionEnd;
import io.talosgateway.rest.journal.file.StartRecord;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class FileRetentionTest {

    private static final TopicPartition PARTITION = new TopicPartition(JournalFixture.TOPIC, 0);
    private static final JournalId CURRENT = new JournalId("a", 2);
    private static final JournalId ENDED = new JournalId("b", 1);
    private static final boolean RELEASED = true;

    /** A file with the messages from 0 up to an end. */
    private static JournalFile messages(JournalId journal, long end) {
        FileIndex index = new FileIndex(new StartRecord(new JournalFileId(journal, "days-0", 0), 1, Map.of()));
        index.add(PARTITION, new OwnerEpoch(1), 100, 0, (int) end, 1, 10);
        return JournalFile.live(1, index);
    }

    /** A file that says in its start where the partition ends, and holds nothing of it. */
    private static JournalFile start(JournalId journal, long end) {
        PartitionEnd ended = new PartitionEnd(PARTITION, new OwnerEpoch(1), end, 10);
        return JournalFile.live(
                1,
                new FileIndex(new StartRecord(new JournalFileId(journal, "days-0", 1), 1, Map.of(PARTITION, ended))));
    }

    private static RecordedPartition record(JournalId owner, long firstOffset, long start, boolean released) {
        return new RecordedPartition(
                PARTITION,
                List.of(new JournalSpan(owner, new OwnerEpoch(2), firstOffset, 0)),
                start,
                start,
                0,
                released);
    }

    private static boolean isDeletable(JournalFile file, RecordedPartition record) {
        return !new FileRetention(topic -> false, asked -> Map.of(PARTITION, record))
                .deletable(List.of(file), CURRENT)
                .isEmpty();
    }

    @Test
    void fileGoesWhenTheRecordStartsAboveIt() {
        assertThat(isDeletable(messages(CURRENT, 5), record(CURRENT, 0, 5, !RELEASED)))
                .isTrue();
        assertThat(isDeletable(messages(CURRENT, 5), record(CURRENT, 0, 4, !RELEASED)))
                .isFalse();
        assertThat(isDeletable(messages(ENDED, 5), record(CURRENT, 5, 5, !RELEASED)))
                .isTrue();
        assertThat(isDeletable(messages(ENDED, 5), record(CURRENT, 5, 4, !RELEASED)))
                .isFalse();
    }

    @Test
    void whatWasNotAcknowledgedKeepsNoFile() {
        assertThat(isDeletable(messages(ENDED, 5), record(CURRENT, 4, 4, !RELEASED)))
                .isTrue();
    }

    @Test
    void fileOfAnEndedJournalStaysWhileSomebodyHasToFindTheEndInIt() {
        assertThat(isDeletable(messages(ENDED, 5), record(ENDED, 0, 5, !RELEASED)))
                .isFalse();
        assertThat(isDeletable(messages(ENDED, 5), record(ENDED, 0, 5, RELEASED)))
                .isTrue();
    }

    @Test
    void startThatSaysWhereAPartitionEndsKeepsItsFileLikewise() {
        assertThat(isDeletable(start(ENDED, 5), record(ENDED, 0, 5, !RELEASED))).isFalse();
        assertThat(isDeletable(start(ENDED, 5), record(ENDED, 0, 5, RELEASED))).isTrue();
        assertThat(isDeletable(start(ENDED, 5), record(CURRENT, 5, 5, !RELEASED)))
                .isTrue();
        assertThat(isDeletable(start(CURRENT, 5), record(CURRENT, 0, 5, !RELEASED)))
                .isTrue();
    }

    /** As a former owner has it, or a server of ZooKeeper that lags behind: the partition was empty then. */
    @Test
    void fileThatIsYoungerThanTheRecordStays() {
        JournalId former = new JournalId("former", 1);
        RecordedPartition old = new RecordedPartition(
                PARTITION, List.of(new JournalSpan(former, OwnerEpoch.NONE, 0, 0)), 0, 0, 0, RELEASED);
        assertThat(isDeletable(messages(ENDED, 5), old)).isFalse();
        assertThat(isDeletable(start(ENDED, 5), old)).isFalse();
    }

    @Test
    void fileStaysWhileNothingIsRecorded() {
        assertThat(new FileRetention(topic -> false, asked -> Map.of())
                        .deletable(List.of(messages(CURRENT, 5)), CURRENT))
                .isEmpty();
    }

    @Test
    void fileOfADeletedTopicGoes() {
        assertThat(new FileRetention(topic -> true, asked -> Map.of())
                        .deletable(List.of(messages(ENDED, 5), start(ENDED, 5)), CURRENT))
                .hasSize(2);
    }
}
