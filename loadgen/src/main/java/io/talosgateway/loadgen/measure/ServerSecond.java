package io.talosgateway.loadgen.measure;

import org.jspecify.annotations.Nullable;

/**
 * What the gateway said of itself between two looks at its metrics; means over the requests in between, null if there were
 * none or the gateway has no such metric.
 *
 * @param atSeconds of the first look, since the end of the warm-up
 * @param seconds until the second look
 * @param putQueueMs how long puts were queued before a worker took them
 * @param getQueueMs the same of gets
 * @param putMs from the arrival of a put's headers until its answer was written
 * @param storageMs from handing a put to the storage until it was durable
 * @param storageShare storageMs / putMs
 * @param gcMs time in garbage collections, in all
 * @param gcCount how many of them
 * @param cpuCores processor time for each second
 * @param queuedTasks how many were queued at the second look
 */
public record ServerSecond(
        double atSeconds,
        double seconds,
        @Nullable Double putQueueMs,
        @Nullable Double getQueueMs,
        @Nullable Double putMs,
        @Nullable Double storageMs,
        @Nullable Double storageShare,
        @Nullable Double gcMs,
        @Nullable Double gcCount,
        @Nullable Double cpuCores,
        @Nullable Double queuedTasks) {

    static ServerSecond between(MetricsPage before, double beforeSeconds, MetricsPage after, double afterSeconds) {
        double seconds = afterSeconds - beforeSeconds;
        MetricsRise rise = new MetricsRise(before, after);
        Double put = rise.meanMs("talos_request_seconds", "class=\"put\"");
        Double storage = rise.meanMs("talos_put_storage_seconds");
        Double cpu = rise.of("process_cpu_seconds_total");
        return new ServerSecond(
                Millis.rounded(beforeSeconds),
                Millis.rounded(seconds),
                rise.meanMs("talos_pool_wait_seconds", "pool=\"put\""),
                rise.meanMs("talos_pool_wait_seconds", "pool=\"get\""),
                put,
                storage,
                put == null || storage == null || put == 0 ? null : Millis.rounded(storage / put),
                rise.ms("jvm_gc_collection_seconds_sum"),
                rise.of("jvm_gc_collection_seconds_count"),
                cpu == null || seconds <= 0 ? null : Millis.rounded(cpu / seconds),
                value(after, "talos_pool_queued_tasks"));
    }

    private static @Nullable Double value(MetricsPage page, String metric) {
        return page.value(metric).isPresent() ? page.value(metric).getAsDouble() : null;
    }
}
