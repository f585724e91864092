package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.journal.Journal;
import io.talosgateway.rest.journal.JournalArchive;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.PartitionHistory;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One incarnation of this host: its journal, and the partitions it serves. Changed by the hosting thread, read by any.
 *
 * <p>This is the one place where a partition is taken over, in this order:
 *
 * <ol>
 *   <li>fence the journals that hold its messages, so that their writers cannot have anything acknowledged any more;
 *   <li>find the partition's true end in them, and the recent puts with idempotency keys;
 *   <li>record, by compare-and-set: this incarnation is the owner, with the next epoch, and from that end on the messages
 *       are in its journal;
 *   <li>only then serve it.
 * </ol>
 *
 * Whoever loses the compare-and-set has fenced a journal that was another host's to fence, and has done no harm: fencing
 * ends a writer that is not the owner any more, or, if it still is, makes it go on in a new incarnation.
 */
final class Incarnation {

    private static final Logger log = LoggerFactory.getLogger(Incarnation.class);

    private final HostingConfig config;
    private final OwnershipRecords ownership;
    private final Journal journal;
    private final InstantSource wallClock;
    private final AtomicInteger recentPutsTotal = new AtomicInteger();
    private final Map<TopicPartition, HostedPartition> partitions = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Versioned> records = new ConcurrentHashMap<>();

    Incarnation(HostingConfig config, OwnershipRecords ownership, Journal journal, InstantSource wallClock) {
        this.config = config;
        this.ownership = ownership;
        this.journal = journal;
        this.wallClock = wallClock;
    }

    Journal journal() {
        return journal;
    }

    @Nullable
    HostedPartition find(TopicPartition partition) {
        return partitions.get(partition);
    }

    int size() {
        return partitions.size();
    }

    int recentPuts() {
        return recentPutsTotal.get();
    }

    /** True if every partition of the topic is served. */
    boolean serves(TopicMetadata topic) {
        return topic.allPartitions().allMatch(partitions::containsKey);
    }

    /** Takes over the partitions of a topic that are not served yet. */
    void takeOver(TopicMetadata topic) throws IOException, StaleOwnershipException {
        Map<TopicPartition, Versioned> before = ownership.read(topic);
        for (Versioned record : before.values()) {
            for (JournalReference reference : record.ownership().journals()) {
                if (!journalOf(reference).equals(journal.id())) {
                    journal.archive().recover(journalOf(reference), done -> {});
                }
            }
        }
        JournalArchive.KeyedPuts keyedPuts = journal.archive()
                .keyedPutsSince(
                        wallClock.millis() - config.recentPuts().maxAge().toMillis());
        List<Change> changes = new ArrayList<>();
        List<PartitionHistory> histories = new ArrayList<>();
        for (TopicPartition partition :
                topic.allPartitions().filter(p -> !partitions.containsKey(p)).toList()) {
            Versioned record = before.get(partition);
            List<JournalSpan> spans = record == null ? List.of() : spans(record.ownership());
            PartitionHistory history = journal.archive().history(partition, spans, keyedPuts);
            histories.add(history);
            changes.add(change(partition, record, spans, history));
        }
        List<Integer> versions = ownership.write(changes);
        for (int index = 0; index < changes.size(); index++) {
            serve(topic, changes.get(index), versions.get(index), histories.get(index));
        }
    }

    private Change change(
            TopicPartition partition, @Nullable Versioned record, List<JournalSpan> spans, PartitionHistory history) {
        List<JournalSpan> kept = new ArrayList<>();
        for (int index = 0; index < spans.size(); index++) {
            JournalSpan span = spans.get(index);
            long end = index + 1 < spans.size() ? spans.get(index + 1).firstOffset() : history.endOffset();
            // A journal that the partition wrote nothing to, or whose files have expired, is not needed any more.
            if (end > span.firstOffset() && journal.archive().holds(span.journal())) {
                kept.add(span);
            }
        }
        kept.add(new JournalSpan(journal.id(), history.endOffset(), history.totalBytes()));
        OwnerEpoch epoch = record == null ? OwnerEpoch.NONE : record.ownership().epoch();
        OwnershipRecord changed = new OwnershipRecord(
                config.hostName(),
                journal.id().incarnation(),
                epoch.next(),
                kept.stream().map(Incarnation::reference).toList(),
                record == null ? 0 : record.ownership().trimmedTo());
        return new Change(partition, record == null ? OwnershipRecords.ABSENT : record.version(), changed);
    }

    private void serve(TopicMetadata topic, Change change, int version, PartitionHistory history) {
        RecentPuts recentPuts = new RecentPuts(config.recentPuts(), recentPutsTotal);
        for (KeyedPut put : history.keyedPuts()) {
            recentPuts.restore(put, journal.config().durability());
        }
        HostedPartition hosted = new HostedPartition(
                journal.open(change.partition(), change.ownership().epoch(), topic.retention(), history), recentPuts);
        hosted.log().trimTo(change.ownership().trimmedTo());
        records.put(change.partition(), new Versioned(change.ownership(), version));
        partitions.put(change.partition(), hosted);
    }

    /** Records that messages below {@code offset} are deleted, then deletes them. */
    void trim(HostedPartition hosted, long offset) throws StaleOwnershipException {
        TopicPartition partition = hosted.partition();
        Versioned record = records.get(partition);
        if (record == null || offset <= record.ownership().trimmedTo()) {
            return;
        }
        OwnershipRecord before = record.ownership();
        OwnershipRecord changed =
                new OwnershipRecord(before.owner(), before.incarnation(), before.epoch(), before.journals(), offset);
        List<Integer> versions = ownership.write(List.of(new Change(partition, record.version(), changed)));
        records.put(partition, new Versioned(changed, versions.get(0)));
        hosted.log().trimTo(offset);
    }

    /** Stops serving the partitions of a topic that is deleted. */
    void release(TopicId topic) {
        for (HostedPartition hosted : List.copyOf(partitions.values())) {
            if (hosted.partition().topic().equals(topic)) {
                partitions.remove(hosted.partition());
                records.remove(hosted.partition());
                journal.close(hosted.log());
                hosted.recentPuts().clear();
            }
        }
    }

    /** Stops serving, commits what was taken and seals the journal. */
    void end() throws InterruptedException {
        partitions.values().forEach(hosted -> journal.close(hosted.log()));
        partitions.clear();
        journal.close();
        log.info("Incarnation {} has ended", journal.id());
    }

    private static JournalId journalOf(JournalReference reference) {
        return new JournalId(reference.host(), reference.incarnation());
    }

    private static List<JournalSpan> spans(OwnershipRecord record) {
        return record.journals().stream()
                .map(reference ->
                        new JournalSpan(journalOf(reference), reference.firstOffset(), reference.totalBytes()))
                .toList();
    }

    private static JournalReference reference(JournalSpan span) {
        return new JournalReference(
                span.journal().host(), span.journal().incarnation(), span.firstOffset(), span.totalBytes());
    }
}
