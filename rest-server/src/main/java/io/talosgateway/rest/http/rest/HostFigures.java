package io.talosgateway.rest.http.rest;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import io.prometheus.client.CollectorRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What a host counts, in short: a part of its metrics, as JSON. Counters begin at 0 when the process starts; two readings make a rate, or
 * the latencies of the time between them. Safe for use by any thread.
 */
final class HostFigures {

    private static final String REQUESTS = "talos_requests_total";
    private static final String LATENCY = "talos_request_seconds";
    private static final String POOL_QUEUED = "talos_pool_queued_tasks";
    private static final String POOL_QUEUED_BYTES = "talos_pool_queued_bytes";
    private static final String POOL_RUNNING = "talos_pool_running_tasks";
    private static final String POOL_WORKER = "talos_pool_worker_tasks";
    private static final String LANE_QUEUED = "talos_journal_lane_queued_puts";
    private static final String LANE_QUEUED_BYTES = "talos_journal_lane_queued_bytes";
    private static final String LANE_BROKEN = "talos_journal_lane_broken";
    private static final String STORED = "talos_stored_bytes";
    private static final String RECEIVED = "talos_received_bytes_total";
    private static final String SENT = "talos_sent_bytes_total";
    private static final String COMMITTED = "talos_journal_committed_bytes_total";
    private static final String IN_FLIGHT = "talos_requests_in_flight";
    private static final String BYTES_IN_FLIGHT = "talos_bytes_in_flight";
    private static final String CONNECTIONS = "talos_connections";
    private static final String WAITING = "talos_gets_waiting";
    private static final String STREAMS = "talos_streams";
    private static final String CPU = "process_cpu_seconds_total";
    private static final String PROCESSORS = "talos_processors";
    private static final String HEAP = "jvm_memory_bytes_used";
    private static final String MAX_HEAP = "jvm_memory_bytes_max";

    private static final Set<String> READ = Set.of(
            REQUESTS,
            LATENCY + "_bucket",
            LATENCY + "_sum",
            POOL_QUEUED,
            POOL_QUEUED_BYTES,
            POOL_RUNNING,
            POOL_WORKER,
            LANE_QUEUED,
            LANE_QUEUED_BYTES,
            LANE_BROKEN,
            STORED,
            RECEIVED,
            SENT,
            COMMITTED,
            IN_FLIGHT,
            BYTES_IN_FLIGHT,
            CONNECTIONS,
            WAITING,
            STREAMS,
            CPU,
            PROCESSORS,
            HEAP,
            MAX_HEAP);

    /** The classes whose latencies are shown: their buckets are fine enough for percentiles. */
    private static final List<String> TIMED = List.of("put", "get");

    private final String host;
    private final CollectorRegistry registry;
    private final InstantSource wallClock;

    HostFigures(String host, CollectorRegistry registry, InstantSource wallClock) {
        this.host = host;
        this.registry = registry;
        this.wallClock = wallClock;
    }

    /** Requests of a class that had an outcome, {@code ok} or the code of a problem. */
    record RequestsJson(String requestClass, String outcome, long count) {}

    /**
     * Requests whose time was in a bucket.
     *
     * @param upToSeconds the longest time in it; null if it has no bound
     */
    record BucketJson(@Nullable Double upToSeconds, long count) {}

    /** @param buckets those that are not empty, the shortest time first */
    record LatencyJson(String requestClass, double sumSeconds, List<BucketJson> buckets) {}

    /** @param workers tasks that are bound to each thread, queued and running */
    record PoolJson(String pool, long queued, long queuedBytes, long running, List<Long> workers) {}

    record LaneJson(String lane, long queuedPuts, long queuedBytes, boolean broken) {}

    /** @param atMs when it was read, epoch milliseconds */
    record HostJson(
            String host,
            long atMs,
            List<RequestsJson> requests,
            List<LatencyJson> latencies,
            List<PoolJson> pools,
            List<LaneJson> lanes,
            long receivedBytes,
            long sentBytes,
            long committedBytes,
            long storedBytes,
            long requestsInFlight,
            long bytesInFlight,
            long connections,
            long getsWaiting,
            long streams,
            double cpuSeconds,
            long processors,
            long heapBytes,
            long maxHeapBytes) {}

