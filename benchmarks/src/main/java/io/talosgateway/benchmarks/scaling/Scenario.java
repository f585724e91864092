package io.talosgateway.benchmarks.scaling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.placement.PlacementConfig;

/** Lets things happen to a cluster of many hosts, and follows what moves. For one thread. */
final class Scenario {

    /** The gateway's defaults. */
    static final PlacementConfig DELAYS =
            new PlacementConfig(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMinutes(2));

    private static final long RESTART_MS = 20_000;
    private static final long MS = 1_000_000;
    /** Session, candidate and incarnation of a host that starts: nodes that nobody else reads. */
    private static final int OWN_WRITES = 6;

    private final TopicSet topics;
    private final Assignment first;
    private final int hosts;
    private final ZooKeeperUse use = new ZooKeeperUse();
    private final OwnershipState ownership;
    private final SimulatedController controller;
    private Set<Integer> placed;
    private Assignment assignment;
    private long moved;
    private long needed;
    private long released;
    private int most;
    private int receivers;
    private int placementBytes;
    private final List<Long> mapNanos = new ArrayList<>();

    Scenario(TopicSet topics, Assignment first, int hosts) {
        this.topics = topics;
        this.first = first;
        this.hosts = hosts;
        this.ownership = new OwnershipState(topics);
        this.controller = new SimulatedController(hosts, DELAYS, use);
        this.placed = numbers(controller.placement());
        this.assignment = first;
        this.placementBytes = controller.placementBytes();
    }

    /** @return when it began to be known who takes over, milliseconds after the sessions ended */
    long lose(int count, long seed) {
        controller.lose(some(count, seed));
        follow();
        while (placed.size() == hosts) {
            controller.pass(100);
            follow();
        }
        return controller.nowMs();
    }

    void join(int count) {
        for (int host = hosts; host < hosts + count; host++) {
            start(host, 1);
        }
        controller.pass(DELAYS.joinDelay().toMillis());
        follow();
    }

    /** Some hosts at a time, until all have been restarted. */
    void restartAll(int atATime, Intent intent, Progress progress) {
        for (int from = 0; from < hosts; from += atATime) {
            List<Integer> wave = IntStream.range(from, Math.min(hosts, from + atATime))
                    .boxed()
                    .toList();
            wave.forEach(host -> controller.announce(host, 1, intent));
            follow();
            controller.lose(wave);
            controller.pass(RESTART_MS);
            follow();
            wave.forEach(host -> start(host, 2));
            controller.pass(DELAYS.joinDelay().toMillis());
            follow();
            progress.report(from + wave.size(), hosts);
        }
    }

    private void start(int host, long incarnation) {
        for (int write = 0; write < OWN_WRITES; write++) {
            use.write(1, 0);
        }
        controller.announce(host, incarnation, Intent.START);
        controller.announce(host, incarnation, Intent.SERVE);
    }

    private Set<Integer> some(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<Integer> chosen = new HashSet<>();
        while (chosen.size() < count) {
            chosen.add(random.nextInt(hosts));
        }
        return chosen;
    }

    /** Who has what may have changed. */
    private void follow() {
        placementBytes = Math.max(placementBytes, controller.placementBytes());
        Set<Integer> now = numbers(controller.placement());
        if (now.equals(placed)) {
            return;
        }
        Assignment next = isAsAtFirst(now) ? first : Assignment.of(topics, controller.placement());
        mapNanos.add(next.nanos());
        Moves moves = Moves.between(assignment, next, placed, now);
        moved += moves.count();
        needed += moves.needed();
        // A host that leaves is not in the placement any more, and releases what it has.
        Set<Integer> alive = controller.alive();
        released += moves.released(alive);
        most = Math.max(most, moves.most());
        receivers = Math.max(receivers, moves.byReceiver().size());
        ownership.move(moves, alive, use);
        assignment = next;
        placed = now;
    }

    private boolean isAsAtFirst(Set<Integer> now) {
        return now.size() == hosts && now.stream().allMatch(host -> host < hosts);
    }

    private static Set<Integer> numbers(Placement placement) {
        return placement.hosts().stream()
                .map(host -> HostNames.number(host.name()))
                .collect(Collectors.toSet());
    }

    Outcome outcome(String name) {
        return new Outcome(
                name,
                topics.name(),
                moved,
                needed,
                released,
                most,
                receivers,
                use,
                placementBytes,
                Balance.of(assignment, placed),
                mapNanos.stream().mapToLong(Long::longValue).average().orElse(0) / MS,
                ownership.bytes(),
                ownership.mostJournals());
    }
}
