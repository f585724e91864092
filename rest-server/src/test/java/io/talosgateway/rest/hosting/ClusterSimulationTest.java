package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.PartitionLog;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.placement.PlacementMap;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.TopicQuota;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Ownership, take-over and delayed removal, on one thread: several hosts with the real hosting, journal and controller, on a
 * simulated ZooKeeper and HDFS. What happens next is up to a seed: puts by way of any host, hosts that are killed, paused at
 * the worst moment of a put, restarted, that leave; sessions that expire while the host lives on; watches that come late,
 * connections that break, replies that get lost, syncs that fail, clocks that are minutes off.
 *
 * <p>After each event: no offset is acknowledged twice, and whoever owns a partition has everything that was. In the end, when
 * all is well again: everything is served, each acknowledged put is there once at its offset, offsets are dense, and
 * nothing is there that was answered as not stored.
 *
 * <p>More seeds: {@code -Dsimulation.first-seed=1 -Dsimulation.cluster-seeds=100000}.
 */
final class ClusterSimulationTest {

    @Test
    void acknowledgedPutsAreStoredOnceWhateverHappens() {
        long first = Long.getLong("simulation.first-seed", 1);
        long count = Long.getLong("simulation.cluster-seeds", 1_000);
        long acknowledged = 0;
        long fenced = 0;
        for (long seed = first; seed < first + count; seed++) {
            try {
                Simulation simulation = new Simulation(seed);
                simulation.run();
                acknowledged += simulation.acknowledged();
                fenced += simulation.fencedInsidePut;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        System.out.printf(
                "%d seeds: %d puts acknowledged, %d hosts lost a partition while one of its puts was being written%n",
                count, acknowledged, fenced);
        assertThat(acknowledged).isGreaterThan(5 * count);
        assertThat(fenced).isGreaterThan(count / 20);
    }

    /** Thousands of lives would be logged. */
    @BeforeEach
    void beQuiet() {
        ((Logger) LoggerFactory.getLogger("io.talosgateway.rest"))
                .setLevel(Boolean.getBoolean("simulation.trace") ? Level.INFO : Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        ((Logger) LoggerFactory.getLogger("io.talosgateway.rest")).setLevel(null);
    }

    private static final class Simulation {

        private static final int EVENTS = 400;
        private static final int HOSTS = 4;
        private static final long MS = 1_000_000;
        private static final PlacementConfig PLACEMENT =
                new PlacementConfig(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(10));

        private final Random random;
        private final SimulatedZooKeeper zooKeeper = new SimulatedZooKeeper();
        private final InMemoryJournalStorage memory = new InMemoryJournalStorage();
        private final Map<String, SimulatedHost> hosts = new TreeMap<>();
        private final Map<String, Long> goneSinceNanos = new HashMap<>();
        private final Set<String> leavers = new HashSet<>();
        private List<String> placed = List.of();
        private final Map<TopicPartition, PartitionBook> books = new HashMap<>();
        private final List<TopicPartition> partitions = new ArrayList<>();
        private long nowNanos;
        private int putNumber;
        private int fencedInsidePut;
        /** The host that stands still inside a put, while other things happen. */
        private @Nullable SimulatedHost frozen;

        Simulation(long seed) {
            this.random = new Random(seed);
            for (int number = 0; number < 2; number++) {
                TopicMetadata topic = new TopicMetadata(
                        new TopicName("topic-" + number),
                        TopicId.random(random),
                        "owner",
                        4,
                        Duration.ofDays(1),
                        Map.of(),
                        Map.of(),
                        TopicQuota.UNLIMITED,
                        0);
                zooKeeper.topics.add(topic);
                topic.allPartitions().forEach(partition -> {
                    partitions.add(partition);
                    books.put(partition, new PartitionBook(partition));
                });
            }
            zooKeeper.placementListener = this::checkRemovals;
        }

        void run() {
            calmDown();
            for (int event = 0; event < EVENTS; event++) {
                anEvent();
                checkOwners();
            }
            calmDown();
            checkAll();
        }

        private void anEvent() {
            int dice = random.nextInt(100);
            if (dice < 40) {
                put();
            } else if (dice < 65) {
                work(random.nextInt(40));
            } else if (dice < 78) {
                ifNotFrozen(host -> host.zooKeeper.deliver());
            } else if (dice < 88) {
                nowNanos += random.nextInt(200) * MS;
                decide();
            } else {
                aFault(random.nextInt(13));
            }
        }

        private void aFault(int dice) {
            switch (dice) {
                case 0 -> kill(anyHost());
                case 1 -> start("host-" + random.nextInt(HOSTS));
                case 2 -> expire(anyHost());
                case 3, 4 -> reconnect(anyHost());
                case 5 -> ifNotFrozen(host -> host.zooKeeper.disconnected = true);
                case 6 -> ifNotFrozen(host -> host.zooKeeper.loseNextReply = true);
                case 7 -> ifNotFrozen(host -> host.hooks.failNextSync = true);
                case 8 -> ifNotFrozen(host -> host.hooks.loseNextSyncReply = true);
                case 9, 10 -> leave(anyHost());
                default -> nowNanos += random.nextInt(2_000) * MS;
            }
        }

        private @Nullable SimulatedHost anyHost() {
            return hosts.isEmpty() ? null : List.copyOf(hosts.values()).get(random.nextInt(hosts.size()));
        }

        private void ifNotFrozen(Consumer<SimulatedHost> action) {
            SimulatedHost host = anyHost();
            if (host != null && host != frozen) {
                action.accept(host);
            }
        }

        private void start(String name) {
            if (!hosts.containsKey(name)) {
                hosts.put(
                        name,
                        new SimulatedHost(
                                name,
                                zooKeeper.new Client(),
                                memory,
                                () -> nowNanos,
                                Duration.ofMinutes(random.nextInt(21) - 10),
                                PLACEMENT));
            }
        }

        private void kill(@Nullable SimulatedHost host) {
            if (host != null && host != frozen) {
                hosts.remove(host.name);
                expire(host);
            }
        }

        private void expire(@Nullable SimulatedHost host) {
            if (host != null && !host.zooKeeper.expired) {
                host.zooKeeper.expire();
                goneSinceNanos.putIfAbsent(host.name, nowNanos);
            }
        }

        private void reconnect(@Nullable SimulatedHost host) {
            if (host == null || host == frozen) {
                return;
            }
            if (host.zooKeeper.expired) {
                host.zooKeeper.beginNewSession();
            } else {
                host.zooKeeper.disconnected = false;
                host.zooKeeper.deliver();
            }
        }

        private void leave(@Nullable SimulatedHost host) {
            if (host == null || host == frozen) {
                return;
            }
            if (!host.leaving
                    && zooKeeper.alive.containsKey(host.name)
                    && host.hosting.state() == HostingState.SERVING) {
                try {
                    host.zooKeeper.hosts.announce(
                            zooKeeper.alive.get(host.name).with(random.nextBoolean() ? Intent.LEAVE : Intent.RESTART));
                    host.leaving = true;
                    leavers.add(host.name);
                } catch (GatewayException e) {
                    // It tries again some other time.
                }
            } else if (host.leaving && host.hosting.mayGo()) {
                host.hosting.end();
                while (host.threads.step(random)) {
                    // To the end.
                }
                kill(host);
            }
        }

        private void decide() {
            for (SimulatedHost host : List.copyOf(hosts.values())) {
                if (host != frozen) {
                    try {
                        host.controller.decide();
                    } catch (GatewayException e) {
                        // It tries again.
                    }
                }
            }
        }

        private void work(int steps) {
            for (int step = 0; step < steps; step++) {
                ifNotFrozen(host -> host.threads.step(random));
            }
        }

        // --- Puts ---

        private void put() {
            SimulatedHost via = anyHost();
            if (via == null || via == frozen) {
                return;
            }
            PartitionBook book = books.get(partitions.get(random.nextInt(partitions.size())));
            PartitionBook.Put put = book.again(random);
            if (put == null) {
                put = book.add("put " + putNumber++, random.nextBoolean());
            }
            SimulatedHost owner;
            HostedPartition hosted;
            try {
                Route route = via.hosting.route(book.partition);
                owner = route instanceof Route.There there
                        ? hosts.get(there.owner().name())
                        : via;
                if (owner == null || owner == frozen) {
                    return;
                }
                hosted = owner.hosting.get(book.partition);
            } catch (GatewayException e) {
                return;
            }
            if (random.nextInt(8) == 0 && frozen == null) {
                freezeInside(owner);
            }
            OwnershipRecord before = zooKeeper.ownership.get(book.partition).ownership();
            book.append(hosted, put, random.nextInt(10) == 0);
            if (!before.owner()
                    .equals(zooKeeper.ownership.get(book.partition).ownership().owner())) {
                fencedInsidePut++;
            }
            owner.hooks.beforeSync = () -> {};
        }

        /** The next sync of the host takes so long that much else happens, its session's end maybe. */
        private void freezeInside(SimulatedHost host) {
            int events = random.nextInt(100);
            boolean expires = random.nextBoolean();
            host.hooks.beforeSync = () -> {
                host.hooks.beforeSync = () -> {};
                frozen = host;
                if (expires) {
                    expire(host);
                }
                try {
                    for (int event = 0; event < events; event++) {
                        anEvent();
                    }
                } finally {
                    frozen = null;
                }
            };
        }

        // --- What must hold ---

        private @Nullable PartitionLog ownersLog(TopicPartition partition) {
            if (!zooKeeper.ownership.containsKey(partition)) {
                return null;
            }
            OwnershipRecord record = zooKeeper.ownership.get(partition).ownership();
            SimulatedHost host = hosts.get(record.owner());
            if (host == null || host.hosting.incarnationNumber() != record.incarnation()) {
                return null;
            }
            HostedPartition hosted = host.hosting.find(partition);
            return hosted == null || !hosted.log().epoch().equals(record.epoch()) ? null : hosted.log();
        }

        private void checkOwners() {
            for (PartitionBook book : books.values()) {
                PartitionLog log = ownersLog(book.partition);
                if (log != null) {
                    assertThat(log.durableOffset())
                            .as(
                                    "what the owner of %s has (%s)",
                                    book.partition, zooKeeper.ownership.get(book.partition))
                            .isGreaterThanOrEqualTo(book.acknowledgedEnd());
                }
            }
        }

        /** No host is removed from the placement before its delay has passed since it was gone first, unless it leaves. */
        private void checkRemovals() {
            List<String> names = zooKeeper.placement.placement().hosts().stream()
                    .map(PlacedHost::name)
                    .toList();
            for (String name : placed) {
                Long goneSince = goneSinceNanos.get(name);
                boolean mayGo = leavers.contains(name)
                        || (goneSince != null
                                && nowNanos - goneSince
                                        >= PLACEMENT.removalDelay().toNanos());
                assertThat(mayGo || names.contains(name))
                        .as("%s is waited for", name)
                        .isTrue();
            }
            placed = names;
        }

        private void calmDown() {
            for (int number = 0; number < HOSTS; number++) {
                start("host-" + number);
            }
            for (int round = 0; round < 2_000; round++) {
                for (SimulatedHost host : List.copyOf(hosts.values())) {
                    host.hooks.failNextSync = false;
                    host.hooks.loseNextSyncReply = false;
                    host.zooKeeper.loseNextReply = false;
                    if (host.leaving) {
                        leave(host);
                        start(host.name);
                    }
                    if (host.hosting.state() == HostingState.STARTING && host.threads.isIdle() && !host.leaving) {
                        // It could not start; its operator starts it again.
                        kill(host);
                        start(host.name);
                        continue;
                    }
                    reconnect(host);
                    checkFence(host);
                }
                decide();
                work(50);
                nowNanos += 100 * MS;
                if (isSettled()) {
                    return;
                }
            }
            fail("not everything is served: " + zooKeeper.placement + ", " + zooKeeper.alive.values() + ", "
                    + hosts.values().stream()
                            .map(host -> host.name + " " + host.hosting.state() + " leaving: " + host.leaving
                                    + " elected: " + host.zooKeeper.election.isElected())
                            .toList()
                    + ", "
                    + partitions.stream()
                            .filter(partition -> ownersLog(partition) == null)
                            .map(partition -> zooKeeper.ownership.get(partition) + " hosted by "
                                    + hosts.values().stream()
                                            .filter(host -> host.hosting.find(partition) != null)
                                            .map(host -> host.name)
                                            .toList())
                            .toList());
        }

        private static void checkFence(SimulatedHost host) {
            try {
                host.hosting.checkFence();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private boolean isSettled() {
            PlacementMap map = new PlacementMap(zooKeeper.placement.placement());
            return zooKeeper.placement.placement().hosts().size() == HOSTS
                    && zooKeeper.topics.stream()
                            .allMatch(topic -> topic.allPartitions().allMatch(partition -> {
                                PartitionLog log = ownersLog(partition);
                                return log != null
                                        && log.takesAppends()
                                        && Objects.equals(
                                                map.ownerOf(topic, partition.partition()),
                                                zooKeeper
                                                        .ownership
                                                        .get(partition)
                                                        .ownership()
                                                        .owner());
                            }));
        }

        long acknowledged() {
            return books.values().stream()
                    .mapToLong(PartitionBook::acknowledgedPuts)
                    .sum();
        }

        private void checkAll() {
            for (PartitionBook book : books.values()) {
                book.check(Objects.requireNonNull(ownersLog(book.partition)));
            }
        }
    }
}
