package io.talosgateway.rest.consumergroup;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.statelog.Decider.Decision;
import io.talosgateway.rest.statelog.LogState;
import io.talosgateway.rest.topic.TopicId;

/**
 * The groups of one partition of the topic for consumer groups: decides what a request changes, and makes changes. Knows no
 * storage and no clock: a time is a parameter, of one monotonic clock. Not for several threads.
 *
 * <p>A decision changes nothing but leases, which are not recorded. So what was decided can be recorded before it is made, and
 * whoever makes the recorded changes again has the same state; but every registered worker has a whole lease then.
 */
final class GroupState implements LogState<GroupRecord> {

    private static final Subscription NOTHING = new Subscription();

    private final long leaseNanos;
    private final int maxSize;
    private final Map<String, Map<TopicId, Subscription>> groups = new TreeMap<>();
    private int size;

    /**
     * @param leaseNanos how long a worker lives that does not ask for anything, and holds a partition that it does not claim again
     * @param maxSize most workers, partitions held and offsets, of all groups together
     */
    GroupState(long leaseNanos, int maxSize) {
        this.leaseNanos = leaseNanos;
        this.maxSize = maxSize;
    }

    /**
     * Decides about a request.
     *
     * @throws GatewayException {@code CONSUMER_GROUP_LIMIT_REACHED} if there are too many groups for it
     */
    Decision<GroupRecord, GroupAnswer> decide(GroupRequest request, long nowNanos) {
        return switch (request.operation()) {
            case CLAIM -> claim(request, nowNanos);
            case HEARTBEAT -> heartbeat(request, nowNanos);
            case RELEASE -> release(request, nowNanos);
            case COMMIT -> commit(request, nowNanos);
            case DELETE -> delete(request, nowNanos);
            case BALANCE -> balance(request, nowNanos);
            case LEAVE -> leave(request, nowNanos);
            case RESET -> reset(request, nowNanos);
            case FIND -> read(find(request, nowNanos));
            case WORKERS -> read(workers(request, nowNanos));
            case LIST -> read(list(request, nowNanos));
        };
    }

    private static Decision<GroupRecord, GroupAnswer> read(List<GroupEntry> entries) {
        return new Decision<>(new GroupAnswer(true, entries), List.of());
    }

    private Decision<GroupRecord, GroupAnswer> claim(GroupRequest request, long nowNanos) {
        String worker = request.worker();
        List<GroupEntry> refused = new ArrayList<>();
        List<GroupRecord> records = new ArrayList<>();
        request.partitions().forEach((topic, partitions) -> {
            Subscription on = subscription(request.group(), topic);
            List<Change> changes = renewed(on, worker, nowNanos);
            for (int partition : partitions) {
                String holder = on.holder(partition, nowNanos);
                if (holder == null) {
                    changes.add(new Change.Claimed(partition, worker));
                } else if (holder.equals(worker)) {
                    on.renewHold(partition, nowNanos + leaseNanos);
                } else {
                    refused.add(new GroupEntry(request.group(), topic, partition, holder, on.committed(partition)));
                }
            }
            add(records, request.group(), topic, changes);
        });
        requireRoom(records);
        return new Decision<>(new GroupAnswer(true, refused), records);
    }

    private Decision<GroupRecord, GroupAnswer> heartbeat(GroupRequest request, long nowNanos) {
        List<GroupRecord> records = new ArrayList<>();
        for (TopicId topic : request.partitions().keySet()) {
            Subscription on = subscription(request.group(), topic);
            List<Change> changes = renewed(on, request.worker(), nowNanos);
            on.renewHolds(request.worker(), nowNanos, nowNanos + leaseNanos);
            add(records, request.group(), topic, changes);
        }
        requireRoom(records);
        return new Decision<>(new GroupAnswer(true, List.of()), records);
    }

    /** What has changed before a worker is asked about that lives: others may not, and it may be new. */
    private List<Change> renewed(Subscription on, String worker, long nowNanos) {
        List<Change> changes = on.expired(nowNanos);
        if (on.lives(worker, nowNanos)) {
            on.renew(worker, nowNanos + leaseNanos);
        } else {
            changes.add(new Change.Joined(worker));
        }
        return changes;
    }

    private Decision<GroupRecord, GroupAnswer> balance(GroupRequest request, long nowNanos) {
        String worker = request.worker();
        List<GroupEntry> held = new ArrayList<>();
        List<GroupRecord> records = new ArrayList<>();
        request.partitions().forEach((topic, partitions) -> {
            Subscription on = subscription(request.group(), topic);
            List<Change> changes = renewed(on, worker, nowNanos);
            int share = share(on, worker, partitions.size(), nowNanos);
            int mine = 0;
            // First what it holds, which need not be asked for again by another worker.
            for (int partition : partitions) {
                if (worker.equals(on.holder(partition, nowNanos))) {
                    mine++;
                    if (mine <= share) {
                        on.renewHold(partition, nowNanos + leaseNanos);
                        held.add(entry(request.group(), topic, partition, worker, on));
                    } else {
                        changes.add(new Change.Released(partition));
                    }
                }
            }
            for (int partition : partitions) {
                if (mine < share && on.holder(partition, nowNanos) == null) {
                    mine++;
                    changes.add(new Change.Claimed(partition, worker));
                    held.add(entry(request.group(), topic, partition, worker, on));
                }
            }
            add(records, request.group(), topic, changes);
        });
        requireRoom(records);
        return new Decision<>(new GroupAnswer(true, held), records);
    }

