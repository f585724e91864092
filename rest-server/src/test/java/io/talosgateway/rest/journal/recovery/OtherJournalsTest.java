package io.talosgateway.rest.journal.recovery;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.file.FileSealer;
import io.talosgateway.rest.journal.file.FilesAtOnce;
import io.talosgateway.rest.journal.file.IndexHeads;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.topic.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A journal of several files in which two partitions take turns. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class OtherJournalsTest {

    private static final DataSize ENOUGH = DataSize.ofMiB(1);
    private static final int PUTS = 20;
    private static final Set<TopicPartition> SECOND = Set.of(new TopicPartition(JournalFixture.TOPIC, 1));

    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();
    private final JournalConfig config =
            JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofKiB(64), DataSize.ofKiB(64));
    private JournalId journal;

    @BeforeEach
    void write() throws Exception {
        try (JournalFixture writer = new JournalFixture(storage, config, Duration.ofDays(1)).open(0, 1)) {
            journal = writer.journal.id();
            for (int put = 0; put < PUTS; put++) {
                writer.put(put % 2, "x".repeat(40_000));
            }
            writer.awaitSealed();
        }
    }

    private OtherJournals others(DataSize memory) {
        JournalMetrics metrics = new JournalMetrics(new CollectorRegistry(), () -> 0);
        FileSealer sealer = new FileSealer(
                storage, new JournalReader(storage, config, metrics)::forgetOpenFile, metrics, new OwnJournalThreads());
        IndexHeads heads = new IndexHeads(storage);
        FilesAtOnce filesAtOnce = new FilesAtOnce(Runnable::run);
        return new OtherJournals(
                new JournalRecovery(storage, sealer, heads, filesAtOnce, false), heads, filesAtOnce, memory);
    }

    /** The messages of the second partition. */
    private long messages(OtherJournals others) throws IOException {
        return others.files(journal, SECOND).stream()
                .map(file -> file.extent(SECOND.iterator().next()))
                .mapToLong(extent -> extent == null ? 0 : extent.endOffset() - extent.firstOffset())
                .sum();
    }

    private List<String> indexFiles() throws IOException {
        return storage.list(journal.directory()).stream()
                .map(file -> journal.directory() + "/" + file.name())
                .filter(path -> path.endsWith(".index"))
                .toList();
    }

    @Test
    void whatWasForgottenIsReadAgain() throws IOException {
        OtherJournals others = others(new DataSize(1));
        others.recover(journal, done -> {});
        assertThat(others.isRecovered(journal))
                .as("the newest is kept, however large")
                .isTrue();
        others.recover(new JournalId("other", 1), done -> {});

        assertThat(others.isRecovered(journal)).isFalse();
        assertThat(messages(others)).isEqualTo(PUTS / 2);
        others.recover(journal, done -> {});
        assertThat(messages(others)).isEqualTo(PUTS / 2);
    }

    @Test
    void journalsThatWereNotNeededForLongestAreForgotten() throws IOException {
        OtherJournals others = others(DataSize.ofKiB(2));
        others.recover(journal, done -> {});
        assertThat(others.isRecovered(journal)).isTrue();
        for (int number = 0; number < 20; number++) {
            JournalId other = new JournalId("other", number);
            others.recover(other, done -> {});
            assertThat(others.isRecovered(other)).isTrue();
        }
        assertThat(others.isRecovered(journal)).isFalse();
    }

    /** Nobody has written down which of its files count; its writer may be alive. */
    @Test
    void indexIsDamagedBehindItsHeadOfAJournalThatMayBeAlive() throws IOException {
        assertThat(storage.exists(journal.manifestPath())).isFalse();
        assertThat(indexFiles()).isNotEmpty();
        for (String path : indexFiles()) {
            storage.damage(path, 4, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        }
        OtherJournals others = others(ENOUGH);
        others.adopt(journal);

        assertThat(messages(others)).isEqualTo(PUTS / 2);
    }

    /** It seemed to be alive when it was adopted. */
    @Test
    void indexIsLostOfAJournalThatAnotherHostHasRecoveredMeanwhile() throws IOException {
        others(ENOUGH).recover(journal, done -> {});
        OtherJournals others = others(ENOUGH);
        others.adopt(journal);
        for (String path : indexFiles()) {
            storage.delete(path);
        }

        assertThat(messages(others)).isEqualTo(PUTS / 2);
    }
}
