package io.talosgateway.rest.hosting;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.talosgateway.rest.coordination.Election;
import io.talosgateway.rest.coordination.HostExistsException;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What the hosts of a simulated cluster agree on. For one thread. */
final class SimulatedZooKeeper {

    final List<TopicMetadata> topics = new ArrayList<>();
    final Map<TopicPartition, OwnershipRecords.Versioned> ownership = new HashMap<>();
    final Map<String, HostInfo> alive = new TreeMap<>();
    private final Map<String, Client> ephemeralOwners = new HashMap<>();
    private final Map<String, Long> incarnations = new HashMap<>();
    private final List<Client> candidates = new ArrayList<>();
    PlacementRecord.Versioned placement = new PlacementRecord.Versioned(Placement.EMPTY, PlacementRecord.ABSENT);
    Runnable placementListener = () -> {};

    private static GatewayException unavailable() {
        return new GatewayException(ErrorCode.COORDINATION_UNAVAILABLE, "injected");
    }

    /** A process's connection. What it knows by watches is old until {@link #deliver} is called. */
    final class Client {

        private final List<Runnable> listeners = new ArrayList<>();
        private final List<Runnable> sessionListeners = new ArrayList<>();
        private Map<String, HostInfo> known = Map.copyOf(alive);
        private PlacementRecord.Versioned knownPlacement = placement;
        private boolean believesElected;
        private boolean stands;
        boolean expired;
        boolean disconnected;
        boolean loseNextReply;

        final Hosts hosts = new ClientHosts();
        final TopicRegistry registry = new ClientTopics();
        final OwnershipRecords records = new ClientRecords();
        final PlacementRecord placementRecord = new ClientPlacement();
        final Election election = new ClientElection();

        private void check() {
            if (expired || disconnected) {
                throw unavailable();
            }
        }

        /** After a write that was made. */
        private void reply() {
            if (loseNextReply) {
                loseNextReply = false;
                throw unavailable();
            }
        }

        void deliver() {
            if (expired || disconnected) {
                return;
            }
            believesElected = !candidates.isEmpty() && candidates.get(0) == this;
            if (!known.equals(alive) || !knownPlacement.equals(placement)) {
                known = Map.copyOf(alive);
                knownPlacement = placement;
                List.copyOf(listeners).forEach(Runnable::run);
            }
        }

        /** ZooKeeper ends the session; the process does not know. */
        void expire() {
            expired = true;
            candidates.remove(this);
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
            public void register(HostInfo host) throws HostExistsException {
                check();
                Client owner = ephemeralOwners.get(host.name());
                if (owner != null && owner != Client.this) {
                    throw new HostExistsException(host.name(), "elsewhere");
                }
                ephemeralOwners.put(host.name(), Client.this);
                alive.put(host.name(), host);
            }

            @Override
            public void announce(HostInfo host) {
                check();
                alive.put(host.name(), host);
            }

            @Override
            public void unregister(String host) {
                check();
                if (ephemeralOwners.remove(host, Client.this)) {
                    alive.remove(host);
                }
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
                return partitions.stream()
                        .filter(ownership::containsKey)
                        .collect(Collectors.toMap(partition -> partition, ownership::get));
            }

            @Override
            public List<Integer> write(List<Change> changes) throws StaleOwnershipException {
                check();
                for (Change change : changes) {
                    OwnershipRecords.Versioned current = ownership.get(change.partition());
                    if ((current == null ? ABSENT : current.version()) != change.expectedVersion()) {
                        throw new StaleOwnershipException(change.partition());
                    }
                }
                changes.forEach(change -> ownership.put(
                        change.partition(),
                        new OwnershipRecords.Versioned(change.ownership(), change.expectedVersion() + 1)));
                if (Boolean.getBoolean("simulation.trace")) {
                    changes.forEach(c -> System.out.println("RECORD " + c));
                }
                reply();
                return changes.stream()
                        .map(change -> change.expectedVersion() + 1)
                        .toList();
            }

            @Override
            public void delete(TopicId topic) {
                check();
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

        private final class ClientTopics implements TopicRegistry {

            @Override
            public @Nullable TopicMetadata find(TopicName name) {
                return topics.stream()
                        .filter(topic -> topic.name().equals(name))
                        .findAny()
                        .orElse(null);
            }

            @Override
            public @Nullable TopicMetadata find(TopicId id) {
                return topics.stream()
                        .filter(topic -> topic.id().equals(id))
                        .findAny()
                        .orElse(null);
            }

            @Override
            public Collection<TopicMetadata> all() {
                return topics;
            }

            @Override
            public void onChange(Runnable listener) {
                // Topics do not change here.
            }

            @Override
            public Set<TopicId> idsNow() {
                check();
                return topics.stream().map(TopicMetadata::id).collect(Collectors.toSet());
            }

            @Override
            public void create(TopicMetadata topic) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void update(TopicMetadata expected, TopicMetadata changed) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void delete(TopicMetadata topic) {
                throw new UnsupportedOperationException();
            }
        }
    }
}
