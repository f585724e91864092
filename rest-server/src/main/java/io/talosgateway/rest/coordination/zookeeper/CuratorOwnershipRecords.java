package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import com.google.common.collect.Lists;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.coordination.zookeeper.OwnershipTransactions.Encoded;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Ownership records as one node a partition; many are read in a pipeline and written in transactions. */
final class CuratorOwnershipRecords implements OwnershipRecords {

    /** Requests on their way at the same time. */
    private static final int READS_AT_ONCE = 5_000;

    private static final long READ_TIMEOUT_SECONDS = 30;
    private static final byte[] NOTHING = {};

    private final CuratorFramework client;
    private final String directory;
    /** Its version is the number of changes: a transaction raises it without having to know it. */
    private final String counter;

    private volatile boolean hasCounter;

    /**
     * What is in the node of a partition.
     *
     * @param record null if there is none, or none that can be understood
     * @param unreadable what is wrong with it; null if nothing is
     */
    private record Found(
            @Nullable Versioned record, @Nullable String unreadable) {}

    CuratorOwnershipRecords(CuratorFramework client, String root) {
        this.client = client;
        this.directory = root + "/partitions";
        this.counter = root + "/ownership-changes";
    }

    private String path(TopicId topic) {
        return directory + "/" + topic;
    }

    private String path(TopicPartition partition) {
        return path(partition.topic()) + "/" + partition.partition();
    }

    @Override
    public Map<TopicPartition, Versioned> read(Collection<TopicPartition> partitions) {
        return read(partitions, (partition, wrong) -> {
            throw ZooKeeperErrors.unavailable(new IOException(wrong));
        });
    }

    @Override
    public Map<TopicPartition, Versioned> read(
            Collection<TopicPartition> partitions, BiConsumer<TopicPartition, String> unreadable) {
        Map<TopicPartition, Versioned> records = new HashMap<>();
        for (List<TopicPartition> part : Lists.partition(List.copyOf(partitions), READS_AT_ONCE)) {
            Map<TopicPartition, CompletableFuture<Found>> reads = new HashMap<>();
            part.forEach(partition -> reads.put(partition, readLater(partition)));
            reads.forEach((partition, read) -> {
                Found found = await(read);
                if (found.unreadable != null) {
                    unreadable.accept(partition, found.unreadable);
                } else if (found.record != null) {
                    records.put(partition, found.record);
                }
            });
        }
        return records;
    }

    private CompletableFuture<Found> readLater(TopicPartition partition) {
        CompletableFuture<Found> read = new CompletableFuture<>();
        try {
            client.getData()
                    .inBackground((curator, event) -> {
                        KeeperException.Code code = KeeperException.Code.get(event.getResultCode());
                        if (code == KeeperException.Code.NONODE) {
                            read.complete(new Found(null, null));
                            return;
                        }
                        if (code != KeeperException.Code.OK) {
                            read.completeExceptionally(KeeperException.create(code, event.getPath()));
                            return;
                        }
                        try {
                            OwnershipRecord record = RecordJson.ownership(event.getData());
                            read.complete(new Found(
                                    new Versioned(record, event.getStat().getVersion()), null));
                        } catch (IOException | RuntimeException e) {
                            read.complete(new Found(
                                    null,
                                    "%s is not an ownership record (%s)"
                                            .formatted(event.getPath(), RecordJson.reason(e))));
                        }
                    })
                    .forPath(path(partition));
        } catch (Exception e) {
            read.completeExceptionally(e);
        }
        return read;
    }

