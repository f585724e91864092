package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.placement.PlacementMap;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.SteppedTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class ClusterSimulationTest {

    /** In fewer, something rare may not happen. */
    private static final int FEWEST_SEEDS_THAT_SHOW_ALL = 300;

    @Test
    void acknowledgedPutsAreStoredOnceWhateverHappens() {
        long first = Long.getLong("simulation.first-seed", 1);
        long count = Long.getLong("simulation.cluster-seeds", 100);
        long acknowledged = 0;
        long fenced = 0;
        long waits = 0;
        long lost = 0;
        long restored = 0;
        long commits = 0;
        long unexpected = 0;
        long fencedOff = 0;
        long takenOver = 0;
        long committed = 0;
        long rolledBack = 0;
        long lostReplies = 0;
        for (long seed = first; seed < first + count; seed++) {
            try {
                Simulation simulation = new Simulation(seed);
                simulation.run();
                acknowledged += simulation.acknowledged();
                fenced += simulation.fencedInsidePut;
                waits += simulation.claimWaits;
                lost += simulation.lost();
                commits += simulation.groups.commits();
                unexpected += simulation.unexpected();
                fencedOff += simulation.fencedOff();
                takenOver += simulation.groups.takenOver();
                restored += simulation.restored;
                committed += simulation.transactions.committed();
                rolledBack += simulation.transactions.rolledBack();
                lostReplies += simulation.lostReplies;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        System.out.printf(
                "%d seeds: %d puts acknowledged, %d hosts lost a partition while one of its puts was being written,"
                        + " %d looks at a recovery by a host that stood still, %d messages lost that were in memory only, ZooKeeper set back %d times%n",
                count, acknowledged, fenced, waits, lost, restored);
        System.out.printf(
                "Consumer groups: %d commits accepted, %d partitions claimed that another worker had held; %d puts that"
                        + " expected another end, %d requests with another fencing token%n",
                commits, takenOver, unexpected, fencedOff);
        System.out.printf(
                "Transactions: %d committed, %d rolled back; %d answers of hosts to each other lost%n",
                committed, rolledBack, lostReplies);
        if (count >= FEWEST_SEEDS_THAT_SHOW_ALL) {
            assertThat(acknowledged).isGreaterThan(5 * count);
            assertThat(fenced).isGreaterThan(count / 20);
            assertThat(waits).isGreaterThan(count / 20);
            assertThat(lost).isGreaterThan(count / 100);
            assertThat(restored).isGreaterThan(count / 20);
            assertThat(commits).isGreaterThan(count);
            assertThat(unexpected).isGreaterThan(count);
            assertThat(fencedOff).isGreaterThan(count / 20);
            assertThat(takenOver).isGreaterThan(count / 20);
            assertThat(committed).isGreaterThan(count);
            assertThat(rolledBack).isGreaterThan(count / 4);
            assertThat(lostReplies).isGreaterThan(count / 100);
        }
    }

    /** Thousands of lives would be logged. */
    @BeforeEach
    void beQuiet() {
        ((Logger) LoggerFactory.getLogger("io.talosgateway.rest"))
                .setLevel(SimulationTrace.isOn() ? Level.INFO : Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        ((Logger) LoggerFactory.getLogger("io.talosgateway.rest")).setLevel(null);
    }

    private static final class Simulation {

        private static final int EVENTS = 400;
        private static final int HOSTS = 4;
        /** When all is well again, everything is served after this time. */
        private static final int MOST_ROUNDS = 600;

        /** Until then nobody knows that ZooKeeper was set back, but for the hosts. */
        private static final int OPERATOR_COMES = 100;

        /** How long a host that leaves waits for the cluster. */
        private static final Duration PATIENCE = Duration.ofSeconds(10);

        private static final Duration ROUND = Duration.ofMillis(100);
        private static final Duration SHORT_RETENTION = Duration.ofSeconds(20);
        private static final PlacementConfig PLACEMENT =
                new PlacementConfig(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(10));

        private final Random random;
        private final SteppedTime time = new SteppedTime();
        private final SimulatedZooKeeper zooKeeper;
        private final SimulatedHdfs hdfs;
        private final Map<String, SimulatedHost> hosts = new TreeMap<>();
        private final Map<String, Long> goneSinceNanos = new HashMap<>();
        private final Set<String> leavers = new HashSet<>();
        private List<String> placed = List.of();
        private final Map<TopicPartition, PartitionBook> books = new LinkedHashMap<>();
        private final GroupBook groups;
        private final TransactionBook transactions;
        private int putNumber;
        private int topicNumber;
        private int fencedInsidePut;
        private int claimWaits;
        private int restored;
        private int lostReplies;
        private long acknowledgedBefore;
        /** The host that stands still inside a put, while other things happen. */
        private @Nullable SimulatedHost frozen;

        Simulation(long seed) {
            this.random = new Random(seed);
            this.zooKeeper = new SimulatedZooKeeper(random, time);
            this.hdfs = new SimulatedHdfs(random);
            zooKeeper.topics.add(GroupBook.COORDINATORS);
            zooKeeper.topics.add(TransactionBook.COORDINATORS);
            TopicMetadata ofTransactions = topic(Duration.ofDays(1), 1);
            zooKeeper.topics.add(ofTransactions);
            transactions = new TransactionBook(ofTransactions.partition(0), time);
            TopicMetadata lasting = newTopic(Duration.ofDays(1), 3);
            zooKeeper.topics.add(lasting);
            groups = new GroupBook(lasting, time);
            zooKeeper.topics.add(newTopic(SHORT_RETENTION, 3));
            zooKeeper.topics.add(newTopic(SHORT_RETENTION, 2));
            zooKeeper.placementListener = this::checkRemovals;
            zooKeeper.claimListener = this::stallWithClaim;
            zooKeeper.recordListener = (partition, before, after) -> {
                PartitionBook book = books.get(partition);
                if (book != null) {
                    book.recorded(before, after);
                }
            };
        }

        private TopicMetadata newTopic(Duration retention, int partitions) {
            TopicMetadata topic = topic(retention, partitions);
            topic.allPartitions().forEach(partition -> books.put(partition, new PartitionBook(topic, partition, time)));
            return topic;
        }

        private TopicMetadata topic(Duration retention, int partitions) {
            return new TopicMetadata(
                    new TopicName("topic-" + topicNumber++),
                    TopicId.random(random),
                    "owner",
                    partitions,
                    retention,
                    Map.of(),
                    Map.of(),
                    Quota.UNLIMITED,
                    0);
        }

        void run() {
            calmDown();
            zooKeeper.isCalm = false;
            for (int event = 0; event < EVENTS; event++) {
                anEvent();
                checkOwners();
            }
            calmDown();
            hosts.values().forEach(Simulation::doUpkeep);
            checkAll();
            checkGroups();
            checkTransactions();
        }

        private void anEvent() {
            int dice = random.nextInt(100);
            if (dice < 25) {
                put();
            } else if (dice < 35) {
                get();
            } else if (dice < 43) {
                askGroup();
            } else if (dice < 50) {
                askTransaction();
            } else if (dice < 70) {
                work(random.nextInt(60));
            } else if (dice < 78) {
                ifNotFrozen(host -> host.zooKeeper.deliver());
            } else if (dice < 84) {
                pass(random.nextInt(200));
                decide();
            } else if (dice < 86) {
                ifNotFrozen(Simulation::doUpkeep);
            } else if (dice < 88) {
                ifNotFrozen(host -> host.transactions.sweep());
            } else {
                aFault(random.nextInt(25));
            }
        }

        private void aFault(int dice) {
            SimulationTrace.say(() -> "FAULT " + dice + " at " + Duration.ofNanos(time.elapsedNanos()));
            switch (dice) {
                case 0 -> kill(anyHost());
                case 1, 2 -> start("host-" + random.nextInt(HOSTS));
                case 3 -> expire(anyHost());
                case 4, 5 -> reconnect(anyHost());
                case 6 -> ifNotFrozen(host -> host.zooKeeper.disconnected = true);
                case 7 -> ifNotFrozen(host -> host.zooKeeper.loseNextReply = true);
                case 8 -> ifNotFrozen(host -> host.storage.trouble = random.nextInt(3) * 0.2);
                case 9 -> ifNotFrozen(host -> host.storage.full = random.nextBoolean());
                case 10 -> {
                    hdfs.powerCut();
                    books.values().forEach(PartitionBook::powerCut);
                }
                case 11 -> ifNotFrozen(host -> host.stepClock(random));
                case 12, 13 -> leave(anyHost());
                case 14 -> deleteTopic();
                case 15 -> createTopic();
                case 16 -> pass(random.nextInt(30_000));
                case 17 -> ifNotFrozen(host -> host.storage.replicas = random.nextInt(SimulatedHdfs.REPLICAS + 1));
                case 18 -> zooKeeper.backUp();
                case 19 -> restore();
                case 20 -> putBack();
                default -> pass(random.nextInt(2_000));
            }
        }

        /** ZooKeeper's data is replaced by a backup; no session outlives that. */
        private void restore() {
            if (zooKeeper.restore(hdfs.highestIn(ChangeMarks.DIRECTORY))) {
                restored += zooKeeper.isSetBack() ? 1 : 0;
                sessionsHaveEnded();
                if (!zooKeeper.isSetBack()) {
                    books.forEach((partition, book) -> {
                        Versioned record = zooKeeper.ownership.get(partition);
                        book.restored(record == null ? null : record.ownership());
                    });
                }
            }
        }

        /** An operator has read why nothing is served. */
        private void putBack() {
            if (zooKeeper.isSetBack()) {
                zooKeeper.putBack();
                sessionsHaveEnded();
            }
        }

        private void sessionsHaveEnded() {
            hosts.keySet().forEach(name -> goneSinceNanos.putIfAbsent(name, time.nanoTime()));
            placed = zooKeeper.placement.placement().hosts().stream()
                    .map(PlacedHost::name)
                    .toList();
        }

        private void checkNobodyServes() {
            for (SimulatedHost host : hosts.values()) {
                assertThat(host.hosting.state())
                        .as("%s, although ZooKeeper was set back", host.name)
                        .isNotEqualTo(HostingState.SERVING);
                assertThat(host.hasFailed() || host.hosting.whyRefusing() != null)
                        .as("%s says why", host.name)
                        .isTrue();
            }
        }

        private void pass(int ms) {
            time.advance(Duration.ofMillis(ms));
            hosts.values().stream().filter(host -> host != frozen).forEach(host -> host.zooKeeper.deliver());
        }

        private static void doUpkeep(SimulatedHost host) {
            try {
                host.hosting.doUpkeep();
            } catch (IOException | GatewayException e) {
                // It tries again later.
                SimulationTrace.say(() -> "UPKEEP of " + host.name + " failed: " + e);
            }
        }

        private void deleteTopic() {
            ifNotFrozen(host -> {
                if (zooKeeper.topics.size() == 6 && !zooKeeper.isSetBack() && host.zooKeeper.isUp()) {
                    TopicMetadata topic = zooKeeper.topics.get(5);
                    topic.allPartitions().forEach(partition -> {
                        PartitionBook book = Objects.requireNonNull(books.remove(partition));
                        acknowledgedBefore += book.acknowledgedPuts();
                    });
                    try {
                        host.zooKeeper.registry.delete(topic);
                        host.hosting.release(topic);
                    } catch (GatewayException e) {
                        // Its records are left to the next start of a host.
                    }
                }
            });
        }

        private void createTopic() {
            ifNotFrozen(host -> {
                if (zooKeeper.topics.size() == 5 && !zooKeeper.isSetBack() && host.zooKeeper.isUp()) {
                    try {
                        host.zooKeeper.registry.create(newTopic(SHORT_RETENTION, 2));
                    } catch (GatewayException e) {
                        // It is there.
                    }
                }
            });
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
                                hdfs.new View(),
                                time,
                                Duration.ofMillis(random.nextInt((int) PartitionBook.CLOCKS_DIFFER.toMillis())
                                        - PartitionBook.CLOCKS_DIFFER.toMillis() / 2),
                                PLACEMENT,
                                this::reach));
            }
        }

        private PartitionService reach(Peer peer) {
            SimulatedHost host = hosts.get(peer.host());
            if (host == null || host == frozen || host.hosting.incarnationNumber() != peer.incarnation()) {
                throw new GatewayException(ErrorCode.PARTITION_NOT_SERVING, peer + " cannot be reached");
            }
            return losingReplies(host.partitions);
        }

        /** What is done may not be answered; for puts, which must not be made again then. */
        private PartitionService losingReplies(PartitionService partitions) {
            return (PartitionService) Proxy.newProxyInstance(
                    PartitionService.class.getClassLoader(),
                    new Class<?>[] {PartitionService.class},
                    (proxy, method, arguments) -> {
                        Object answer = method.invoke(partitions, arguments);
                        if (!method.getName().equals("put") || zooKeeper.isCalm || random.nextInt(3) > 0) {
                            return answer;
                        }
                        lostReplies++;
                        return CompletableFuture.failedFuture(
                                new GatewayException(ErrorCode.OUTCOME_UNKNOWN, "The answer was lost."));
                    });
        }

        private void kill(@Nullable SimulatedHost host) {
            if (host != null && host != frozen) {
                hosts.remove(host.name);
                host.zooKeeper.expire();
                goneSinceNanos.putIfAbsent(host.name, time.nanoTime());
            }
        }

        private void expire(@Nullable SimulatedHost host) {
            if (host != null && !host.zooKeeper.expired) {
                // ZooKeeper has heard nothing of it for so long.
                host.zooKeeper.disconnected = true;
                time.advance(SimulatedZooKeeper.SESSION_TIMEOUT);
                host.zooKeeper.expire();
                goneSinceNanos.putIfAbsent(host.name, time.nanoTime());
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
                    host.leavesAtNanos = time.nanoTime() + PATIENCE.toNanos();
                    leavers.add(host.name);
                } catch (GatewayException e) {
                    // It tries again some other time.
                }
            } else if (host.leaving && (host.hosting.mayGo() || time.nanoTime() - host.leavesAtNanos > 0)) {
                host.hosting.end();
                host.threads.drain(random);
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

        private PartitionBook anyBook() {
            return List.copyOf(books.values()).get(random.nextInt(books.size()));
        }

        /** The host that a request for the partition comes to by way of any host; null if none can be reached. */
        private @Nullable SimulatedHost route(TopicPartition partition) {
            SimulatedHost via = anyHost();
            if (via == null || via == frozen) {
                return null;
            }
            HostInfo other = via.hosting.otherOwner(partition);
            SimulatedHost owner = other == null ? via : hosts.get(other.name());
            return owner == frozen ? null : owner;
        }

        private void put() {
            PartitionBook book = anyBook();
            SimulatedHost owner = route(book.partition);
            if (owner == null || owner.hosting.find(book.partition) == null) {
                return;
            }
            PartitionBook.Put put = book.again(random);
            if (put == null) {
                int length = random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(100);
                put = book.add(
                        "put %-10d".formatted(putNumber++) + "x".repeat(length),
                        random.nextBoolean(),
                        random.nextInt(3) == 0 ? Durability.MEMORY : Durability.DISK);
                if (random.nextInt(4) == 0) {
                    put.expect(book.knownEnd() + (random.nextInt(4) == 0 ? 1 : 0));
                }
                if (random.nextBoolean()) {
                    book.carryToken(put);
                }
            }
            if (random.nextInt(8) == 0 && frozen == null) {
                freezeInside(owner, book.partition);
            }
            book.append(owner, put, random.nextInt(10) == 0);
            if (random.nextInt(4) == 0) {
                book.setToken(owner);
            }
        }

        private void get() {
            PartitionBook book = anyBook();
            SimulatedHost owner = route(book.partition);
            if (owner != null) {
                book.get(owner, random, random.nextInt(4) == 0);
            }
        }

        private void askGroup() {
            SimulatedHost owner = route(groups.coordinator());
            if (owner != null) {
                groups.ask(owner, random);
            }
        }

        private void askTransaction() {
            SimulatedHost owner = route(transactions.coordinator());
            if (owner != null) {
                if (random.nextInt(20) == 0 && frozen == null) {
                    freezeInside(owner, transactions.coordinator());
                }
                transactions.ask(owner, random);
            }
        }

        /** Whoever recovers a journal may stand still with its claim; whoever waits for it may see the holder's session end. */
        private void stallWithClaim(boolean waits, SimulatedZooKeeper.Client client) {
            SimulatedHost holder = hosts.values().stream()
                    .filter(host -> host.zooKeeper == client)
                    .findAny()
                    .orElse(null);
            if (zooKeeper.isCalm || holder == null) {
                return;
            }
            if (waits) {
                claimWaits++;
                pass(0);
                if (random.nextInt(20) == 0) {
                    expire(holder);
                }
            } else if (frozen == null && random.nextInt(4) == 0) {
                freeze(holder, random.nextInt(100), false);
            }
        }

        /** The next sync of the host takes so long that much else happens, its session's end maybe. */
        private void freezeInside(SimulatedHost host, TopicPartition partition) {
            int events = random.nextInt(100);
            boolean expires = random.nextBoolean();
            host.storage.beforeSync = () -> {
                host.storage.beforeSync = () -> {};
                if (frozen != null || !hosts.containsValue(host)) {
                    return;
                }
                freeze(host, events, expires);
                Versioned record = zooKeeper.ownership.get(partition);
                if (record != null && !record.ownership().owner().equals(host.name)) {
                    fencedInsidePut++;
                }
            };
        }

        private void freeze(SimulatedHost host, int events, boolean expires) {
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
                book.checkAnswers();
                groups.checkAnswers();
                transactions.checkAnswers();
                // Earlier records name earlier owners.
                PartitionLog log = zooKeeper.isSetBack() ? null : ownersLog(book.partition);
                if (log != null) {
                    assertThat(log.durableOffset())
                            .as(
                                    "what the owner of %s has (%s)",
                                    book.partition, zooKeeper.ownership.get(book.partition))
                            .isGreaterThanOrEqualTo(book.knownEnd());
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
                                && time.nanoTime() - goneSince
                                        >= PLACEMENT.removalDelay().toNanos());
                assertThat(mayGo || names.contains(name))
                        .as("%s is waited for", name)
                        .isTrue();
            }
            placed = names;
        }

        private void calmDown() {
            zooKeeper.isCalm = true;
            for (int number = 0; number < HOSTS; number++) {
                start("host-" + number);
            }
            for (int round = 0; round < MOST_ROUNDS; round++) {
                for (SimulatedHost host : List.copyOf(hosts.values())) {
                    host.storage.beforeSync = () -> {};
                    host.storage.trouble = 0;
                    host.storage.full = false;
                    host.storage.replicas = SimulatedHdfs.REPLICAS;
                    host.zooKeeper.loseNextReply = false;
                    if (host.leaving) {
                        leave(host);
                        start(host.name);
                    }
                    if (!hosts.containsValue(host)) {
                        continue;
                    }
                    if (host.hasFailed() && !host.leaving) {
                        // Its operator starts it again.
                        kill(host);
                        start(host.name);
                        continue;
                    }
                    reconnect(host);
                    checkFence(host);
                    host.transactions.sweep();
                }
                decide();
                work(100);
                time.advance(ROUND);
                if (round == OPERATOR_COMES && zooKeeper.isSetBack()) {
                    checkNobodyServes();
                    putBack();
                }
                if (!zooKeeper.isSetBack() && isSettled()) {
                    return;
                }
            }
            fail("not everything is served: " + zooKeeper.placement + ", " + zooKeeper.alive.values() + ", "
                    + hosts.values().stream()
                            .map(host -> host.name + " " + host.hosting.state() + " leaving: " + host.leaving
                                    + " elected: " + host.zooKeeper.election.isElected())
                            .toList()
                    + ", "
                    + books.keySet().stream()
                            .filter(partition -> !isSettled(partition))
                            .map(partition -> zooKeeper.ownership.get(partition) + " hosted by "
                                    + hosts.values().stream()
                                            .filter(host -> host.hosting.find(partition) != null)
                                            .map(host -> host.name)
                                            .toList())
                            .toList());
        }

        /** Each partition of a group can be asked for, of some host, when all is well. */
        private void checkGroups() {
            for (int round = 0; round < MOST_ROUNDS && !groups.isFound(); round++) {
                SimulatedHost owner = route(groups.coordinator());
                if (owner != null) {
                    groups.findAll(owner);
                }
                List.copyOf(hosts.values()).forEach(this::reconnect);
                decide();
                work(100);
                time.advance(ROUND);
            }
            groups.checkAnswers();
            assertThat(groups.isFound()).as("groups can be asked in the end").isTrue();
        }

        /** What was asked for has become of each transaction, when all is well. */
        private void checkTransactions() {
            // Its partition may be on its way to a host that has come back just now.
            for (int round = 0;
                    round < MOST_ROUNDS && !(transactions.isDecided() && ownersLog(transactions.partition()) != null);
                    round++) {
                SimulatedHost owner = route(transactions.coordinator());
                if (owner != null) {
                    transactions.commitAgain(owner);
                }
                List.copyOf(hosts.values()).forEach(this::reconnect);
                decide();
                work(100);
                time.advance(ROUND);
            }
            assertThat(transactions.isDecided()).as("transactions end").isTrue();
            transactions.check(Objects.requireNonNull(ownersLog(transactions.partition())));
        }

        private static void checkFence(SimulatedHost host) {
            try {
                host.hosting.checkFence();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private boolean isSettled() {
            return zooKeeper.placement.placement().hosts().size() == HOSTS
                    && books.keySet().stream().allMatch(this::isSettled);
        }

        private boolean isSettled(TopicPartition partition) {
            PartitionLog log = ownersLog(partition);
            TopicMetadata topic = zooKeeper.topics.stream()
                    .filter(one -> one.id().equals(partition.topic()))
                    .findAny()
                    .orElse(null);
            return topic == null
                    || (log != null
                            && log.takesAppends()
                            && Objects.equals(
                                    new PlacementMap(zooKeeper.placement.placement())
                                            .ownerOf(topic, partition.partition()),
                                    zooKeeper
                                            .ownership
                                            .get(partition)
                                            .ownership()
                                            .owner()));
        }

        long acknowledged() {
            return acknowledgedBefore
                    + books.values().stream()
                            .mapToLong(PartitionBook::acknowledgedPuts)
                            .sum();
        }

        private int fencedOff() {
            return books.values().stream().mapToInt(PartitionBook::fencedOff).sum();
        }

        private int unexpected() {
            return books.values().stream().mapToInt(PartitionBook::unexpected).sum();
        }

        int lost() {
            return books.values().stream().mapToInt(PartitionBook::lost).sum();
        }

        private void checkAll() {
            for (PartitionBook book : books.values()) {
                book.check(Objects.requireNonNull(ownersLog(book.partition)));
            }
        }
    }
}
