package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.google.common.collect.Lists;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.zookeeper.KeeperException;

/** Ownership records as one node a partition; many are read in a pipeline and written in transactions. */
final class CuratorOwnershipRecords implements OwnershipRecords {

    /** A record has some 200 bytes; ZooKeeper takes a megabyte at once. */
    private static final int CHANGES_AT_ONCE = 500;

    private static final long READ_TIMEOUT_SECONDS = 30;

    private final CuratorFramework client;
    private final String directory;

    CuratorOwnershipRecords(CuratorFramework client, String root) {
        this.client = client;
        this.directory = root + "/partitions";
    }

    private String path(TopicId topic) {
        return directory + "/" + topic;
    }

    private String path(TopicPartition partition) {
        return path(partition.topic()) + "/" + partition.partition();
    }

    @Override
    public Map<TopicPartition, Versioned> read(TopicMetadata topic) {
        List<String> children;
        try {
            children = ZooKeeperErrors.call(() -> client.getChildren().forPath(path(topic.id())));
        } catch (KeeperException.NoNodeException e) {
            return Map.of();
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
        Map<TopicPartition, CompletableFuture<Versioned>> reads = new HashMap<>();
        for (String child : children) {
            TopicPartition partition = new TopicPartition(topic.id(), Integer.parseInt(child));
            reads.put(partition, readLater(partition));
        }
        Map<TopicPartition, Versioned> records = new HashMap<>();
        reads.forEach((partition, read) -> records.put(partition, await(read)));
        return records;
    }

    private CompletableFuture<Versioned> readLater(TopicPartition partition) {
        CompletableFuture<Versioned> read = new CompletableFuture<>();
        try {
            client.getData()
                    .inBackground((curator, event) -> {
                        KeeperException.Code code = KeeperException.Code.get(event.getResultCode());
                        if (code != KeeperException.Code.OK) {
                            read.completeExceptionally(KeeperException.create(code, event.getPath()));
                            return;
                        }
                        try {
                            OwnershipRecord record = RecordJson.ownership(event.getData());
                            read.complete(new Versioned(record, event.getStat().getVersion()));
                        } catch (IOException | IllegalArgumentException e) {
                            read.completeExceptionally(
                                    new IOException(event.getPath() + " is not an ownership record", e));
                        }
                    })
                    .forPath(path(partition));
        } catch (Exception e) {
            read.completeExceptionally(e);
        }
        return read;
    }

    private static Versioned await(CompletableFuture<Versioned> read) {
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
        for (List<Change> part : Lists.partition(changes, CHANGES_AT_ONCE)) {
            versions.addAll(writeAtOnce(part));
        }
        return versions;
    }

    private List<Integer> writeAtOnce(List<Change> changes) throws StaleOwnershipException {
        try {
            for (TopicId topic : changes.stream()
                    .map(change -> change.partition().topic())
                    .distinct()
                    .toList()) {
                ZooKeeperErrors.call(() -> {
                    client.createContainers(path(topic));
                    return topic;
                });
            }
            List<CuratorOp> operations = new ArrayList<>();
            for (Change change : changes) {
                operations.add(ZooKeeperErrors.call(() -> operation(change)));
            }
            List<CuratorTransactionResult> results =
                    ZooKeeperErrors.call(() -> client.transaction().forOperations(operations));
            return results.stream().map(CuratorOwnershipRecords::version).toList();
        } catch (KeeperException e) {
            // Maybe by our own first attempt, whose answer was lost: then every record is as we want it.
            return versionsIfWritten(changes);
        }
    }

    private CuratorOp operation(Change change) throws Exception {
        byte[] data = RecordJson.encode(change.ownership());
        return change.expectedVersion() == ABSENT
                ? client.transactionOp().create().forPath(path(change.partition()), data)
                : client.transactionOp()
                        .setData()
                        .withVersion(change.expectedVersion())
                        .forPath(path(change.partition()), data);
    }

    private static Integer version(CuratorTransactionResult result) {
        return result.getResultStat() == null ? 0 : result.getResultStat().getVersion();
    }

    private List<Integer> versionsIfWritten(List<Change> changes) throws StaleOwnershipException {
        List<Integer> versions = new ArrayList<>();
        for (Change change : changes) {
            Versioned current;
            try {
                current = await(readLater(change.partition()));
            } catch (RuntimeException e) {
                StaleOwnershipException stale = new StaleOwnershipException(change.partition());
                stale.addSuppressed(e);
                throw stale;
            }
            if (!current.ownership().equals(change.ownership())) {
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
