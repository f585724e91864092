package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.log.Journal;
import io.talosgateway.rest.journal.recovery.FileRetention;
import io.talosgateway.rest.journal.recovery.RecordedPartition;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what is not needed any more. What is known of the topics may be old, or not complete; nothing is deleted because of
 * that. Blocks.
 */
final class Upkeep {

    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);

    /** Clocks of hosts differ by minutes. */
    static final Duration CLOCK_SLACK = Duration.ofMinutes(15);

    private static final Duration FOR_EVER = Duration.ofDays(100_000);

    private final ClusterPorts cluster;
    private final RetentionClock clock;
    private final ChangeMarks marks;
    private volatile boolean recordsLeft;
    /** Partitions whose records could not be read the last time they were asked for. */
    private final Set<TopicPartition> unreadable = ConcurrentHashMap.newKeySet();

    Upkeep(ClusterPorts cluster, RetentionClock clock, ChangeMarks marks) {
        this.cluster = cluster;
        this.clock = clock;
        this.marks = marks;
    }

    /** A crash may have come between the deletion of a topic and that of its records. What cannot be deleted now is later. */
    void deleteRecordsOfDeletedTopics() {
        recordsLeft = true;
        try {
            deleteRecordsLeft();
        } catch (GatewayException e) {
            log.warn("The records of deleted topics stay until the next upkeep: {}", e.getMessage());
        }
    }

    private void deleteRecordsLeft() {
        if (!recordsLeft || isAnyTopicUnreadable()) {
            return;
        }
        List<TopicId> recorded = cluster.ownership().topics();
        if (recorded.stream().anyMatch(id -> cluster.topics().find(id) == null)) {
            // After the records: a topic is there before its records are.
            Set<TopicId> topics = topicsNow();
            recorded.stream().filter(id -> !topics.contains(id)).forEach(cluster.ownership()::delete);
        }
        recordsLeft = false;
    }

    /**
     * Lets messages go that are out of their topic's retention: first the records of this host's partitions say so, then files
     * are deleted in which, by all records, nothing is left. Nothing goes while a topic cannot be read.
     */
    void expire(Incarnation incarnation) {
        if (isAnyTopicUnreadable()) {
            return;
        }
        deleteRecordsLeft();
        Retention retention = new Retention();
        long nowMs = clock.millis();
        incarnation.journal().rollOld();
        incarnation.expire(retention, nowMs);
        incarnation
                .journal()
                .deleteExpired(
                        journalsToLookAfter(incarnation.journal()),
                        journal -> takeOver(incarnation, journal),
                        retention,
                        nowMs,
                        new FileRetention(id -> retention.apply(id) == null, named -> records(incarnation, named)));
    }

    private boolean takeOver(Incarnation incarnation, JournalId journal) throws IOException {
        if (!cluster.hosts().isGone(journal.host(), journal.incarnation())) {
            return false;
        }
        TakeOver.recover(cluster.claims(), incarnation.journal().archive(), journal, done -> {});
        return true;
    }

    /** Those of this host, and of some that are gone: each is looked after by one of the hosts that are alive. */
    private List<JournalId> journalsToLookAfter(Journal journal) {
        String self = journal.id().host();
        List<String> alive = cluster.hosts().alive().keySet().stream().sorted().toList();
        try {
            return journal.storedJournals(host -> host.equals(self)
                    || (!alive.isEmpty()
                            && !alive.contains(host)
                            && alive.get(Math.floorMod(host.hashCode(), alive.size()))
                                    .equals(self)));
        } catch (IOException e) {
            log.warn("Earlier journals are looked through with the next upkeep: {}", e.toString());
            return List.of();
        }
    }

    private Map<TopicPartition, RecordedPartition> records(Incarnation incarnation, Set<TopicPartition> of) {
        Map<TopicPartition, RecordedPartition> recorded = new HashMap<>();
        Set<TopicPartition> ofOthers = new HashSet<>();
        for (TopicPartition partition : of) {
            OwnershipRecord own = incarnation.record(partition);
            if (own == null) {
                ofOthers.add(partition);
            } else {
                recorded.put(partition, OwnedSpans.recorded(partition, own));
            }
        }
        if (!ofOthers.isEmpty()) {
            Map<TopicPartition, String> wrong = new HashMap<>();
            cluster.ownership()
                    .read(ofOthers, wrong::put)
                    .forEach((partition, record) ->
                            recorded.put(partition, OwnedSpans.recorded(partition, record.ownership())));
            unreadable.removeAll(recorded.keySet());
            reportUnreadable(wrong);
            marks.confirm();
        }
        return recorded;
    }

    /** Once for each partition, until its record can be read: every pass asks for it again. */
    private void reportUnreadable(Map<TopicPartition, String> wrong) {
        wrong.forEach((partition, reason) -> {
            if (unreadable.add(partition)) {
                log.warn(
                        "The ownership record of partition {} cannot be read: {}. Journal files that hold messages of this "
                                + "partition are kept, whatever its retention. Restore the record from a copy of ZooKeeper, "
                                + "or upgrade this gateway if a newer release wrote the record. Do not delete the record: "
                                + "offsets of the partition would be given out again.",
                        partition,
                        reason);
            }
        });
    }

    /** A ZooKeeper that was set back may not know topics that were created since. */
    private Set<TopicId> topicsNow() {
        Set<TopicId> ids = cluster.topics().idsNow();
        marks.confirm();
        return ids;
    }

    /** It may be a topic that is not known here, or known as it was. */
    private boolean isAnyTopicUnreadable() {
        return !cluster.topics().unreadable().isEmpty();
    }

    /** Null for a topic that is deleted for sure. */
    private final class Retention implements Function<TopicId, @Nullable Duration> {

        private @Nullable Set<TopicId> now;

        @Override
        public @Nullable Duration apply(TopicId id) {
            TopicMetadata topic = cluster.topics().find(id);
            if (topic != null) {
                return topic.retention();
            }
            Set<TopicId> ids = now;
            if (ids == null) {
                ids = topicsNow();
                now = ids;
            }
            return ids.contains(id) ? FOR_EVER : null;
        }
    }
}
