package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.talosgateway.rest.coordination.ClaimedRecoveries;
import io.talosgateway.rest.coordination.Election;
import io.talosgateway.rest.coordination.HostExistsException;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.ReadLease;
import io.talosgateway.rest.coordination.RecoveryClaims;
import io.talosgateway.rest.coordination.SessionLease;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.coordination.TopicUsage;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.SteppedTime;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the hosts of a simulated cluster agree on. Transactions of many records are divided, reads may be old, answers get lost, as
 * ZooKeeper's do. For one thread.
 */
final class SimulatedZooKeeper {

    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(1);

    private final SteppedTime time;
    private final Random random;
    final List<TopicMetadata> topics = new ArrayList<>();
    final Map<TopicPartition, OwnershipRecords.Versioned> ownership = new HashMap<>();
    private int changes;
    private final List<Client> clients = new ArrayList<>();
    final Map<String, HostInfo> alive = new TreeMap<>();
    private final Map<String, Client> ephemeralOwners = new HashMap<>();
    private final Map<String, Long> incarnations = new HashMap<>();
    private final List<Client> candidates = new ArrayList<>();
    /** Who recovers which journal. */
    private final Map<String, Client> claims = new HashMap<>();

    PlacementRecord.Versioned placement = new PlacementRecord.Versioned(Placement.EMPTY, PlacementRecord.ABSENT);
    /** Whether nothing goes wrong by itself. */
    boolean isCalm = true;

    Runnable placementListener = () -> {};
    ClaimListener claimListener = (waits, holder) -> {};
    /** Told each record before and after it is changed. */
    RecordListener recordListener = (partition, before, after) -> {};

    /** Told each client that has got a claim, before it goes on, and each one that waits for another's. */
    interface ClaimListener {
        void claimed(boolean waits, Client holder);
    }

    interface RecordListener {
        void changed(TopicPartition partition, OwnershipRecord before, OwnershipRecord after);
    }

    SimulatedZooKeeper(Random random, SteppedTime time) {
        this.random = random;
        this.time = time;
    }

    /** What a backup holds: all but sessions. */
    private record Backup(
            List<TopicMetadata> topics,
            Map<TopicPartition, OwnershipRecords.Versioned> ownership,
            int changes,
            Map<String, Long> incarnations,
            PlacementRecord.Versioned placement) {}

    private @Nullable Backup backup;
    /** What was there before the backup was restored; null while it is. */
    private @Nullable Backup newest;

    private Backup copy() {
        return new Backup(List.copyOf(topics), Map.copyOf(ownership), changes, Map.copyOf(incarnations), placement);
    }

    private void set(Backup state) {
        clients.forEach(Client::expire);
        topics.clear();
        topics.addAll(state.topics);
        ownership.clear();
        ownership.putAll(state.ownership);
        changes = state.changes;
        incarnations.clear();
        incarnations.putAll(state.incarnations);
        placement = state.placement;
        clients.forEach(client -> client.follower = Map.copyOf(ownership));
    }

    void backUp() {
        backup = copy();
    }

    /**
     * Sets everything back to the backup. A topic is created or deleted for sure when its records are: that is not undone.
     *
     * @param marked how many changes the hosts have acted on
     * @return false if there is no backup, or it is there already
     */
    boolean restore(long marked) {
        Backup old = backup;
        if (old == null || newest != null || (marked <= old.changes && !old.topics.equals(topics))) {
            return false;
        }
        SimulationTrace.say(
                () -> "RESTORED with " + old.changes + " of " + changes + " changes, " + marked + " marked");
        newest = marked > old.changes ? copy() : null;
        set(old);
        return true;
    }

    /** Whether it lacks what the hosts have acted on. */
    boolean isSetBack() {
        return newest != null;
    }

    /** An operator has found the newest state. What was done since then is lost. */
    void putBack() {
        SimulationTrace.say(() -> "PUT BACK");
        set(Objects.requireNonNull(newest));
        newest = null;
    }

    private static GatewayException unavailable() {
        return new GatewayException(ErrorCode.COORDINATION_UNAVAILABLE, "injected");
    }

    /** A process's connection. What it knows by watches is old until {@link #deliver} is called. */
    final class Client {

        private final List<Runnable> listeners = new ArrayList<>();
        private final List<Runnable> sessionListeners = new ArrayList<>();
        private Map<String, HostInfo> known = Map.copyOf(alive);
        private PlacementRecord.Versioned knownPlacement = placement;
        private List<TopicMetadata> knownTopics = List.copyOf(topics);
        /** What the server that this client is connected to knows. */
        private Map<TopicPartition, OwnershipRecords.Versioned> follower = Map.copyOf(ownership);
        /** Whether records are read as the follower has them, until the client has it brought up to date. */
        private boolean isBehind;

        private boolean believesElected;
        private boolean stands;
        boolean expired;
        boolean disconnected;
        boolean loseNextReply;
        /** Whether its watch of the hosts is late, and that of the placement is not. */
        boolean hostsLate;
        /** The same of its watch of the topics. */
        boolean topicsLate;

