package io.talosgateway.rest.consumergroup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.talosgateway.rest.partition.GroupEntry;
import org.jspecify.annotations.Nullable;

/**
 * What a group is on one topic. Times are of one monotonic clock. Not for several threads.
 *
 * <p>A worker lives until its lease ends. One that does not is treated as if it had left, also before that is recorded.
 */
final class Subscription {

    /** Registered workers, and when their leases end. */
    private final Map<String, Long> leaseEndNanos = new TreeMap<>();

    private final Map<Integer, String> holders = new TreeMap<>();
    private final Map<Integer, Long> committed = new TreeMap<>();

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
        String holder = holders.get(partition);
        return holder != null && lives(holder, nowNanos) ? holder : null;
    }

    /** Offset of the last message that was processed, or {@link GroupEntry#NOTHING_COMMITTED}. */
    long committed(int partition) {
        return committed.getOrDefault(partition, GroupEntry.NOTHING_COMMITTED);
    }

    boolean hasCommitted(int partition) {
        return committed.containsKey(partition);
    }

    /** Registered workers whose leases have ended. */
    List<Change> expired(long nowNanos) {
        List<Change> changes = new ArrayList<>();
        for (String worker : leaseEndNanos.keySet()) {
            if (!lives(worker, nowNanos)) {
                changes.add(new Change.Left(worker));
            }
        }
        return changes;
    }

    /** Has a registered worker live until then. */
    void renew(String worker, long endNanos) {
        leaseEndNanos.replace(worker, endNanos);
    }

    /** @param leaseNanos when the lease of a worker that joins ends */
    void apply(Change change, long leaseNanos) {
        if (change instanceof Change.Joined joined) {
            leaseEndNanos.put(joined.worker(), leaseNanos);
        } else if (change instanceof Change.Left left) {
            leaseEndNanos.remove(left.worker());
            holders.values().removeIf(left.worker()::equals);
        } else if (change instanceof Change.Claimed claimed) {
            holders.put(claimed.partition(), claimed.worker());
        } else if (change instanceof Change.Released released) {
            holders.remove(released.partition());
        } else if (change instanceof Change.Committed commit) {
            committed.put(commit.partition(), commit.offset());
        } else {
            leaseEndNanos.clear();
            holders.clear();
            committed.clear();
        }
    }

    /** What it is made of: workers, holders and offsets. */
    int size() {
        return leaseEndNanos.size() + holders.size() + committed.size();
    }

    /** The changes that make it of nothing. */
    List<Change> asChanges() {
        List<Change> changes = new ArrayList<>();
        leaseEndNanos.keySet().forEach(worker -> changes.add(new Change.Joined(worker)));
        holders.forEach((partition, worker) -> changes.add(new Change.Claimed(partition, worker)));
        committed.forEach((partition, offset) -> changes.add(new Change.Committed(partition, offset)));
        return changes;
    }

    /** Partitions that are held by a live worker, or of which something is committed. */
    Set<Integer> partitions(long nowNanos) {
        Set<Integer> partitions = new TreeSet<>(committed.keySet());
        holders.keySet().stream()
                .filter(partition -> holder(partition, nowNanos) != null)
                .forEach(partitions::add);
        return partitions;
    }

    /** Live workers that hold no partition. */
    List<String> idleWorkers(long nowNanos) {
        return liveWorkers(nowNanos).stream()
                .filter(worker -> !holders.containsValue(worker))
                .toList();
    }
}
