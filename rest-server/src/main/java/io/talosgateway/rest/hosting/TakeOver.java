package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.RecoveryClaims;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.recovery.JournalArchive;
import io.talosgateway.rest.journal.recovery.KeyedPuts;
import io.talosgateway.rest.journal.recovery.PartitionHistory;
import io.talosgateway.rest.journal.recovery.RecordedPartition;
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
    private final boolean acceptDamage;

    /** @param acceptDamage whether to take over partitions although messages that were stored are missing */
    TakeOver(
            JournalId newOwner,
            JournalArchive archive,
            OwnershipRecords ownership,
            RecoveryClaims claims,
            KeyedPuts keyedPuts,
            boolean acceptDamage) {
        this.acceptDamage = acceptDamage;
        this.newOwner = newOwner;
        this.archive = archive;
        this.ownership = ownership;
        this.claims = claims;
        this.keyedPuts = keyedPuts;
    }

    /** A partition that was taken over: what it held, and its new record. */
    record Taken(TopicPartition partition, PartitionHistory history, Versioned record) {}

    /**
     * A partition that was not, because messages are missing that were stored.
     *
     * @param missing how many
     * @param endOffset where the partition ended by its record
     */
    record Refused(TopicPartition partition, long missing, long endOffset) {}

    /** What became of each partition. */
    record Result(List<Taken> taken, List<Refused> refused) {}

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

    static JournalId journal(OwnershipRecord record) {
        return new JournalId(record.owner(), record.incarnation());
    }

    /**
     * Takes partitions over.
     *
     * @param before their records; those that never had an owner have none
     * @param alive the hosts that are alive, as far as is known
     * @throws StaleOwnershipException if another host was faster with one of them; others may have been taken over, which the
     *     records then say
     */
    Result take(List<TopicPartition> partitions, Map<TopicPartition, Versioned> before, Map<String, HostInfo> alive)
            throws IOException, StaleOwnershipException {
        List<RecordedPartition> recorded = recorded(partitions, before);
        Set<JournalId> toFence = new HashSet<>();
        for (TopicPartition partition : partitions) {
            Versioned record = before.get(partition);
            if (record != null && !record.ownership().released()) {
                toFence.add(journal(record.ownership()));
            }
        }
        for (JournalId journal : journals(recorded)) {
            if (isAlive(journal, alive) && !toFence.contains(journal)) {
                archive.adopt(journal);
            } else {
                recover(claims, archive, journal, done -> {});
            }
        }
        List<PartitionHistory> histories = archive.histories(recorded, keyedPuts);
        List<Change> changes = new ArrayList<>();
        List<PartitionHistory> changed = new ArrayList<>();
        List<Refused> refused = new ArrayList<>();
        for (int index = 0; index < partitions.size(); index++) {
            TopicPartition partition = partitions.get(index);
            PartitionHistory history = histories.get(index);
            if (history.missingAtEnd() > 0 && !acceptDamage) {
                refused.add(new Refused(partition, history.missingAtEnd(), history.endOffset()));
            } else {
                changes.add(change(partition, before.get(partition), history));
                changed.add(history);
            }
        }
        List<Integer> versions = ownership.write(changes);
        List<Taken> taken = new ArrayList<>();
        for (int index = 0; index < changes.size(); index++) {
            Change change = changes.get(index);
            taken.add(new Taken(
                    change.partition(), changed.get(index), new Versioned(change.ownership(), versions.get(index))));
        }
        return new Result(taken, refused);
    }

    /**
     * Reads what {@link #take} is going to need of files that their writers have ended, while partitions are still served by their
     * owners: then only what those write from now on is left to be read. Fences and changes nothing.
     */
    void readAhead(List<TopicPartition> partitions, Map<TopicPartition, Versioned> records, Map<String, HostInfo> alive)
            throws IOException {
        List<RecordedPartition> recorded = recorded(partitions, records);
        for (JournalId journal : journals(recorded)) {
            if (isAlive(journal, alive)) {
                archive.adopt(journal);
            } else if (archive.wasRecovered(journal)) {
                archive.recover(journal, done -> {});
            }
        }
        archive.histories(recorded, keyedPuts);
    }

    private List<JournalId> journals(List<RecordedPartition> partitions) {
        return partitions.stream()
                .flatMap(one -> one.spans().stream().map(JournalSpan::journal))
                .distinct()
                .sorted(RecoveryOrder.of(newOwner.host()))
                .toList();
    }

    /**
     * Recovers a journal, one host at a time: what was not sealed is read through once, and the others find it sealed.
     *
     * @param progress told the number of files done, by any thread
     */
    static void recover(RecoveryClaims claims, JournalArchive archive, JournalId journal, IntConsumer progress)
            throws IOException {
        if (!archive.isRecovered(journal)) {
            claims.claim(
                    journal.toString(), () -> archive.wasRecovered(journal), () -> archive.recover(journal, progress));
        }
    }

    private Change change(TopicPartition partition, @Nullable Versioned record, PartitionHistory history) {
        OwnerEpoch epoch =
                (record == null ? OwnerEpoch.NONE : record.ownership().epoch()).next();
        List<JournalReference> journals = new ArrayList<>(
                history.spans().stream().map(OwnedSpans::reference).toList());
        // Always a span of its own, also for a journal that had the partition before: what it begins with is where the
        // partition ended, whatever becomes of the files.
        journals.add(OwnedSpans.reference(new JournalSpan(newOwner, epoch, history.endOffset(), history.totalBytes())));
        OwnershipRecord changed = new OwnershipRecord(
                newOwner.host(),
                newOwner.incarnation(),
                epoch,
                journals,
                history.startOffset(),
                history.endOffset(),
                history.totalBytes(),
                false,
                history.lostBefore(),
                record == null ? null : record.ownership().fencingToken());
        return new Change(partition, record == null ? OwnershipRecords.ABSENT : record.version(), changed);
    }

    private static List<RecordedPartition> recorded(
            List<TopicPartition> partitions, Map<TopicPartition, Versioned> records) {
        return partitions.stream()
                .map(partition -> {
                    Versioned record = records.get(partition);
                    return record == null
                            ? RecordedPartition.none(partition)
                            : OwnedSpans.recorded(partition, record.ownership());
                })
                .toList();
    }
}
