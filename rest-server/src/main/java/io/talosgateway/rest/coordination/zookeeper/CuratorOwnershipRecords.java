package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ownership records as one node a partition; many are read in a pipeline and written in transactions. */
final class CuratorOwnershipRecords implements OwnershipRecords {

    private static final Logger log = LoggerFactory.getLogger(CuratorOwnershipRecords.class);
    private static final byte[] NOTHING = {};

    private final CuratorFramework client;
    private final RequestPipeline pipeline;
    private final String directory;
    /** Its version is the number of changes: a transaction raises it without having to know it. */
    private final String counter;

    private volatile boolean hasCounter;

    CuratorOwnershipRecords(CuratorFramework client, String root) {
        this.client = client;
        this.pipeline = new RequestPipeline(client);
        this.directory = ClusterLayout.ownership(root);
        this.counter = root + "/ownership-changes";
    }

    private String path(TopicId topic) {
        return Shards.pathOf(directory, topic);
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
        pipeline.read(partitions, this::path, (partition, node) -> {
            try {
                records.put(
                        partition,
                        new Versioned(
                                RecordJson.ownership(node.getData()),
                                node.getStat().getVersion()));
            } catch (IOException | RuntimeException e) {
                unreadable.accept(
                        partition,
                        "%s is not an ownership record (%s)".formatted(node.getPath(), RecordJson.reason(e)));
            }
        });
        return records;
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

    /** For new records, each topic's: a batch may be of as many topics as partitions, so all are made at the same time. */
    private void makeDirectories(List<Change> changes) {
        pipeline.create(
                changes.stream()
                        .filter(change -> change.expectedVersion() == ABSENT)
                        .map(change -> change.partition().topic())
                        .distinct()
                        .toList(),
                this::path,
                topic -> NOTHING);
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
            String path = path(topic);
            List<String> records =
                    ZooKeeperErrors.call(() -> client.getChildren().forPath(path));
            pipeline.delete(records.stream().map(record -> path + "/" + record).toList());
            ZooKeeperErrors.call(
                    () -> client.delete().quietly().deletingChildrenIfNeeded().forPath(path));
        } catch (KeeperException.NoNodeException e) {
            log.debug("{} has no records", topic);
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
        try {
            makeCounter();
            ZooKeeperErrors.call(() -> client.setData().forPath(counter, NOTHING));
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public List<TopicId> topics() {
        List<TopicId> topics = new ArrayList<>();
        pipeline.list(
                Shards.ALL,
                shard -> directory + "/" + shard,
                (shard, node) -> node.getChildren().stream().map(TopicId::parse).forEach(topics::add));
        return topics;
    }
}