    /** How many of so many partitions a worker has, among those that live: all have as many, or one more. */
    private static int share(Subscription on, String worker, int partitions, long nowNanos) {
        Set<String> workers = new TreeSet<>(on.liveWorkers(nowNanos));
        workers.add(worker);
        int before =
                (int) workers.stream().takeWhile(other -> !other.equals(worker)).count();
        return partitions / workers.size() + (before < partitions % workers.size() ? 1 : 0);
    }

    private static GroupEntry entry(String group, TopicId topic, int partition, String worker, Subscription on) {
        return new GroupEntry(group, topic, partition, worker, on.committed(partition));
    }

    private Decision<GroupRecord, GroupAnswer> leave(GroupRequest request, long nowNanos) {
        List<GroupRecord> records = new ArrayList<>();
        for (TopicId topic : request.partitions().keySet()) {
            Subscription on = subscription(request.group(), topic);
            List<Change> changes = on.expired(nowNanos);
            if (on.lives(request.worker(), nowNanos)) {
                changes.add(new Change.Left(request.worker()));
            }
            add(records, request.group(), topic, changes);
        }
        return new Decision<>(new GroupAnswer(true, List.of()), records);
    }

    private Decision<GroupRecord, GroupAnswer> reset(GroupRequest request, long nowNanos) {
        List<GroupEntry> working = workers(request, nowNanos);
        if (!working.isEmpty()) {
            return new Decision<>(new GroupAnswer(false, working), List.of());
        }
        List<GroupRecord> records = new ArrayList<>();
        request.partitions().forEach((topic, partitions) -> {
            Subscription on = subscription(request.group(), topic);
            List<Change> changes = on.expired(nowNanos);
            for (int partition : partitions) {
                if (on.committed(partition) != request.offset()) {
                    changes.add(new Change.Committed(partition, request.offset()));
                }
            }
            add(records, request.group(), topic, changes);
        });
        requireRoom(records);
        return new Decision<>(new GroupAnswer(true, List.of()), records);
    }

    private Decision<GroupRecord, GroupAnswer> release(GroupRequest request, long nowNanos) {
        List<GroupRecord> records = new ArrayList<>();
        request.partitions().forEach((topic, partitions) -> {
            Subscription on = subscription(request.group(), topic);
            List<Change> changes = on.expired(nowNanos);
            for (int partition : partitions) {
                if (request.worker().equals(on.holder(partition, nowNanos))) {
                    changes.add(new Change.Released(partition));
                }
            }
            add(records, request.group(), topic, changes);
        });
        return new Decision<>(new GroupAnswer(true, List.of()), records);
    }

    private Decision<GroupRecord, GroupAnswer> commit(GroupRequest request, long nowNanos) {
        List<GroupEntry> found = find(request, nowNanos);
        GroupEntry before = found.get(0);
        Long expected = request.expectedOffset();
        boolean accepted = !before.worker().isEmpty()
                && before.worker().equals(request.worker())
                && (expected == null || expected == before.offset());
        if (!accepted) {
            return new Decision<>(new GroupAnswer(false, found), List.of());
        }
        List<GroupRecord> records = new ArrayList<>();
        if (request.offset() != before.offset()) {
            Change change = new Change.Committed(before.partition(), request.offset());
            records.add(new GroupRecord(request.group(), before.topic(), List.of(change)));
        }
        requireRoom(records);
        return new Decision<>(new GroupAnswer(true, List.of()), records);
    }

    private Decision<GroupRecord, GroupAnswer> delete(GroupRequest request, long nowNanos) {
        List<GroupEntry> working = workers(request, nowNanos);
        if (!working.isEmpty()) {
            return new Decision<>(new GroupAnswer(false, working), List.of());
        }
        List<GroupRecord> records = new ArrayList<>();
        for (TopicId topic : request.partitions().keySet()) {
            if (subscription(request.group(), topic).size() > 0) {
                records.add(new GroupRecord(request.group(), topic, List.of(new Change.Forgotten())));
            }
        }
        return new Decision<>(new GroupAnswer(true, List.of()), records);
    }

    private List<GroupEntry> find(GroupRequest request, long nowNanos) {
        List<GroupEntry> entries = new ArrayList<>();
        request.partitions().forEach((topic, partitions) -> {
            Subscription on = subscription(request.group(), topic);
            partitions.forEach(partition -> entries.add(entry(request.group(), topic, on, partition, nowNanos)));
        });
        return entries;
    }

