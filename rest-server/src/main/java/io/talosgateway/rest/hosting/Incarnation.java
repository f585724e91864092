package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import com.google.common.collect.Lists;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.ReadLease;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.log.Journal;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.journal.log.PartitionLog.Start;
import io.talosgateway.rest.journal.recovery.KeyedPuts;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One incarnation of this host: its journal, and the partitions it serves. Looked up by any thread; a partition is changed
 * by one thread at a time, which {@link HostedPartitions} sees to.
 */
final class Incarnation {

    private static final Logger log = LoggerFactory.getLogger(Incarnation.class);
    private static final int CHANGE_ATTEMPTS = 3;
    /** Partitions whose starts are raised together: one that fails does not keep the others. */
    private static final int EXPIRED_AT_ONCE = 100;

    private final HostingConfig config;
    private final OwnershipRecords ownership;
    private final Journal journal;
    private final RetentionClock wallClock;
    private final ReadLease lease;
    private final Predicate<TopicPartition> placedHere;
    private final RecentPutsTable recentPuts;
    private final Map<TopicPartition, HostedPartition> partitions = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Versioned> records = new ConcurrentHashMap<>();
    private volatile @Nullable KeyedPuts readAhead;
    private volatile boolean ended;

    Incarnation(
            HostingConfig config,
            OwnershipRecords ownership,
            Journal journal,
            RetentionClock wallClock,
            NanoClock clock,
            ReadLease lease,
            Predicate<TopicPartition> placedHere) {
        this.placedHere = placedHere;
        this.config = config;
        this.ownership = ownership;
        this.journal = journal;
        this.wallClock = wallClock;
        this.lease = lease;
        this.recentPuts = new RecentPutsTable(config.recentPuts(), clock);
    }

    Journal journal() {
        return journal;
    }

    ReadLease lease() {
        return lease;
    }

    @Nullable
    HostedPartition find(TopicPartition partition) {
        return partitions.get(partition);
    }

    /** A view, which changes. */
    Map<TopicPartition, HostedPartition> all() {
        return Collections.unmodifiableMap(partitions);
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
        // By other hosts' clocks; those of them that are too old in truth are recognised a while longer.
        long sinceMs = wallClock.millis()
                - config.recentPuts().maxAge().plus(Upkeep.CLOCK_SLACK).toMillis();
        return journal.archive().keyedPuts(sinceMs, config.recentPuts().maxPerPartition(), Set.copyOf(of));
    }

    /** Keeps what was read before partitions came, for when they come; null when they have come. */
    void keep(@Nullable KeyedPuts ahead) {
        readAhead = ahead;
    }

    /** Serves a partition that was taken over. */
    void serve(TopicMetadata topic, TakeOver.Taken taken) {
        RecentPuts ofPartition = new RecentPuts(recentPuts);
        for (KeyedPut put : taken.history().keyedPuts()) {
            ofPartition.restore(put, journal.config().durability());
        }
        OwnershipRecord record = taken.record().ownership();
        PartitionLog partitionLog = journal.open(taken.partition(), record.epoch(), topic.retention(), taken.history());
        records.put(taken.partition(), taken.record());
        partitions.put(
                taken.partition(),
                new HostedPartition(
                        partitionLog,
                        ofPartition,
                        record.fencingToken(),
                        lease,
                        () -> placedHere.test(taken.partition())));
    }

    /** Records that messages below {@code offset} are deleted, then deletes them. Blocks. */
    void trim(HostedPartition hosted, long offset) throws StaleOwnershipException {
        requireServed(hosted);
        raiseStarts(Map.of(hosted, hosted.log().startAt(offset)));
    }

    /**
     * Records the start offsets that partitions have without their expired files, then forgets the files. Partitions for which that
     * fails keep theirs until the next time. Blocks.
     */
    void expire(Function<TopicId, @Nullable Duration> retentionOf, long nowMs) {
        for (List<HostedPartition> part : Lists.partition(List.copyOf(partitions.values()), EXPIRED_AT_ONCE)) {
            Map<HostedPartition, Start> starts = new LinkedHashMap<>();
            for (HostedPartition hosted : part) {
                Duration retention = retentionOf.apply(hosted.partition().topic());
                Start start =
                        retention == null ? null : hosted.log().startWithoutFilesBefore(nowMs - retention.toMillis());
                if (start != null) {
                    starts.put(hosted, start);
                }
            }
            try {
                raiseStarts(starts);
            } catch (StaleOwnershipException | GatewayException e) {
                log.warn(
                        "Expired messages of {} partitions stay until the next upkeep: {}",
                        starts.size(),
                        e.toString());
            }
        }
    }

    /** Records the fencing token of a partition. Blocks. */
    void recordFencingToken(HostedPartition hosted, String token) throws StaleOwnershipException {
        requireServed(hosted);
        change(Map.of(hosted.partition(), record -> record.withFencingToken(token)));
        hosted.fencingToken().changed(token);
    }

