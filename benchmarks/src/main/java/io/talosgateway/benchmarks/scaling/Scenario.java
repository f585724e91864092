package io.talosgateway.benchmarks.scaling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.zookeeper.RecordJson;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.placement.PlacementRules;

/**
 * Lets things happen to a cluster of many hosts, and follows what moves: the rules of the gateway's controller, on hosts and a
 * placement in memory and a clock that is moved on. Counts what ZooKeeper would be asked for: every host watches the placement and
 * the hosts. For one thread.
 */
final class Scenario {

    /** The gateway's defaults. */
    static final PlacementConfig DELAYS =
            new PlacementConfig(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMinutes(2));

    private static final long RESTART_MS = 20_000;
    private static final long TICK_MS = 100;
    private static final long NANOS_IN_MS = 1_000_000;
    /** Session, candidate and incarnation of a host that starts: nodes that nobody else reads. */
    private static final int OWN_WRITES = 6;

    private final TopicSet topics;
    private final int hosts;
    private final Assignment first;
    private final ZooKeeperUse use = new ZooKeeperUse();
    private final OwnershipState ownership;
    private final Map<String, HostInfo> alive = new TreeMap<>();
    private final PlacementRules rules = new PlacementRules(DELAYS);
    private Placement placement;
    private Assignment assignment;
    private int placementBytes;
    private long nowMs;
    private final List<Double> mapMs = new ArrayList<>();

    /** Begins with so many hosts that have been there for long, as {@code first} has them. */
    Scenario(TopicSet topics, Assignment first, int hosts) {
        this.topics = topics;
        this.hosts = hosts;
        this.first = first;
        this.ownership = new OwnershipState(topics);
        this.placement = allPresent(hosts);
        this.assignment = first;
        hostNames(0, hosts).forEach(host -> alive.put(host, info(host, 1, Intent.SERVE)));
        decide();
        follow();
    }

    /** The hosts have numbers from 0; their names are in the same order. */
    static String hostName(int number) {
        return "gateway-%05d".formatted(number);
    }

    private static List<String> hostNames(int from, int until) {
        return IntStream.range(from, until).mapToObj(Scenario::hostName).toList();
    }

    static Placement allPresent(int hosts) {
        return new Placement(hostNames(0, hosts).stream()
                .map(host -> new PlacedHost(host, Presence.PRESENT))
                .toList());
    }

    /** @return when it began to be known who takes over, milliseconds after the sessions ended */
    long lose(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<String> lost = new HashSet<>();
        while (lost.size() < count) {
            lost.add(hostName(random.nextInt(hosts)));
        }
        endSessions(lost);
        follow();
        while (assignment.hosts().size() == hosts) {
            pass(TICK_MS);
            follow();
        }
        return nowMs;
    }

    void join(int count) {
        hostNames(hosts, hosts + count).forEach(host -> start(host, 1));
        pass(DELAYS.joinDelay().toMillis());
        follow();
    }

    /** Some hosts at a time, until all have been restarted. */
    void restartAll(int atATime, Intent intent) {
        for (int from = 0; from < hosts; from += atATime) {
            List<String> wave = hostNames(from, Math.min(hosts, from + atATime));
            wave.forEach(host -> announce(host, 1, intent));
            follow();
            endSessions(wave);
            pass(RESTART_MS);
            follow();
            wave.forEach(host -> start(host, 2));
            pass(DELAYS.joinDelay().toMillis());
            follow();
        }
    }

    private void endSessions(Collection<String> lost) {
        for (String host : lost) {
            alive.remove(host);
            use.write(1, 0);
            use.watched(alive.size(), 0);
        }
        decide();
    }

    private void start(String host, long incarnation) {
        for (int write = 0; write < OWN_WRITES; write++) {
            use.write(1, 0);
        }
        announce(host, incarnation, Intent.START);
        announce(host, incarnation, Intent.SERVE);
    }

    /** A host says what it is about to do, or that it is there. */
    private void announce(String host, long incarnation, Intent intent) {
        HostInfo info = info(host, incarnation, intent);
        alive.put(host, info);
        int bytes = RecordJson.write(info).length;
        use.write(1, bytes);
        use.watched(alive.size(), bytes);
        decide();
    }

    private static HostInfo info(String host, long incarnation, Intent intent) {
        return new HostInfo(host, incarnation, host + ".example.com:8080", host + ".example.com:8082", intent);
    }

    /** Lets time pass; the controller looks again and again. */
    private void pass(long ms) {
        long until = nowMs + ms;
        while (nowMs < until) {
            nowMs = Math.min(until, nowMs + TICK_MS);
            decide();
        }
    }

    /** As {@code PlacementController} does: writes the placement if it should be another. */
    private void decide() {
        Placement next = rules.next(placement, alive, nowMs * NANOS_IN_MS);
        if (!next.equals(placement)) {
            placement = next;
            int bytes = RecordJson.write(placement).length;
            use.write(1, bytes);
            use.watched(alive.size(), bytes);
        }
    }

    /** Who has what may have changed. */
    private void follow() {
        placementBytes = Math.max(placementBytes, RecordJson.write(placement).length);
        Set<String> placed = Assignment.hosts(placement);
        if (placed.equals(assignment.hosts())) {
            return;
        }
        Assignment next = placed.equals(first.hosts()) ? first : new Assignment(topics, placement);
        mapMs.add(next.ms());
        // A host that leaves is not in the placement any more, and releases what it has.
        ownership.move(assignment, next, alive.keySet(), use);
        assignment = next;
    }

    OwnershipState ownership() {
        return ownership;
    }

    ZooKeeperUse zooKeeper() {
        return use;
    }

    /** The largest that {@code /placement} was. */
    int placementBytes() {
        return placementBytes;
    }

    /** How even it is now. */
    Assignment.Balance balance() {
        return assignment.balance();
    }

    /** Mean time until a host knows who has what. */
    double mapMs() {
        return mapMs.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
