package io.talosgateway.rest.journal;

import java.util.List;
import java.util.function.LongSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.talosgateway.rest.metrics.Gauges;
import io.talosgateway.rest.metrics.LatencyHistogram;
import io.talosgateway.scheduler.NanoClock;

/** What the journal counts and times. Safe for use by any thread. */
public final class JournalMetrics {

    private final NanoClock clock;
    private final Histogram groupPuts;
    private final LatencyHistogram.Child laneWait;
    private final LatencyHistogram.Child write;
    private final LatencyHistogram.Child sync;
    private final Counter committedPuts;
    private final Counter committedBytes;
    private final Counter laneFailures;
    private final Counter files;
    private final Counter storageReadBytes;
    private final LatencyHistogram.Child storageRead;
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
        laneWait = seconds(registry, "lane_wait_seconds", "Time that a put waited for its lane.");
        write = seconds(registry, "write_seconds", "Time to hand a group to the storage, before the sync.");
        sync = seconds(registry, "sync_seconds", "Time of the sync that makes a group durable.");
        committedPuts = counter("committed_puts_total", "Puts made durable.").register(registry);
        committedBytes = counter("committed_bytes_total", "Bytes of blocks made durable.")
                .register(registry);
        laneFailures = counter(
                        "lane_failures_total", "Groups that could not be written or synced at the first attempt.")
                .register(registry);
        files = counter("files_total", "Journal files created, sealed and deleted.")
                .labelNames("event")
                .register(registry);
        List.of("created", "sealed", "deleted").forEach(files::labels);
        storageReadBytes = counter("storage_read_bytes_total", "Bytes read of the storage.")
                .register(registry);
        storageRead = seconds(registry, "storage_read_seconds", "Time of a read of the storage.");
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

    private static LatencyHistogram.Child seconds(CollectorRegistry registry, String name, String help) {
        return LatencyHistogram.coarse(registry, "talos_journal_" + name, help);
    }

    private static Counter.Builder counter(String name, String help) {
        return Counter.build("talos_journal_" + name, help);
    }

    private static Gauge.Builder gauge(String name, String help) {
        return Gauge.build("talos_journal_" + name, help);
    }

    public long nanoTime() {
        return clock.nanoTime();
    }

    public void committed(int puts, long bytes, long writeNanos, long syncNanos) {
        groupPuts.observe(puts);
        committedPuts.inc(puts);
        committedBytes.inc((double) bytes);
        write.observe(writeNanos);
        sync.observe(syncNanos);
    }

    public void waited(long nanos) {
        laneWait.observe(nanos);
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
        storageRead.observe(clock.nanoTime() - startedAtNanos);
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
        cacheBytes.setChild(Gauges.child(bytes::getAsLong), cache);
    }

    public void watchReplicas(String lane, LongSupplier missing) {
        laneMissingReplicas.setChild(Gauges.child(missing::getAsLong), lane);
    }

    public void watchLane(String lane, LongSupplier queuedPuts, LongSupplier queuedBytes, LongSupplier broken) {
        laneQueuedPuts.setChild(Gauges.child(queuedPuts::getAsLong), lane);
        laneQueuedBytes.setChild(Gauges.child(queuedBytes::getAsLong), lane);
        laneBroken.setChild(Gauges.child(broken::getAsLong), lane);
    }
}
