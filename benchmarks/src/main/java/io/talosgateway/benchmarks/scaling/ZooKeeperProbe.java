package io.talosgateway.benchmarks.scaling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.StaleOwnershipException;
import io.talosgateway.rest.coordination.zookeeper.GeneratedSecret;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperConfig;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperCoordination;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;

/** How fast the embedded ZooKeeper on this machine, which forces its log to disk, takes and gives ownership records. */
final class ZooKeeperProbe {

    private static final int THREADS = 8;
    private static final int RECORDS = 20_000;
    private static final int SINGLE_WRITES = 2_000;

    private ZooKeeperProbe() {}

    /** Per second: transactions of one record, and records written by 500, and records read. */
    record Rates(double transactions, double recordsInBatches, double reads) {}

    static Rates measure(int batch) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("talos-scaling-");
        try (ZooKeeperCoordination coordination = ZooKeeperCoordination.open(
                new ZooKeeperConfig(
                        null,
                        "/talos",
                        directory,
                        null,
                        GeneratedSecret.PROTECTED,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30)),
                System::nanoTime,
                InstantSource.system())) {
            OwnershipRecords records = coordination.ownership();
            List<Callable<Integer>> creations = new ArrayList<>();
            for (int from = 0; from < RECORDS; from += batch) {
                List<Change> changes = changes(from, from + batch, OwnershipRecords.ABSENT);
                creations.add(() -> records.write(changes).size());
            }
            // Makes the topic's directory.
            records.write(changes(RECORDS, RECORDS + 1, OwnershipRecords.ABSENT));
            double creating = rate(creations);
            List<Callable<Integer>> reads = new ArrayList<>();
            for (int from = 0; from < RECORDS; from += batch) {
                List<TopicPartition> partitions = partitions(from, from + batch);
                reads.add(() -> count(records.read(partitions)));
            }
            double reading = rate(reads);
            List<Callable<Integer>> singles = IntStream.range(0, SINGLE_WRITES)
                    .<Callable<Integer>>mapToObj(number ->
                            () -> records.write(changes(number, number + 1, 0)).size())
                    .toList();
            return new Rates(rate(singles), creating, reading);
        } catch (StaleOwnershipException e) {
            throw new IOException("Somebody else writes to this ZooKeeper", e);
        } finally {
            Directories.delete(directory);
        }
    }

    private static int count(Map<TopicPartition, ?> records) {
        return records.size();
    }

    private static List<TopicPartition> partitions(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> new TopicPartition(new TopicId(1, 1), number))
                .toList();
    }

    private static List<Change> changes(int from, int to, int version) {
        OwnershipRecord record = new OwnershipRecord(
                HostNames.of(1),
                1,
                OwnerEpoch.NONE.next(),
                List.of(new JournalReference(
                        HostNames.of(1), 1, OwnerEpoch.NONE.next(), 123_456_789, 123_456_789_012L)),
                123_456_789,
                123_456_789,
                123_456_789_012L,
                false);
        return partitions(from, to).stream()
                .map(partition -> new Change(partition, version, record))
                .toList();
    }

    private static double rate(Collection<Callable<Integer>> tasks) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long nanos = -System.nanoTime();
            int done = 0;
            for (Future<Integer> task : threads.invokeAll(tasks)) {
                done += task.get();
            }
            return done * 1e9 / (nanos + System.nanoTime());
        } catch (ExecutionException e) {
            throw new IOException("ZooKeeper could not be measured", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