    private static <T extends @Nullable Object> T await(CompletableFuture<T> read) {
        try {
            return read.get(READ_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw ZooKeeperErrors.unavailable(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw ZooKeeperErrors.unavailable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ZooKeeperErrors.unavailable(e);
        }
    }

    @Override
    public List<Integer> write(List<Change> changes) throws StaleOwnershipException {
        List<Integer> versions = new ArrayList<>();
        for (List<Encoded> part : OwnershipTransactions.divide(changes)) {
            versions.addAll(writeAtOnce(part));
        }
        return versions;
    }

    private List<Integer> writeAtOnce(List<Encoded> changes) throws StaleOwnershipException {
        try {
            makeDirectories(changes.stream().map(Encoded::change).toList());
            List<CuratorOp> operations = new ArrayList<>();
            for (Encoded change : changes) {
                operations.add(ZooKeeperErrors.call(() -> operation(change)));
            }
            makeCounter();
            operations.add(
                    ZooKeeperErrors.call(() -> client.transactionOp().setData().forPath(counter, NOTHING)));
            List<CuratorTransactionResult> results =
                    ZooKeeperErrors.call(() -> client.transaction().forOperations(operations));
            return results.stream()
                    .limit(changes.size())
                    .map(CuratorOwnershipRecords::version)
                    .toList();
        } catch (KeeperException e) {
            // Maybe by our own first attempt, whose answer was lost: then every record is as we want it.
            return versionsIfWritten(changes.stream().map(Encoded::change).toList());
        }
    }

    private void makeCounter() throws KeeperException {
        if (!hasCounter) {
            try {
                ZooKeeperErrors.call(
                        () -> client.create().creatingParentsIfNeeded().forPath(counter, NOTHING));
            } catch (KeeperException.NodeExistsException e) {
                // Another host was faster.
            }
            hasCounter = true;
        }
    }

    @Override
    public int changes() {
        try {
            // What this host is connected to may not know yet what the leader has decided.
            ZooKeeperErrors.call(() -> client.sync().forPath(directory));
            Stat stat = ZooKeeperErrors.call(() -> client.checkExists().forPath(counter));
            return stat == null ? 0 : stat.getVersion();
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    /** For new records, each topic's: a batch may be of as many topics as partitions, so all are looked for at the same time. */
    private void makeDirectories(List<Change> changes) throws KeeperException {
        Map<String, CompletableFuture<Boolean>> directories = new HashMap<>();
        for (Change change : changes) {
            if (change.expectedVersion() == ABSENT) {
                directories.computeIfAbsent(path(change.partition().topic()), this::existsLater);
            }
        }
        for (Map.Entry<String, CompletableFuture<Boolean>> directory : directories.entrySet()) {
            if (!await(directory.getValue())) {
                ZooKeeperErrors.call(() -> {
                    client.createContainers(directory.getKey());
                    return directory;
                });
            }
        }
    }

    private CompletableFuture<Boolean> existsLater(String path) {
        CompletableFuture<Boolean> exists = new CompletableFuture<>();
        try {
            client.checkExists()
                    .inBackground((curator, event) -> {
                        KeeperException.Code code = KeeperException.Code.get(event.getResultCode());
                        if (code == KeeperException.Code.OK || code == KeeperException.Code.NONODE) {
                            exists.complete(code == KeeperException.Code.OK);
                        } else {
                            exists.completeExceptionally(KeeperException.create(code, path));
                        }
                    })
                    .forPath(path);
        } catch (Exception e) {
            exists.completeExceptionally(e);
        }
        return exists;
    }

    private CuratorOp operation(Encoded encoded) throws Exception {
        Change change = encoded.change();
        return change.expectedVersion() == ABSENT
                ? client.transactionOp()
                        .create()
                        .forPath(path(change.partition()), encoded.data().array())
                : client.transactionOp()
                        .setData()
                        .withVersion(change.expectedVersion())
                        .forPath(path(change.partition()), encoded.data().array());
    }

    private static Integer version(CuratorTransactionResult result) {
        return result.getResultStat() == null ? 0 : result.getResultStat().getVersion();
    }

    private List<Integer> versionsIfWritten(List<Change> changes) throws StaleOwnershipException {
        Map<TopicPartition, Versioned> records;
        try {
            records = read(changes.stream().map(Change::partition).toList());
        } catch (RuntimeException e) {
            StaleOwnershipException stale =
                    new StaleOwnershipException(changes.get(0).partition());
            stale.addSuppressed(e);
            throw stale;
        }
        List<Integer> versions = new ArrayList<>();
        for (Change change : changes) {
            Versioned current = records.get(change.partition());
            if (current == null || !current.ownership().equals(change.ownership())) {
                throw new StaleOwnershipException(change.partition());
            }
            versions.add(current.version());
        }
        return versions;
    }

    @Override
    public void delete(TopicId topic) {
        try {
            ZooKeeperErrors.call(
                    () -> client.delete().quietly().deletingChildrenIfNeeded().forPath(path(topic)));
            makeCounter();
            ZooKeeperErrors.call(() -> client.setData().forPath(counter, NOTHING));
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public List<TopicId> topics() {
        try {
            return ZooKeeperErrors.call(() -> client.getChildren().forPath(directory)).stream()
                    .map(TopicId::parse)
                    .toList();
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }
}
