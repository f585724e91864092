package io.talosgateway.loadgen.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.talosgateway.loadgen.experiment.engine.Contrast;
import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.Metric;
import io.talosgateway.loadgen.experiment.engine.Metrics;

/**
 * The releases that the published reports compare, as settings of this gateway (docs/decisions/0013-comparison-modes.md), and this
 * gateway. All answer when HDFS holds a put in the memory of every replica, as the releases did. Stateless.
 */
final class HistoricVariants {

    static final String V215 = "2.1.5";
    static final String V216 = "2.1.6";
    static final String V216_NEW = "2.1.6-new";
    static final String OURS = "ours";

    /** What the reports on them show. */
    static final List<Metric> COLUMNS = Stream.of(
                    Metrics.OF_PUTS,
                    Metrics.OF_GETS,
                    List.of(
                            Metrics.PUT_QUEUE,
                            Metrics.GET_QUEUE,
                            Metrics.STORAGE,
                            Metrics.STORAGE_SHARE,
                            Metrics.CPU_BUSY,
                            Metrics.SERVER_CPU,
                            Metrics.HDFS_CPU,
                            Metrics.LOAD_CPU,
                            Metrics.SERVER_SWITCHES,
                            Metrics.GC_SHARE,
                            Metrics.ERRORS))
            .flatMap(List::stream)
            .toList();

    static final List<Contrast> CONTRASTS = List.of(
            new Contrast(OURS, V215),
            new Contrast(OURS, V216),
            new Contrast(OURS, V216_NEW),
            new Contrast(V216, V215),
            new Contrast(V216_NEW, V215));

    /**
     * HDFS sets a whole block aside for each file that is written. So that a file for each partition fits the disk, theirs are
     * small; no file of theirs is filled in an experiment, so that it costs them nothing.
     */
    private static final String SMALL_BLOCK = "16777216";

    private HistoricVariants() {}

    /** By name, in the order of the tables. */
    static Map<String, GatewayServer> all() {
        Map<String, GatewayServer> all = new LinkedHashMap<>();
        all.put(V215, historic("hash", "100"));
        all.put(V216, historic("least-loaded", "100"));
        all.put(V216_NEW, historic("least-loaded", "300"));
        all.put(OURS, new GatewayServer(Map.of("journal.durability", "memory")));
        return all;
    }

    /** The same for topics with more partitions than a gateway lets its topics have. */
    static Map<String, GatewayServer> ofPartitions(String partitions) {
        Map<String, GatewayServer> all = all();
        all.replaceAll((name, server) -> server.with(Map.of("topic.max-partitions", partitions)));
        return all;
    }

    private static GatewayServer historic(String policy, String httpThreads) {
        return new GatewayServer(Map.of(
                "journal.durability",
                "memory",
                "put.policy",
                policy,
                "get.policy",
                policy,
                "dispatch.mode",
                "blocking",
                "journal.layout",
                "file-per-partition",
                "http.threads",
                httpThreads,
                "put.threads",
                "200",
                "get.threads",
                "200",
                "hadoop.dfs.blocksize",
                SMALL_BLOCK));
    }
}
