package io.talosgateway.rest.hosting;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.journal.Journal;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.KeyedPuts;
import io.talosgateway.rest.journal.PartitionLog;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One incarnation of this host: its journal, and the partitions it serves. Looked up by any thread; a partition is changed
 * by one thread at a time, which {@link HostedPartitions} sees to.
 */
final class Incarnation {

    private static final Logger log = LoggerFactory.getLogger(Incarnation.class);

    private final HostingConfig config;
    private final OwnershipRecords ownership;
    private final Journal journal;
    private final InstantSource wallClock;
    private final RecentPutsTotal recentPuts;
    private final Map<TopicPartition, HostedPartition> partitions = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Versioned> records = new ConcurrentHashMap<>();
    private volatile @Nullable KeyedPuts readAhead;
    private volatile boolean ended;

    Incarnation(HostingConfig config, OwnershipRecords ownership, Journal journal, InstantSource wallClock) {
        this.config = config;
        this.ownership = ownership;
        this.journal = journal;
        this.wallClock = wallClock;
        this.recentPuts = new RecentPutsTotal(config.recentPuts());
    }

    Journal journal() {
        return journal;
    }

    @Nullable
    HostedPartition find(TopicPartition partition) {
        return partitions.get(partition);
    }

    Collection<HostedPartition> all() {
        return List.copyOf(partitions.values());
    }

    int size() {
        return partitions.size();
    }

    int recentPuts() {
        return recentPuts.count();
    }

    boolean hasEnded() {
        return ended;
    }

    /** Where to look up the recent puts with idempotency keys of partitions that are taken over. */
    KeyedPuts keyedPuts(Collection<TopicPartition> of) {
        KeyedPuts ahead = readAhead;
        if (ahead != null && ahead.covers(of)) {
            return ahead;
        }
        long sinceMs = wallClock.millis() - config.recentPuts().maxAge().toMillis();
        return journal.archive().keyedPutsSince(sinceMs, Set.copyOf(of));
    }

    /** Keeps what was read before partitions came, for when they come; null when they have come. */
    void keep(@Nullable KeyedPuts ahead) {
        readAhead = ahead;
    }

    /** Serves a partition that was taken over. */
    void serve(TopicMetadata topic, TakeOver.Taken taken) {
        RecentPuts ofPartition = new RecentPuts(config.recentPuts(), recentPuts);
        for (KeyedPut put : taken.history().keyedPuts()) {
            ofPartition.restore(put, journal.config().durability());
        }
        OwnershipRecord record = taken.record().ownership();
        PartitionLog partitionLog = journal.open(taken.partition(), record.epoch(), topic.retention(), taken.history());
        partitionLog.trimTo(record.trimmedTo());
        records.put(taken.partition(), taken.record());
        partitions.put(taken.partition(), new HostedPartition(partitionLog, ofPartition));
    }

    /** Records that messages below {@code offset} are deleted, then deletes them. Blocks. */
    void trim(HostedPartition hosted, long offset) throws StaleOwnershipException {
        TopicPartition partition = hosted.partition();
        Versioned record = records.get(partition);
        if (record == null || offset <= record.ownership().trimmedTo()) {
            return;
        }
        OwnershipRecord before = record.ownership();
        write(
                partition,
                record,
                new OwnershipRecord(
                        before.owner(),
                        before.incarnation(),
                        before.epoch(),
                        before.journals(),
                        offset,
                        before.released()));
        hosted.log().trimTo(offset);
    }

    private void write(TopicPartition partition, Versioned record, OwnershipRecord changed)
            throws StaleOwnershipException {
        List<Integer> versions = ownership.write(List.of(new Change(partition, record.version(), changed)));
        records.put(partition, new Versioned(changed, versions.get(0)));
    }

    /**
     * Stops taking puts for partitions; completes when what was taken is decided and in files that others can read. Until
     * {@link #recordReleased} they can still be read here.
     */
    CompletableFuture<Void> settle(Collection<HostedPartition> going) {
        return journal.release(going.stream().map(HostedPartition::log).toList());
    }

    /** Records that partitions that are settled are released, so that the next owner has nothing to fence. Blocks. */
    void recordReleased(Collection<HostedPartition> going) throws StaleOwnershipException {
        List<Change> changes = new ArrayList<>();
        for (HostedPartition hosted : going) {
            Versioned record = records.get(hosted.partition());
            if (record != null) {
                changes.add(released(hosted.partition(), record));
            }
        }
        ownership.write(changes);
        drop(going);
        journal.forget(going.stream().map(HostedPartition::log).toList());
    }

    private static Change released(TopicPartition partition, Versioned record) {
        OwnershipRecord before = record.ownership();
        return new Change(
                partition,
                record.version(),
                new OwnershipRecord(
                        before.owner(),
                        before.incarnation(),
                        before.epoch(),
                        before.journals(),
                        before.trimmedTo(),
                        true));
    }

    private void drop(Collection<HostedPartition> going) {
        for (HostedPartition hosted : going) {
            if (partitions.remove(hosted.partition(), hosted)) {
                records.remove(hosted.partition());
                hosted.recentPuts().clear();
            }
        }
    }

    /** Stops serving partitions whose topic is deleted, or that another host has taken. */
    void abandon(Collection<HostedPartition> going) {
        drop(going);
        going.forEach(hosted -> journal.close(hosted.log()));
    }

    /** Stops serving, commits what was taken and seals the journal. */
    void end() throws InterruptedException {
        ended = true;
        partitions.values().forEach(hosted -> journal.close(hosted.log()));
        partitions.clear();
        journal.close();
        log.info("Incarnation {} has ended", journal.id());
    }
}