    /** The partition may have been released, or taken over again, since it was looked up. */
    private void requireServed(HostedPartition hosted) {
        if (partitions.get(hosted.partition()) != hosted) {
            throw new GatewayException(
                    ErrorCode.PARTITION_MOVING, "This host has stopped serving the partition; try again shortly.");
        }
    }

    private void raiseStarts(Map<HostedPartition, Start> starts) throws StaleOwnershipException {
        Map<TopicPartition, UnaryOperator<OwnershipRecord>> changes = new HashMap<>();
        starts.forEach((hosted, start) ->
                changes.put(hosted.partition(), record -> record.withStart(start.offset(), start.bytesBelow())));
        change(changes);
        starts.forEach((hosted, start) -> hosted.log().trimTo(start.offset()));
    }

    /** The record of a partition that this incarnation owns, as it wrote it; else null. */
    @Nullable
    OwnershipRecord record(TopicPartition partition) {
        Versioned record = records.get(partition);
        return record == null ? null : record.ownership();
    }

    /**
     * Changes records of partitions that this incarnation owns. A record that has another version is read again: an answer of
     * ZooKeeper may have been lost.
     *
     * @throws StaleOwnershipException if a partition has another owner
     */
    private synchronized void change(Map<TopicPartition, UnaryOperator<OwnershipRecord>> wanted)
            throws StaleOwnershipException {
        for (int attempt = 1; ; attempt++) {
            List<Change> changes = new ArrayList<>();
            wanted.forEach((partition, change) -> {
                Versioned record = records.get(partition);
                if (record != null) {
                    OwnershipRecord changed = change.apply(record.ownership());
                    if (!changed.equals(record.ownership())) {
                        changes.add(new Change(partition, record.version(), changed));
                    }
                }
            });
            try {
                List<Integer> versions = changes.isEmpty() ? List.of() : ownership.write(changes);
                for (int index = 0; index < changes.size(); index++) {
                    Change change = changes.get(index);
                    records.replace(change.partition(), new Versioned(change.ownership(), versions.get(index)));
                }
                return;
            } catch (StaleOwnershipException e) {
                if (attempt == CHANGE_ATTEMPTS || !readAgain(changes)) {
                    throw e;
                }
            }
        }
    }

    /** False if a partition has another owner. */
    private boolean readAgain(List<Change> changes) {
        Map<TopicPartition, Versioned> now =
                ownership.read(changes.stream().map(Change::partition).toList());
        for (Change change : changes) {
            Versioned record = now.get(change.partition());
            if (record == null || !record.ownership().hasSameOwner(change.ownership())) {
                return false;
            }
            records.replace(change.partition(), record);
        }
        return true;
    }

    /**
     * Stops taking puts for partitions, and telling where they end: the next owner may acknowledge puts as soon as the record
     * says that they are released, and a host that asks in vain for a release may fence this one. Completes when what was
     * taken is decided and in files that others can read. Until {@link #recordReleased} messages can still be read here.
     */
    CompletableFuture<Void> settle(Collection<HostedPartition> going) {
        going.forEach(HostedPartition::closeEnd);
        return journal.release(going.stream().map(HostedPartition::log).toList());
    }

    /**
     * Records that partitions that are settled are released, so that the next owner has nothing to fence. Blocks.
     *
     * @throws StaleOwnershipException if some have another owner, or none because their topic is deleted: those are abandoned, and the
     *     others are still to be released
     */
    void recordReleased(Collection<HostedPartition> going) throws StaleOwnershipException {
        Map<TopicPartition, UnaryOperator<OwnershipRecord>> changes = new HashMap<>();
        for (HostedPartition hosted : going) {
            PartitionLog ended = hosted.log();
            changes.put(hosted.partition(), record -> record.releasedAt(ended.durableOffset(), ended.totalBytes()));
        }
        try {
            change(changes);
        } catch (StaleOwnershipException e) {
            abandonLost(going);
            throw e;
        }
        drop(going);
        journal.forget(going.stream().map(HostedPartition::log).toList());
    }

    private void abandonLost(Collection<HostedPartition> going) {
        Map<TopicPartition, Versioned> now =
                ownership.read(going.stream().map(HostedPartition::partition).toList());
        abandon(going.stream()
                .filter(hosted -> {
                    OwnershipRecord ours = record(hosted.partition());
                    Versioned newest = now.get(hosted.partition());
                    return ours != null
                            && (newest == null || !newest.ownership().hasSameOwner(ours));
                })
                .toList());
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
        going.forEach(HostedPartition::closeEnd);
        drop(going);
        going.forEach(hosted -> journal.close(hosted.log()));
    }

    /** Stops serving, commits what was taken and seals the journal. */
    void end() throws InterruptedException {
        ended = true;
        partitions.values().forEach(HostedPartition::closeEnd);
        partitions.values().forEach(hosted -> journal.close(hosted.log()));
        partitions.clear();
        journal.close();
        log.info("Incarnation {} has ended", journal.id());
    }
}