    HostJson read() {
        Samples samples = new Samples();
        for (var family : Collections.list(registry.filteredMetricFamilySamples(READ))) {
            family.samples.forEach(samples::add);
        }
        return new HostJson(
                host,
                wallClock.millis(),
                requests(samples),
                TIMED.stream().map(its -> latency(samples, its)).toList(),
                samples.values("pool", POOL_QUEUED).stream()
                        .map(pool -> pool(samples, pool))
                        .toList(),
                samples.values("lane", LANE_QUEUED).stream()
                        .map(lane -> lane(samples, lane))
                        .toList(),
                samples.count(RECEIVED),
                samples.count(SENT),
                samples.count(COMMITTED),
                samples.count(STORED),
                samples.count(IN_FLIGHT),
                samples.count(BYTES_IN_FLIGHT),
                samples.count(CONNECTIONS),
                samples.count(WAITING),
                samples.count(STREAMS),
                samples.sum(CPU, Map.of()),
                samples.count(PROCESSORS),
                samples.count(HEAP, "area", "heap"),
                samples.count(MAX_HEAP, "area", "heap"));
    }

    /** Both interfaces together. */
    private static List<RequestsJson> requests(Samples samples) {
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        for (Sample sample : samples.of(REQUESTS)) {
            if (sample.value > 0) {
                counts.computeIfAbsent(Samples.label(sample, "class"), its -> new TreeMap<>())
                        .merge(Samples.label(sample, "outcome"), (long) sample.value, Long::sum);
            }
        }
        List<RequestsJson> requests = new ArrayList<>();
        counts.forEach((its, outcomes) ->
                outcomes.forEach((outcome, count) -> requests.add(new RequestsJson(its, outcome, count))));
        return requests;
    }

    private static LatencyJson latency(Samples samples, String requestClass) {
        List<BucketJson> buckets = new ArrayList<>();
        long before = 0;
        for (Sample sample : samples.of(LATENCY + "_bucket")) {
            if (Samples.label(sample, "class").equals(requestClass)) {
                long count = (long) sample.value;
                if (count > before) {
                    String bound = Samples.label(sample, "le");
                    buckets.add(new BucketJson(bound.equals("+Inf") ? null : Double.valueOf(bound), count - before));
                }
                before = count;
            }
        }
        return new LatencyJson(requestClass, samples.sum(LATENCY + "_sum", Map.of("class", requestClass)), buckets);
    }

    private static PoolJson pool(Samples samples, String pool) {
        Map<Integer, Long> workers = new TreeMap<>();
        for (Sample sample : samples.of(POOL_WORKER)) {
            if (Samples.label(sample, "pool").equals(pool)) {
                workers.put(Integer.valueOf(Samples.label(sample, "worker")), (long) sample.value);
            }
        }
        return new PoolJson(
                pool,
                samples.count(POOL_QUEUED, "pool", pool),
                samples.count(POOL_QUEUED_BYTES, "pool", pool),
                samples.count(POOL_RUNNING, "pool", pool),
                List.copyOf(workers.values()));
    }

    private static LaneJson lane(Samples samples, String lane) {
        return new LaneJson(
                lane,
                samples.count(LANE_QUEUED, "lane", lane),
                samples.count(LANE_QUEUED_BYTES, "lane", lane),
                samples.count(LANE_BROKEN, "lane", lane) > 0);
    }

    /** What was read of the registry at one time. */
    private static final class Samples {

        private final Map<String, List<Sample>> byName = new TreeMap<>();

        void add(Sample sample) {
            byName.computeIfAbsent(sample.name, name -> new ArrayList<>()).add(sample);
        }

        List<Sample> of(String name) {
            return byName.getOrDefault(name, List.of());
        }

        static String label(Sample sample, String label) {
            int index = sample.labelNames.indexOf(label);
            return index < 0 ? "" : sample.labelValues.get(index);
        }

        Set<String> values(String label, String name) {
            Set<String> values = new TreeSet<>();
            of(name).forEach(sample -> values.add(label(sample, label)));
            return values;
        }

        double sum(String name, Map<String, String> labels) {
            return of(name).stream()
                    .filter(sample -> labels.entrySet().stream()
                            .allMatch(its -> label(sample, its.getKey()).equals(its.getValue())))
                    .mapToDouble(sample -> sample.value)
                    .sum();
        }

        long count(String name) {
            return (long) sum(name, Map.of());
        }

        long count(String name, String label, String value) {
            return (long) sum(name, Map.of(label, value));
        }
    }
}