        /** Curator releases them as soon as there is a connection. */
        private final List<String> releasedClaims = new ArrayList<>();

        private SessionLease lease = newLease();

        final Hosts hosts = new ClientHosts();
        final TopicRegistry registry = new ClientTopics();
        final OwnershipRecords records = new ClientRecords();
        final PlacementRecord placementRecord = new ClientPlacement();
        final Election election = new ClientElection();
        final RecoveryClaims recoveryClaims = new ClaimedRecoveries(ClientMutex::new);

        Client() {
            clients.add(this);
        }

        private SessionLease newLease() {
            return new SessionLease(SESSION_TIMEOUT, time, () -> Instant.EPOCH.plusNanos(time.elapsedNanos()));
        }

        /** Has records read as they were, until the client asks for the newest. */
        void fallBehind(Map<TopicPartition, OwnershipRecords.Versioned> old) {
            follower = old;
            isBehind = true;
        }

        private void check() {
            if (expired || disconnected) {
                throw unavailable();
            }
        }

        boolean isUp() {
            return !expired && !disconnected;
        }

        private void releaseClaims() {
            releasedClaims.forEach(journal -> claims.remove(journal, this));
            releasedClaims.clear();
        }

        /** After a write that was made. */
        private void reply() {
            if (loseNextReply) {
                loseNextReply = false;
                throw unavailable();
            }
        }

        /** What the process watches, and then that ZooKeeper has heard of it, which comes after. */
        void deliver() {
            if (expired || disconnected) {
                return;
            }
            releaseClaims();
            lease.confirmed(lease.now());
            believesElected = !candidates.isEmpty() && candidates.get(0) == this;
            if (!known.equals(alive) || !knownPlacement.equals(placement) || !knownTopics.equals(topics)) {
                known = hostsLate ? known : Map.copyOf(alive);
                knownPlacement = placement;
                knownTopics = topicsLate ? knownTopics : List.copyOf(topics);
                List.copyOf(listeners).forEach(Runnable::run);
            }
        }

        /** ZooKeeper ends the session; the process does not know. */
        void expire() {
            expired = true;
            candidates.remove(this);
            claims.values().removeIf(holder -> holder == this);
            ephemeralOwners.entrySet().removeIf(entry -> {
                if (entry.getValue() == this) {
                    alive.remove(entry.getKey());
                    return true;
                }
                return false;
            });
        }

        /** The process hears that its session has ended, and has a new one. */
        void beginNewSession() {
            lease.end("the session has ended");
            expired = false;
            disconnected = false;
            believesElected = false;
            if (stands) {
                candidates.add(this);
            }
            deliver();
            List.copyOf(sessionListeners).forEach(Runnable::run);
        }

        private final class ClientHosts implements Hosts {

            @Override
            public long nextIncarnation(String host, long known) {
                check();
                return incarnations.merge(host, known + 1, (counted, least) -> Math.max(counted + 1, least));
            }

            @Override
            public ReadLease register(HostInfo host) throws HostExistsException {
                check();
                Client owner = ephemeralOwners.get(host.name());
                if (owner != null && owner != Client.this) {
                    throw new HostExistsException(host.name(), "elsewhere");
                }
                ephemeralOwners.put(host.name(), Client.this);
                alive.put(host.name(), host);
                lease.end("registered again");
                lease = newLease();
                lease.confirmed(lease.now());
                return lease;
            }

            @Override
            public void announce(HostInfo host) {
                check();
                alive.put(host.name(), host);
            }

            @Override
            public void unregister(String host) {
                check();
                lease.end("unregistered");
                if (ephemeralOwners.remove(host, Client.this)) {
                    alive.remove(host);
                }
            }

            @Override
            public boolean isGone(String host, long incarnation) {
                check();
                HostInfo registered = alive.get(host);
                return registered == null || registered.incarnation() != incarnation;
            }

            @Override
            public Map<String, HostInfo> alive() {
                return known;
            }

            @Override
            public void onChange(Runnable listener) {
                listeners.add(listener);
            }

            @Override
            public void onNewSession(Runnable listener) {
                sessionListeners.add(listener);
            }

            @Override
            public boolean isConnected() {
                return !disconnected && !expired;
            }
        }

        private final class ClientRecords implements OwnershipRecords {

            @Override
            public Map<TopicPartition, OwnershipRecords.Versioned> read(Collection<TopicPartition> partitions) {
                check();
                if (!isBehind && (isCalm || random.nextInt(4) > 0)) {
                    follower = Map.copyOf(ownership);
                }
                return partitions.stream()
                        .filter(follower::containsKey)
                        .collect(Collectors.toMap(partition -> partition, follower::get));
            }

            @Override
            public Map<TopicPartition, OwnershipRecords.Versioned> read(
                    Collection<TopicPartition> partitions, BiConsumer<TopicPartition, String> unreadable) {
                return read(partitions);
            }

