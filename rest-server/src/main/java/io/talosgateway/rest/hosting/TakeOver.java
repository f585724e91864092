package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.RecoveryClaims;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.journal.JournalArchive;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.KeyedPuts;
import io.talosgateway.rest.journal.PartitionHistory;
import io.talosgateway.rest.journal.PartitionSpans;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Takes partitions over from their earlier owners. This is the one place where that is done, in this order:
 *
 * <ol>
 *   <li>make sure that the earlier owner cannot have anything acknowledged any more: it has said in the record that it
 *       released the partition, or its journal is fenced;
 *   <li>find the partition's true end, and the recent puts with idempotency keys, in the journals that hold its messages;
 *   <li>record, by compare-and-set: this incarnation is the owner, with the next epoch, and from that end on the messages
 *       are in its journal;
 *   <li>only then serve it.
 * </ol>
 *
 * Whoever loses the compare-and-set has fenced a journal that was another host's to fence, and has done no harm: fencing
 * ends a writer that is not the owner any more, or, if it still is, makes it go on in a new incarnation. So what is believed
 * about who is alive decides how soon partitions are served, and never whether messages are safe.
 *
 * <p>Blocks. For one thread.
 */
final class TakeOver {

    private final JournalId newOwner;
    private final JournalArchive archive;
    private final OwnershipRecords ownership;
    private final RecoveryClaims claims;
    private final KeyedPuts keyedPuts;

    TakeOver(
            JournalId newOwner,
            JournalArchive archive,
            OwnershipRecords ownership,
            RecoveryClaims claims,
            KeyedPuts keyedPuts) {
        this.newOwner = newOwner;
        this.archive = archive;
        this.ownership = ownership;
        this.claims = claims;
        this.keyedPuts = keyedPuts;
    }

    /** A partition that was taken over: what it held, and its new record. */
    record Taken(TopicPartition partition, PartitionHistory history, Versioned record) {}

    /**
     * Whether a partition can be had now: its owner has released it, or is not alive. Otherwise the owner is asked to release it,
     * by the placement.
     */
    static boolean isFree(@Nullable Versioned record, JournalId newOwner, Map<String, HostInfo> alive) {
        return record == null
                || record.ownership().released()
                || journal(record.ownership()).equals(newOwner)
                || !isAlive(journal(record.ownership()), alive);
    }

    private static boolean isAlive(JournalId journal, Map<String, HostInfo> alive) {
        HostInfo host = alive.get(journal.host());
        return host != null && host.incarnation() == journal.incarnation();
    }

    private static JournalId journal(OwnershipRecord record) {
        return new JournalId(record.owner(), record.incarnation());
    }

    /**
     * Takes partitions over, and answers in their order.
     *
     * @param before their records; those that never had an owner have none
     * @param alive the hosts that are alive, as far as is known
     * @throws StaleOwnershipException if another host was faster with one of them; others may have been taken over, which the
     *     records then say
     */
    List<Taken> take(
            List<TopicPartition> partitions, Map<TopicPartition, Versioned> before, Map<String, HostInfo> alive)
            throws IOException, StaleOwnershipException {
        List<PartitionSpans> spans = spans(partitions, before);
        Set<JournalId> toFence = new HashSet<>();
        for (TopicPartition partition : partitions) {
            Versioned record = before.get(partition);
            if (record != null && !record.ownership().released()) {
                toFence.add(journal(record.ownership()));
            }
        }
        for (JournalId journal : journals(spans)) {
            if (isAlive(journal, alive) && !toFence.contains(journal)) {
                archive.adopt(journal);
            } else {
                recover(journal);
            }
        }
        List<PartitionHistory> histories = archive.histories(spans, keyedPuts);
        List<Change> changes = new ArrayList<>();
        for (int index = 0; index < spans.size(); index++) {
            PartitionSpans one = spans.get(index);
            changes.add(change(one.partition(), before.get(one.partition()), one.spans(), histories.get(index)));
        }
        List<Integer> versions = ownership.write(changes);
        List<Taken> taken = new ArrayList<>();
        for (int index = 0; index < changes.size(); index++) {
            Change change = changes.get(index);
            taken.add(new Taken(
                    change.partition(), histories.get(index), new Versioned(change.ownership(), versions.get(index))));
        }
        return taken;
    }

    /**
     * Reads what {@link #take} is going to need of files that their writers have ended, while partitions are still served by their
     * owners: then only what those write from now on is left to be read. Fences and changes nothing.
     */
    void readAhead(List<TopicPartition> partitions, Map<TopicPartition, Versioned> records, Map<String, HostInfo> alive)
            throws IOException {
        List<PartitionSpans> spans = spans(partitions, records);
        for (JournalId journal : journals(spans)) {
            if (isAlive(journal, alive)) {
                archive.adopt(journal);
            } else if (archive.wasRecovered(journal)) {
                archive.recover(journal, done -> {});
            }
        }
        archive.histories(spans, keyedPuts);
    }

    private List<JournalId> journals(List<PartitionSpans> partitions) {
        return partitions.stream()
                .flatMap(one -> one.spans().stream().map(JournalSpan::journal))
                .distinct()
                .sorted(RecoveryOrder.of(newOwner.host()))
                .toList();
    }

    /** One host at a time, so that what was not sealed is read through once; the others find it sealed. */
    private void recover(JournalId journal) throws IOException {
        if (!archive.isRecovered(journal)) {
            claims.claim(
                    journal.toString(),
                    () -> archive.wasRecovered(journal),
                    () -> archive.recover(journal, done -> {}));
        }
    }

    private Change change(
            TopicPartition partition, @Nullable Versioned record, List<JournalSpan> spans, PartitionHistory history) {
        List<JournalSpan> kept = new ArrayList<>();
        for (int index = 0; index < spans.size(); index++) {
            JournalSpan span = spans.get(index);
            long end = index + 1 < spans.size() ? spans.get(index + 1).firstOffset() : history.endOffset();
            // A journal that the partition wrote nothing to, or whose files have expired, is not needed any more.
            if (end > span.firstOffset() && archive.holds(span.journal())) {
                kept.add(span);
            }
        }
        // What it came back to goes on in the same span.
        if (kept.isEmpty() || !kept.get(kept.size() - 1).journal().equals(newOwner)) {
            kept.add(new JournalSpan(newOwner, history.endOffset(), history.totalBytes()));
        }
        OwnerEpoch epoch = record == null ? OwnerEpoch.NONE : record.ownership().epoch();
        OwnershipRecord changed = new OwnershipRecord(
                newOwner.host(),
                newOwner.incarnation(),
                epoch.next(),
                kept.stream().map(OwnedSpans::reference).toList(),
                record == null ? 0 : record.ownership().trimmedTo(),
                false);
        return new Change(partition, record == null ? OwnershipRecords.ABSENT : record.version(), changed);
    }

    private static List<PartitionSpans> spans(List<TopicPartition> partitions, Map<TopicPartition, Versioned> records) {
        return partitions.stream()
                .map(partition -> {
                    Versioned record = records.get(partition);
                    return new PartitionSpans(
                            partition,
                            record == null
                                    ? List.of()
                                    : record.ownership().journals().stream()
                                            .map(OwnedSpans::span)
                                            .toList());
                })
                .toList();
    }
}
