package io.talosgateway.rest.consumergroup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.talosgateway.rest.partition.GroupEntry;
import org.jspecify.annotations.Nullable;

/**
 * What a group is on one topic. Times are of one monotonic clock. Not for several threads.
 *
 * <p>A worker lives until its lease ends. One that does not is treated as if it had left, also before that is recorded. Each partition
 * that a worker holds has a lease of its own: a worker that lives may not know that it holds it, because an answer was lost.
 */
final class Subscription {

    /** Registered workers, and when their leases end. */
    private final Map<String, Long> leaseEndNanos = new TreeMap<>();

    private final Map<Integer, Hold> holds = new TreeMap<>();
    private final Map<Integer, Long> committed = new TreeMap<>();

    /** A partition is the worker's until then. */
    private record Hold(String worker, long endNanos) {}

    boolean isRegistered(String worker) {
        return leaseEndNanos.containsKey(worker);
    }

    boolean lives(String worker, long nowNanos) {
        Long end = leaseEndNanos.get(worker);
        return end != null && end - nowNanos > 0;
    }

    /** In order. */
    List<String> liveWorkers(long nowNanos) {
        return leaseEndNanos.keySet().stream()
                .filter(worker -> lives(worker, nowNanos))
                .toList();
    }

    /** The live worker that holds a partition, or null. */
    @Nullable
    String holder(int partition, long nowNanos) {
        Hold hold = holds.get(partition);
        return hold != null && hold.endNanos - nowNanos > 0 && lives(hold.worker, nowNanos) ? hold.worker : null;
    }

    /** Offset of the last message that was processed, or {@link GroupEntry#NOTHING_COMMITTED}. */
    long committed(int partition) {
        return committed.getOrDefault(partition, GroupEntry.NOTHING_COMMITTED);
    }

    boolean hasCommitted(int partition) {
        return committed.containsKey(partition);
    }

    /** Registered workers whose leases have ended, and partitions that workers who live hold no longer. */
    List<Change> expired(long nowNanos) {
        List<Change> changes = new ArrayList<>();
        for (String worker : leaseEndNanos.keySet()) {
            if (!lives(worker, nowNanos)) {
                changes.add(new Change.Left(worker));
            }
        }
        holds.forEach((partition, hold) -> {
            if (lives(hold.worker, nowNanos) && hold.endNanos - nowNanos <= 0) {
                changes.add(new Change.Released(partition));
            }
        });
        return changes;
    }

    /** Has a registered worker live until then. */
    void renew(String worker, long endNanos) {
        leaseEndNanos.replace(worker, endNanos);
    }

    /** Has the worker that holds a partition hold it until then. */
    void renewHold(int partition, long endNanos) {
        holds.computeIfPresent(partition, (same, hold) -> new Hold(hold.worker, endNanos));
    }

    /** Has a worker hold until then what it holds now. */
    void renewHolds(String worker, long nowNanos, long endNanos) {
        holds.keySet().stream()
                .filter(partition -> worker.equals(holder(partition, nowNanos)))
                .forEach(partition -> renewHold(partition, endNanos));
    }

    /** @param leaseNanos when the lease of a worker that joins, or of a partition that is claimed, ends */
    void apply(Change change, long leaseNanos) {
        if (change instanceof Change.Joined joined) {
            leaseEndNanos.put(joined.worker(), leaseNanos);
        } else if (change instanceof Change.Left left) {
            leaseEndNanos.remove(left.worker());
            holds.values().removeIf(hold -> hold.worker.equals(left.worker()));
        } else if (change instanceof Change.Claimed claimed) {
            holds.put(claimed.partition(), new Hold(claimed.worker(), leaseNanos));
        } else if (change instanceof Change.Released released) {
            holds.remove(released.partition());
        } else if (change instanceof Change.Committed commit) {
            committed.put(commit.partition(), commit.offset());
        } else {
            leaseEndNanos.clear();
            holds.clear();
            committed.clear();
        }
    }

    /** What it is made of: workers, partitions held and offsets. */
    int size() {
        return leaseEndNanos.size() + holds.size() + committed.size();
    }

    /** What its size would be. */
    int sizeAfter(List<Change> changes) {
        Subscription after = new Subscription();
        after.leaseEndNanos.putAll(leaseEndNanos);
        after.holds.putAll(holds);
        after.committed.putAll(committed);
        changes.forEach(change -> after.apply(change, 0));
        return after.size();
    }

    /** The changes that make it of nothing. */
    List<Change> asChanges() {
        List<Change> changes = new ArrayList<>();
        leaseEndNanos.keySet().forEach(worker -> changes.add(new Change.Joined(worker)));
        holds.forEach((partition, hold) -> changes.add(new Change.Claimed(partition, hold.worker)));
        committed.forEach((partition, offset) -> changes.add(new Change.Committed(partition, offset)));
        return changes;
    }

    /** Partitions that are held by a live worker, or of which something is committed. */
    Set<Integer> partitions(long nowNanos) {
        Set<Integer> partitions = new TreeSet<>(committed.keySet());
        holds.keySet().stream()
                .filter(partition -> holder(partition, nowNanos) != null)
                .forEach(partitions::add);
        return partitions;
    }

    /** Live workers that hold no partition. */
    List<String> idleWorkers(long nowNanos) {
        Set<String> busy = holds.keySet().stream()
                .map(partition -> holder(partition, nowNanos))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        return liveWorkers(nowNanos).stream()
                .filter(worker -> !busy.contains(worker))
                .toList();
    }
}
