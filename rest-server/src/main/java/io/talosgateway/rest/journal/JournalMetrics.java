package io.talosgateway.rest.journal;

import java.util.function.LongSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.talosgateway.scheduler.NanoClock;

/** What the journal counts and times. Safe for use by any thread. */
public final class JournalMetrics {

    private static final double NANOS_PER_SECOND = 1e9;

    private final NanoClock clock;
    private final Histogram groupPuts;
    private final Histogram laneWait;
    private final Histogram write;
    private final Histogram sync;
    private final Counter committedPuts;
    private final Counter committedBytes;
    private final Counter laneFailures;
    private final Counter files;
    private final Counter storageReadBytes;
    private final Histogram storageRead;
    private final Counter pageHits;
    private final Counter.Child readsFromTail;
    private final Counter.Child readsFromStorage;
    private final Gauge cacheBytes;
    private final Gauge laneQueuedPuts;
    private final Gauge laneQueuedBytes;
    private final Gauge laneBroken;
    private final Gauge laneMissingReplicas;

    public JournalMetrics(CollectorRegistry registry, NanoClock clock) {
        this.clock = clock;
        groupPuts = Histogram.build("talos_journal_group_puts", "Puts that one sync committed.")
                .buckets(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
                .register(registry);
        laneWait = seconds("lane_wait_seconds", "Time that a put waited for its lane.")
                .register(registry);
        write = seconds("write_seconds", "Time to hand a group to the storage, before the sync.")
                .register(registry);
        sync = seconds("sync_seconds", "Time of the sync that makes a group durable.")
                .register(registry);
        committedPuts = counter("committed_puts_total", "Puts made durable.").register(registry);
        committedBytes = counter("committed_bytes_total", "Bytes of blocks made durable.")
                .register(registry);
        laneFailures = counter(
                        "lane_failures_total", "Groups that could not be written or synced at the first attempt.")
                .register(registry);
        files = counter("files_total", "Journal files created, sealed and deleted.")
                .labelNames("event")
                .register(registry);
        storageReadBytes = counter("storage_read_bytes_total", "Bytes read of the storage.")
                .register(registry);
        storageRead = seconds("storage_read_seconds", "Time of a read of the storage.")
                .register(registry);
        pageHits = counter("read_ahead_hits_total", "Pages found in the read-ahead cache.")
                .register(registry);
        Counter reads = counter("reads_total", "Reads of a partition, by where they found what they look for.")
                .labelNames("source")
                .register(registry);
        readsFromTail = reads.labels("tail");
        readsFromStorage = reads.labels("storage");
        cacheBytes =
                gauge("cache_bytes", "Bytes in a cache.").labelNames("cache").register(registry);
        laneQueuedPuts = gauge("lane_queued_puts", "Puts that wait for a lane.")
                .labelNames("lane")
                .register(registry);
        laneQueuedBytes = gauge("lane_queued_bytes", "Bytes that wait for a lane.")
                .labelNames("lane")
                .register(registry);
        laneBroken = gauge("lane_broken", "1 while a lane cannot write.")
                .labelNames("lane")
                .register(registry);
        laneMissingReplicas = gauge(
                        "lane_missing_replicas", "Copies that a lane's open file should have on HDFS, and has not.")
                .labelNames("lane")
                .register(registry);
    }

    private static Histogram.Builder seconds(String name, String help) {
        return Histogram.build("talos_journal_" + name, help)
                .buckets(.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10);
    }

    private static Counter.Builder counter(String name, String help) {
        return Counter.build("talos_journal_" + name, help);
    }

    private static Gauge.Builder gauge(String name, String help) {
        return Gauge.build("talos_journal_" + name, help);
    }

    private static Gauge.Child child(LongSupplier value) {
        return new Gauge.Child() {
            @Override
            public double get() {
                return value.getAsLong();
            }
        };
    }

    public long nanoTime() {
        return clock.nanoTime();
    }

    public void committed(int puts, long bytes, long writeNanos, long syncNanos) {
        groupPuts.observe(puts);
        committedPuts.inc(puts);
        committedBytes.inc((double) bytes);
        write.observe(writeNanos / NANOS_PER_SECOND);
        sync.observe(syncNanos / NANOS_PER_SECOND);
    }

    public void waited(long nanos) {
        laneWait.observe(nanos / NANOS_PER_SECOND);
    }

    public void laneFailed() {
        laneFailures.inc();
    }

    public void fileCreated() {
        files.labels("created").inc();
    }

    public void fileSealed() {
        files.labels("sealed").inc();
    }

    public void fileDeleted() {
        files.labels("deleted").inc();
    }

    public void storageRead(int bytes, long startedAtNanos) {
        storageReadBytes.inc(bytes);
        storageRead.observe((clock.nanoTime() - startedAtNanos) / NANOS_PER_SECOND);
    }

    public void pageHit() {
        pageHits.inc();
    }

    public void readFromTail() {
        readsFromTail.inc();
    }

    public void readFromStorage() {
        readsFromStorage.inc();
    }

    public void watchCache(String cache, LongSupplier bytes) {
        cacheBytes.setChild(child(bytes), cache);
    }

    public void watchReplicas(String lane, LongSupplier missing) {
        laneMissingReplicas.setChild(child(missing), lane);
    }

    public void watchLane(String lane, LongSupplier queuedPuts, LongSupplier queuedBytes, LongSupplier broken) {
        laneQueuedPuts.setChild(child(queuedPuts), lane);
        laneQueuedBytes.setChild(child(queuedBytes), lane);
        laneBroken.setChild(child(broken), lane);
    }
}