            @Override
            public List<Integer> write(List<Change> changes) throws StaleOwnershipException {
                List<Integer> versions = new ArrayList<>();
                for (int from = 0; from < changes.size(); ) {
                    int to = isCalm ? changes.size() : from + 1 + random.nextInt(changes.size() - from);
                    writeAtOnce(changes.subList(from, to));
                    changes.subList(from, to).forEach(change -> versions.add(change.expectedVersion() + 1));
                    if (to < changes.size() && random.nextInt(20) == 0) {
                        throw unavailable();
                    }
                    from = to;
                }
                return versions;
            }

            private void writeAtOnce(List<Change> changes) throws StaleOwnershipException {
                check();
                for (Change change : changes) {
                    OwnershipRecords.Versioned current = ownership.get(change.partition());
                    if ((current == null ? ABSENT : current.version()) != change.expectedVersion()) {
                        throw new StaleOwnershipException(change.partition());
                    }
                }
                for (Change change : changes) {
                    OwnershipRecords.Versioned before = ownership.put(
                            change.partition(),
                            new OwnershipRecords.Versioned(change.ownership(), change.expectedVersion() + 1));
                    SimulationTrace.say(() -> "RECORD " + change);
                    assertThat(isSetBack())
                            .as("a record is changed that is not the newest")
                            .isFalse();
                    if (before != null) {
                        recordListener.changed(change.partition(), before.ownership(), change.ownership());
                    }
                }
                SimulatedZooKeeper.this.changes++;
                follower = Map.copyOf(ownership);
                reply();
            }

            @Override
            public int changes() {
                check();
                isBehind = false;
                follower = Map.copyOf(ownership);
                return changes;
            }

            @Override
            public void delete(TopicId topic) {
                check();
                changes++;
                ownership.keySet().removeIf(partition -> partition.topic().equals(topic));
            }

            @Override
            public List<TopicId> topics() {
                check();
                return ownership.keySet().stream()
                        .map(TopicPartition::topic)
                        .distinct()
                        .toList();
            }
        }

        private final class ClientPlacement implements PlacementRecord {

            @Override
            public PlacementRecord.Versioned current() {
                return knownPlacement;
            }

            @Override
            public boolean replace(int expectedVersion, Placement next) {
                check();
                if (placement.version() != expectedVersion) {
                    return false;
                }
                placement = new PlacementRecord.Versioned(next, expectedVersion + 1);
                placementListener.run();
                reply();
                return true;
            }

            @Override
            public void onChange(Runnable listener) {
                listeners.add(listener);
            }
        }

        private final class ClientElection implements Election {

            @Override
            public void stand(String host) {
                stands = true;
                candidates.add(Client.this);
            }

            @Override
            public boolean isElected() {
                return believesElected;
            }

            @Override
            public void onElected(Runnable listener) {
                // The simulation asks the controller again and again.
            }

            @Override
            public void withdraw() {
                stands = false;
                candidates.remove(Client.this);
            }
        }

        private final class ClientMutex implements ClaimedRecoveries.Mutex {

            private final String journal;

            ClientMutex(String journal) {
                this.journal = journal;
            }

            /** Whoever has it stands still; its session may end. */
            @Override
            public boolean acquire(long seconds) {
                check();
                Client holder = claims.putIfAbsent(journal, Client.this);
                if (holder == null) {
                    SimulationTrace.say(() -> "CLAIM on " + journal);
                    claimListener.claimed(false, Client.this);
                    return true;
                }
                SimulationTrace.say(() -> "WAIT for the claim on " + journal);
                time.advance(Duration.ofSeconds(seconds));
                claimListener.claimed(true, holder);
                return false;
            }

            @Override
            public void release() {
                releasedClaims.add(journal);
                check();
                releaseClaims();
            }
        }

        private final class ClientTopics implements TopicRegistry {

            @Override
            public @Nullable TopicMetadata find(TopicName name) {
                return knownTopics.stream()
                        .filter(topic -> topic.name().equals(name))
                        .findAny()
                        .orElse(null);
            }

            @Override
            public @Nullable TopicMetadata find(TopicId id) {
                return knownTopics.stream()
                        .filter(topic -> topic.id().equals(id))
                        .findAny()
                        .orElse(null);
            }

            @Override
            public Collection<TopicMetadata> all() {
                return knownTopics;
            }

            @Override
            public void onChange(Runnable listener) {
                listeners.add(listener);
            }

            @Override
            public Page page(@Nullable TopicName after, Predicate<TopicMetadata> wanted, int maxTopics, long maxBytes) {
                throw new UnsupportedOperationException();
            }

            @Override
            public TopicUsage usage() {
                throw new UnsupportedOperationException();
            }

            @Override
            public TopicUsage usage(String ownerId) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Set<String> unreadable() {
                return Set.of();
            }

            @Override
            public Set<TopicId> idsNow() {
                check();
                return topics.stream().map(TopicMetadata::id).collect(Collectors.toSet());
            }

            @Override
            public void create(TopicMetadata topic) {
                check();
                topics.add(topic);
                knownTopics = List.copyOf(topics);
                reply();
            }

            @Override
            public void update(TopicMetadata expected, TopicMetadata changed) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void delete(TopicMetadata topic) {
                check();
                topics.remove(topic);
                knownTopics = List.copyOf(topics);
                reply();
            }
        }
    }
}
