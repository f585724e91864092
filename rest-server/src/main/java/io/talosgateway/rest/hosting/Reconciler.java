package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import com.google.common.collect.Lists;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.hosting.HostingPlan.Missing;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.placement.CurrentPlacement;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what this host serves what the placement gives it: releases what is surplus, takes over what is missing, and comes
 * back until nothing is. Its own state is of the thread for changes; storage and coordination are asked on others.
 */
final class Reconciler {

    private static final Logger log = LoggerFactory.getLogger(Reconciler.class);
    private static final long FIRST_RETRY_MS = 20;
    private static final long LAST_RETRY_MS = 250;
    /** A host that is alive and does not release what it should is fenced after this time. */
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    /** The storage may not let files be sealed. */
    private static final long SETTLE_SECONDS = 20;
    /** As many as there are threads for them. */
    private static final int MOST_SMALL_BATCHES = 4;
    /** Somebody has to restore files first. */
    private static final long REFUSED_RETRY_MS = 30_000;

    private final String host;
    private final ClusterPorts cluster;
    private final HostingThreads threads;
    private final NanoClock clock;
    private final CurrentPlacement placement;
    private final HostingMetrics metrics;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    // Of the thread for changes.
    /** Small batches that are being taken over, of earlier incarnations too. */
    private int smallOnTheWay;

    private final Set<TopicPartition> busy = new HashSet<>();
    private final Map<TopicPartition, Long> waitingSinceNanos = new HashMap<>();
    private long retryMs = FIRST_RETRY_MS;
    private @Nullable Incarnation incarnation;
    /** Why partitions are not taken over; for any thread. */
    private final Map<TopicPartition, String> refused = new ConcurrentHashMap<>();

    private volatile boolean settled;
    private volatile String progress = "";

