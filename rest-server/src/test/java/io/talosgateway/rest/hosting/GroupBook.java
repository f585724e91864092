package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

import io.talosgateway.rest.consumergroup.Coordinators;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.SteppedTime;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What workers of a consumer group were told, and whether it can be true:
 *
 * <ul>
 *   <li>no partition is given to a worker while another one holds it, whose lease cannot have ended;
 *   <li>no commit is accepted of a worker after the partition was given to another one;
 *   <li>no offset is told that is below one whose commit was accepted before. Workers commit rising offsets.
 * </ul>
 */
final class GroupBook {

    static final TopicMetadata COORDINATORS = new TopicMetadata(
            TopicName.CONSUMER_GROUPS,
            new TopicId(77, 77),
            "owner",
            1,
            Duration.ofDays(10_000),
            Map.of(),
            Map.of(),
            Quota.UNLIMITED,
            0);

    private static final String GROUP = "g";
    private static final int WORKERS = 3;
    private static final int PARTITIONS = 2;

    private final TopicId topic;
    private final SteppedTime time;
    private final Map<Integer, Told> partitions = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<Integer> found = new HashSet<>();
    private long lastOffset;
    private int commits;
    private int takenOver;

    /** A partition, as workers were told. */
    private static final class Told {
        /** Who it was last given to. */
        private @Nullable String holder;
        /** No lease that it may have ends before. */
        private long heldUntilNanos;
        /** Workers that have asked for it, and that it may have been given to without their knowing. */
        private final Set<String> maybe = new HashSet<>();
        /** How often a worker has given it up: what it has asked for before counts no more. */
        private final Map<String, Integer> releases = new HashMap<>();

        private long highestCommitted = GroupEntry.NOTHING_COMMITTED;
    }