    private static GroupEntry entry(String group, TopicId topic, Subscription on, int partition, long nowNanos) {
        String holder = on.holder(partition, nowNanos);
        return new GroupEntry(group, topic, partition, holder == null ? "" : holder, on.committed(partition));
    }

    private List<GroupEntry> workers(GroupRequest request, long nowNanos) {
        List<GroupEntry> entries = new ArrayList<>();
        for (TopicId topic : request.partitions().keySet()) {
            entries(request.group(), topic, subscription(request.group(), topic), nowNanos).stream()
                    .filter(entry -> !entry.worker().isEmpty())
                    .forEach(entries::add);
        }
        return entries;
    }

    private List<GroupEntry> list(GroupRequest request, long nowNanos) {
        Set<TopicId> topics = request.partitions().keySet();
        List<GroupEntry> entries = new ArrayList<>();
        groups.forEach((group, ofGroup) -> {
            if (group.startsWith(request.group())) {
                ofGroup.forEach((topic, on) -> {
                    if (topics.isEmpty() || topics.contains(topic)) {
                        entries.addAll(entries(group, topic, on, nowNanos));
                    }
                });
            }
        });
        return entries;
    }

    private static List<GroupEntry> entries(String group, TopicId topic, Subscription on, long nowNanos) {
        List<GroupEntry> entries = new ArrayList<>();
        on.partitions(nowNanos).forEach(partition -> entries.add(entry(group, topic, on, partition, nowNanos)));
        on.idleWorkers(nowNanos)
                .forEach(worker -> entries.add(
                        new GroupEntry(group, topic, GroupEntry.NO_PARTITION, worker, GroupEntry.NOTHING_COMMITTED)));
        return entries;
    }

    private static void add(List<GroupRecord> records, String group, TopicId topic, List<Change> changes) {
        if (!changes.isEmpty()) {
            records.add(new GroupRecord(group, topic, changes));
        }
    }

    /** What is there may change and go: only what is new needs room. */
    private void requireRoom(List<GroupRecord> records) {
        int atMost =
                records.stream().mapToInt(record -> record.changes().size()).sum();
        if (size + atMost <= maxSize) {
            return;
        }
        int more = 0;
        for (GroupRecord record : records) {
            Subscription on = subscription(record.group(), record.topic());
            more += on.sizeAfter(record.changes()) - on.size();
        }
        if (more > 0 && size + more > maxSize) {
            throw new GatewayException(
                    ErrorCode.CONSUMER_GROUP_LIMIT_REACHED,
                    "There are too many consumer groups, workers and committed offsets beside those of this group; no more "
                            + "are allowed. Delete groups that are not needed.");
        }
    }

    private Subscription subscription(String group, TopicId topic) {
        return groups.getOrDefault(group, Map.of()).getOrDefault(topic, NOTHING);
    }

    // --- Changes ---

    /** Makes changes. Workers that join, and partitions that are claimed, have a lease from now on. */
    @Override
    public void apply(GroupRecord record, long nowNanos) {
        Map<TopicId, Subscription> ofGroup = groups.computeIfAbsent(record.group(), absent -> new HashMap<>());
        Subscription on = ofGroup.computeIfAbsent(record.topic(), absent -> new Subscription());
        size -= on.size();
        record.changes().forEach(change -> on.apply(change, nowNanos + leaseNanos));
        size += on.size();
        if (on.size() == 0) {
            ofGroup.remove(record.topic());
            if (ofGroup.isEmpty()) {
                groups.remove(record.group());
            }
        }
    }

    /** Workers, partitions held and offsets. */
    @Override
    public long size() {
        return size;
    }

    /** Groups, on however many topics. */
    int groupCount() {
        return groups.size();
    }

    /** The records that make this state of nothing. */
    @Override
    public List<GroupRecord> asRecords() {
        List<GroupRecord> records = new ArrayList<>();
        groups.forEach((group, ofGroup) ->
                ofGroup.forEach((topic, on) -> records.add(new GroupRecord(group, topic, on.asChanges()))));
        return records;
    }

    /** The topics of all groups. */
    @Override
    public Set<TopicId> topics() {
        Set<TopicId> topics = new HashSet<>();
        groups.values().forEach(ofGroup -> topics.addAll(ofGroup.keySet()));
        return topics;
    }

    /** The records that make it forget topics. */
    @Override
    public List<GroupRecord> forgetting(Set<TopicId> topics) {
        List<GroupRecord> records = new ArrayList<>();
        groups.forEach((group, ofGroup) -> ofGroup.keySet().stream()
                .filter(topics::contains)
                .sorted(Comparator.naturalOrder())
                .forEach(topic -> records.add(new GroupRecord(group, topic, List.of(new Change.Forgotten())))));
        return records;
    }
}