    Reconciler(
            String host,
            ClusterPorts cluster,
            CurrentPlacement placement,
            HostingThreads threads,
            NanoClock clock,
            HostingMetrics metrics) {
        this.host = host;
        this.placement = placement;
        this.cluster = cluster;
        this.threads = threads;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Goes on with another incarnation, or with none. */
    void use(@Nullable Incarnation next) {
        incarnation = next;
        busy.clear();
        waitingSinceNanos.clear();
        refused.clear();
        settled = false;
    }

    /** Why a partition cannot be taken over, although it is free; null if nothing is wrong with it. Any thread. */
    @Nullable
    String refusal(TopicPartition partition) {
        return refused.get(partition);
    }

    /** Partitions that cannot be taken over. Any thread. */
    int refused() {
        return refused.size();
    }

    /** True if, when it last looked, this host served what it should, and nothing else. */
    boolean isSettled() {
        return settled;
    }

    /** What is being done, for whoever waits. */
    String progress() {
        return progress;
    }

    /** Something has changed. Any thread. */
    void wakeUp() {
        if (scheduled.compareAndSet(false, true)) {
            threads.change(() -> {
                scheduled.set(false);
                retryMs = FIRST_RETRY_MS;
                reconcile();
            });
        }
    }

    private void reconcile() {
        Incarnation current = incarnation;
        if (current == null || current.hasEnded()) {
            return;
        }
        HostingPlan plan =
                HostingPlan.of(host, placement.map(), cluster.topics().all(), current.all(), busy);
        settled = plan.isEmpty()
                && busy.isEmpty()
                && cluster.placement().current().placement().find(host).isPresent();
        forgetWaitsOfOthers(plan.missing());
        if (settled) {
            current.keep(null);
        }
        current.abandon(plan.deleted());
        release(current, plan.surplus());
        for (List<Missing> batch : Lists.partition(plan.missing(), HostedPartitions.TAKE_OVER_BATCH)) {
            // What comes meanwhile is taken over together: each topic that is created would be a batch of its own.
            boolean small = batch.size() < HostedPartitions.TAKE_OVER_BATCH;
            if (!small || smallOnTheWay < MOST_SMALL_BATCHES) {
                takeOver(current, batch, small ? 1 : 0);
            }
        }
        if (!plan.missing().isEmpty() || !busy.isEmpty()) {
            progress = "%d partitions served, %d to take over"
                    .formatted(current.size(), plan.missing().size() + busy.size());
        }
    }

    /** A partition that is not wanted here any more begins to wait anew when it is. */
    private void forgetWaitsOfOthers(List<Missing> missing) {
        if (!waitingSinceNanos.isEmpty()) {
            Set<TopicPartition> wanted = new HashSet<>(busy);
            missing.forEach(one -> wanted.add(one.partition()));
            waitingSinceNanos.keySet().retainAll(wanted);
        }
    }

    private void later() {
        threads.changeLater(this::reconcile, retryMs);
        retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
    }

    /** @param small how many small batches are taken over */
    private void done(Incarnation of, Collection<TopicPartition> partitions, boolean again, int small) {
        threads.change(() -> {
            smallOnTheWay -= small;
            if (incarnation == of) {
                Set<TopicPartition> now = new HashSet<>(partitions);
                now.removeIf(refused::containsKey);
                busy.removeAll(now);
                tryRefusedLater(of, partitions);
                if (again) {
                    later();
                } else {
                    reconcile();
                }
            } else {
                // Its own small batches may have waited for this one.
                reconcile();
            }
        });
    }

    private void tryRefusedLater(Incarnation of, Collection<TopicPartition> partitions) {
        List<TopicPartition> later =
                partitions.stream().filter(refused::containsKey).toList();
        if (!later.isEmpty()) {
            threads.changeLater(
                    () -> {
                        if (incarnation == of) {
                            // Whether they are still to be served here, and are refused again, is found out now.
                            refused.keySet().removeAll(later);
                            busy.removeAll(later);
                            reconcile();
                        }
                    },
                    REFUSED_RETRY_MS);
        }
    }

    // --- Releasing ---

    private void release(Incarnation current, List<HostedPartition> surplus) {
        if (surplus.isEmpty()) {
            return;
        }
        List<TopicPartition> partitions =
                surplus.stream().map(HostedPartition::partition).toList();
        busy.addAll(partitions);
        log.info("Releasing {} partitions", surplus.size());
        current.settle(surplus)
                .orTimeout(SETTLE_SECONDS, TimeUnit.SECONDS)
                .whenComplete((settledNow, failure) -> threads.takeTime(() -> {
                    boolean again = failure != null || !recordReleased(current, surplus);
                    if (failure != null) {
                        log.warn(
                                "Releasing {} partitions failed, trying again: {}", surplus.size(), failure.toString());
                    }
                    done(current, partitions, again, 0);
                }));
    }

    private boolean recordReleased(Incarnation current, List<HostedPartition> surplus) {
        try {
            current.recordReleased(surplus);
            metrics.released(surplus.size());
            return true;
        } catch (StaleOwnershipException e) {
            log.warn(
                    "Partitions were deleted, or taken by another host, before they were released; going on with the others: {}",
                    e.getMessage());
            return false;
        } catch (RuntimeException e) {
            log.warn("Recording that partitions are released failed, trying again: {}", e.toString());
            return false;
        }
    }

    // --- Taking over ---

    private void takeOver(Incarnation current, List<Missing> missing, int small) {
        List<TopicPartition> partitions =
                missing.stream().map(Missing::partition).toList();
        busy.addAll(partitions);
        smallOnTheWay += small;
        long nowNanos = clock.nanoTime();
        Set<TopicPartition> impatient = new HashSet<>();
        for (TopicPartition partition : partitions) {
            Long since = waitingSinceNanos.putIfAbsent(partition, nowNanos);
            if (since != null && nowNanos - since > PATIENCE_NANOS) {
                impatient.add(partition);
            }
        }
        threads.takeTime(() -> {
            boolean again = takeOverFree(current, missing, impatient);
            done(current, partitions, again, small);
        });
    }

    /** @return whether some are left */
    private boolean takeOverFree(Incarnation current, List<Missing> missing, Set<TopicPartition> impatient) {
        try {
            if (current.hasEnded()) {
                return false;
            }
            long beganNanos = clock.nanoTime();
            Map<String, HostInfo> alive = cluster.hosts().alive();
            Set<TopicPartition> unreadable = new HashSet<>();
            Map<TopicPartition, Versioned> records = new HashMap<>(cluster.ownership()
                    .read(missing.stream().map(Missing::partition).toList(), (partition, wrong) -> {
                        unreadable.add(partition);
                        refuse(
                                partition,
                                ("The ownership record of partition %s cannot be read: %s. Restore it from a copy of "
                                                + "ZooKeeper, or upgrade this gateway if a newer release wrote it. Do not delete "
                                                + "it: offsets of the partition would be given out again.")
                                        .formatted(partition, wrong));
                    }));
            Map<JournalId, Boolean> gone = new HashMap<>();
            List<Missing> free = missing.stream()
                    .filter(one -> !unreadable.contains(one.partition()))
                    .filter(one -> impatient.contains(one.partition())
                            || isFree(
                                    records.get(one.partition()),
                                    current.journal().id(),
                                    alive,
                                    gone))
                    .toList();
            List<TopicPartition> partitions =
                    free.stream().map(Missing::partition).toList();
            TakeOver takeOver = new TakeOver(
                    current.journal().id(),
                    current.journal().archive(),
                    cluster.ownership(),
                    cluster.claims(),
                    current.keyedPuts(partitions),
                    current.journal().config().acceptDamage());
            TakeOver.Result result = takeOver.take(partitions, records, alive);
            report(result.taken().size(), missing.size(), beganNanos);
            Map<TopicPartition, TopicMetadata> topics =
                    free.stream().collect(Collectors.toMap(Missing::partition, Missing::topic));
            for (TakeOver.Taken one : result.taken()) {
                TopicMetadata topic = Objects.requireNonNull(topics.get(one.partition()));
                threads.change(() -> serve(current, topic, one));
            }
            return refuse(result.refused(), records) || free.size() < missing.size();
        } catch (StaleOwnershipException e) {
            log.info("Taking over was overtaken, looking again: {}", e.getMessage());
            return true;
        } catch (IOException | RuntimeException e) {
            log.warn("Taking over {} partitions failed, trying again: {}", missing.size(), e.toString());
            return true;
        }
    }

    /**
     * Watches come late: a host that seems to be gone may live, and tell readers where its partitions end.
     *
     * @param gone whether owners are gone for sure, as far as was asked
     */
    private boolean isFree(
            @Nullable Versioned record, JournalId newOwner, Map<String, HostInfo> alive, Map<JournalId, Boolean> gone) {
        if (!TakeOver.isFree(record, newOwner, alive)) {
            return false;
        }
        if (record == null || record.ownership().released()) {
            return true;
        }
        JournalId owner = TakeOver.journal(record.ownership());
        return owner.equals(newOwner)
                || gone.computeIfAbsent(owner, asked -> cluster.hosts().isGone(asked.host(), asked.incarnation()));
    }

    /**
     * Refuses partitions whose messages are missing, if their records are still what was gone by: one that was old when it was read
     * names files that were deleted since.
     *
     * @return whether some are to be looked at again
     */
    private boolean refuse(List<TakeOver.Refused> missing, Map<TopicPartition, Versioned> records) {
        if (missing.isEmpty()) {
            return false;
        }
        // What is read after it is up to date.
        cluster.ownership().changes();
        Map<TopicPartition, Versioned> newest = cluster.ownership()
                .read(missing.stream().map(TakeOver.Refused::partition).toList());
        boolean again = false;
        for (TakeOver.Refused one : missing) {
            if (Objects.equals(newest.get(one.partition()), records.get(one.partition()))) {
                refuse(one);
            } else {
                again = true;
            }
        }
        return again;
    }

    private void refuse(TakeOver.Refused one) {
        String reason =
                ("The newest %d messages of partition %s, up to offset %d, are missing in the storage. Restore the "
                                + "journal files, or start this host with journal.accept-damage=true to go on without them.")
                        .formatted(one.missing(), one.partition(), one.endOffset() - 1);
        refuse(one.partition(), reason);
    }

    private void refuse(TopicPartition partition, String reason) {
        if (refused.put(partition, reason) == null) {
            log.error("{}", reason);
        }
    }

    private void report(int taken, int missing, long beganNanos) {
        if (taken > 0) {
            log.info(
                    "Took over {} partitions of {} in {} ms",
                    taken,
                    missing,
                    TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - beganNanos));
        }
    }

    private void serve(Incarnation current, TopicMetadata topic, TakeOver.Taken taken) {
        Long sinceNanos = waitingSinceNanos.remove(taken.partition());
        refused.remove(taken.partition());
        if (incarnation == current && !current.hasEnded()) {
            current.serve(topic, taken);
            metrics.taken(sinceNanos == null ? 0 : clock.nanoTime() - sinceNanos);
        }
    }
}