    GroupBook(TopicMetadata topic, SteppedTime time) {
        this.topic = topic.id();
        this.time = time;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            partitions.put(partition, new Told());
        }
    }

    TopicPartition coordinator() {
        return COORDINATORS.partition(0);
    }

    /** Commits that were accepted. */
    int commits() {
        return commits;
    }

    /** Partitions that were given to a worker after another one had held them. */
    int takenOver() {
        return takenOver;
    }

    /** One request of a worker. */
    void ask(SimulatedHost owner, Random random) {
        String worker = "w" + random.nextInt(WORKERS);
        int partition = random.nextInt(PARTITIONS);
        switch (random.nextInt(13)) {
            case 0, 1, 2 -> claim(owner, worker, partition);
            case 3 -> release(owner, worker, partition);
            case 4 -> find(owner, partition);
            case 5 -> commit(owner, worker, partition);
            case 6, 7 -> balance(owner, worker);
            case 8 -> heartbeat(owner, worker);
            default -> {
                // Whoever holds it commits most.
                String holder = partitions.get(partition).holder;
                commit(owner, holder == null ? worker : holder, partition);
            }
        }
    }

    void findAll(SimulatedHost owner) {
        partitions.keySet().forEach(partition -> find(owner, partition));
    }

    /** Whether each partition was told. */
    boolean isFound() {
        return found.size() == PARTITIONS;
    }

    void checkAnswers() {
        assertThat(violations).isEmpty();
    }

    private interface OnAnswer {
        void answered(@Nullable GroupAnswer answer);
    }

    private static void ask(SimulatedHost owner, GroupRequest request, OnAnswer onAnswer) {
        owner.partitions
                .askGroup(COORDINATORS.partition(0), request, Deadline.NONE)
                .whenComplete((answer, failure) -> {
                    SimulationTrace.say(
                            () -> "GROUP " + owner.name + " " + request + ": " + (failure == null ? answer : failure));
                    onAnswer.answered(answer);
                });
    }

    private void claim(SimulatedHost owner, String worker, int partition) {
        Told told = partitions.get(partition);
        long leaseEndNanos = time.nanoTime() + Coordinators.LEASE.toNanos();
        int releases = told.releases.getOrDefault(worker, 0);
        told.maybe.add(worker);
        ask(owner, GroupRequest.claim(GROUP, worker, Map.of(topic, List.of(partition))), answer -> {
            if (answer == null || releases != told.releases.getOrDefault(worker, 0)) {
                return;
            }
            told.maybe.remove(worker);
            if (answer.entries().isEmpty()) {
                given(partition, told, worker, leaseEndNanos);
            }
        });
    }

    /** As a member on REST does that processes messages for long: it keeps what it holds. */
    private void heartbeat(SimulatedHost owner, String worker) {
        long leaseEndNanos = time.nanoTime() + Coordinators.LEASE.toNanos();
        ask(owner, GroupRequest.heartbeat(GROUP, worker, topic), answer -> {
            if (answer != null) {
                partitions.values().stream()
                        .filter(told -> worker.equals(told.holder) && told.heldUntilNanos - time.nanoTime() > 0)
                        .forEach(told -> told.heldUntilNanos = leaseEndNanos);
            }
        });
    }

    /** As a member on REST asks for its share: it may have given everything up as soon as it asks. */
    private void balance(SimulatedHost owner, String worker) {
        long leaseEndNanos = time.nanoTime() + Coordinators.LEASE.toNanos();
        Map<Integer, Integer> releases = new HashMap<>();
        partitions.forEach((partition, told) -> {
            givenUp(told, worker);
            releases.put(partition, told.releases.get(worker));
            told.maybe.add(worker);
        });
        ask(owner, GroupRequest.balance(GROUP, worker, topic, List.copyOf(partitions.keySet())), answer -> {
            if (answer == null) {
                return;
            }
            Set<Integer> held =
                    answer.entries().stream().map(GroupEntry::partition).collect(Collectors.toSet());
            partitions.forEach((partition, told) -> {
                if (releases.get(partition).equals(told.releases.get(worker))) {
                    told.maybe.remove(worker);
                    if (held.contains(partition)) {
                        given(partition, told, worker, leaseEndNanos);
                    }
                }
            });
        });
    }

    /** From now on, whether the worker is told or not. */
    private void givenUp(Told told, String worker) {
        told.releases.merge(worker, 1, Integer::sum);
        if (worker.equals(told.holder)) {
            told.heldUntilNanos = time.nanoTime();
        }
    }

    private void given(int partition, Told told, String worker, long leaseEndNanos) {
        String before = told.holder;
        if (before != null && !before.equals(worker)) {
            takenOver++;
            if (told.heldUntilNanos - time.nanoTime() > 0) {
                violations.add("partition %d was given to %s while %s held it".formatted(partition, worker, before));
            }
        }
        told.holder = worker;
        told.heldUntilNanos = leaseEndNanos;
    }

    private void release(SimulatedHost owner, String worker, int partition) {
        Told told = partitions.get(partition);
        givenUp(told, worker);
        ask(owner, GroupRequest.release(GROUP, worker, Map.of(topic, List.of(partition))), answer -> {});
    }

    private void commit(SimulatedHost owner, String worker, int partition) {
        Told told = partitions.get(partition);
        boolean mayHold = told.holder == null || told.holder.equals(worker) || told.maybe.contains(worker);
        long offset = ++lastOffset;
        ask(owner, GroupRequest.commit(GROUP, worker, topic, partition, offset, null), answer -> {
            if (answer == null || !answer.accepted()) {
                return;
            }
            commits++;
            if (!mayHold) {
                violations.add("a commit of %s was accepted after partition %d was given to %s"
                        .formatted(worker, partition, told.holder));
            }
            told.highestCommitted = Math.max(told.highestCommitted, offset);
        });
    }

    private void find(SimulatedHost owner, int partition) {
        Told told = partitions.get(partition);
        long atLeast = told.highestCommitted;
        ask(owner, GroupRequest.find(GROUP, topic, List.of(partition)), answer -> {
            if (answer == null) {
                return;
            }
            found.add(partition);
            long offset = answer.entries().get(0).offset();
            if (offset < atLeast || offset > lastOffset) {
                violations.add("the offset of partition %d is %d, although %d was committed, and %d is the last one"
                        .formatted(partition, offset, atLeast, lastOffset));
            }
        });
    }
}
