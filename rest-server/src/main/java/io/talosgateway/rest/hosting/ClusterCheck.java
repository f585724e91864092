package io.talosgateway.rest.hosting;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import io.talosgateway.rest.coordination.ClusterIdentity;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.wire.message.ByteSlice;

/** Makes sure, before anything is written, that ZooKeeper and the storage belong to the same cluster. */
public final class ClusterCheck {

    private static final String PATH = "cluster-id";
    private static final int MAX_BYTES = 200;

    private ClusterCheck() {}

    /**
     * Compares the ids, and gives one to a new cluster. Blocks.
     *
     * @return the cluster's id
     * @throws IOException with a sentence for the operator if they do not belong together
     */
    public static String check(ClusterIdentity identity, TopicRegistry topics, JournalStorage storage, NanoClock clock)
            throws IOException {
        String recorded = identity.clusterId();
        String stored = new StorageWait(clock, () -> false)
                .read(PATH, () -> storedId(storage))
                .orElse(null);
        if (stored != null && !stored.equals(recorded)) {
            throw new IOException(
                    recorded == null
                            ? ("The storage %s belongs to the cluster %s, of which ZooKeeper knows nothing. If ZooKeeper's data was "
                                            + "lost, restore it; else name another storage.root or zookeeper.root.")
                                    .formatted(storage.location(), stored)
                            : "The storage %s belongs to the cluster %s, ZooKeeper's data to the cluster %s. Name a storage.root and a zookeeper.root that belong together."
                                    .formatted(storage.location(), stored, recorded));
        }
        if (stored == null) {
            if (!topics.all().isEmpty()) {
                throw new IOException(
                        ("ZooKeeper knows %d topics, but the storage %s is empty. Name the storage.root in which their "
                                        + "messages are.")
                                .formatted(topics.all().size(), storage.location()));
            }
            String created = identity.createClusterId();
            storage.createWhole(PATH, ByteSlice.utf8(created + "\n"));
            return created;
        }
        return stored;
    }

    private static Optional<String> storedId(JournalStorage storage) throws IOException {
        try (ReadFile file = storage.open(PATH)) {
            byte[] bytes = new byte[MAX_BYTES];
            int read = file.read(0, bytes, 0, bytes.length);
            return Optional.of(new String(bytes, 0, Math.max(0, read), StandardCharsets.UTF_8).trim());
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }
}
