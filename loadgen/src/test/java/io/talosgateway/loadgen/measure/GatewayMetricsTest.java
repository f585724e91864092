package io.talosgateway.loadgen.measure;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

final class GatewayMetricsTest {

    private static MetricsPage page(int puts, double queueSeconds, double requestSeconds, double storageSeconds) {
        return MetricsPage.parse("""
                # HELP talos_pool_wait_seconds Time that a task was queued before it started.
                talos_pool_wait_seconds_count{pool="put",} %d
                talos_pool_wait_seconds_sum{pool="put",} %f
                talos_pool_wait_seconds_count{pool="get",} 7
                talos_pool_wait_seconds_sum{pool="get",} 1.0
                talos_request_seconds_count{class="put",} %d
                talos_request_seconds_sum{class="put",} %f
                talos_put_storage_seconds_count %d
                talos_put_storage_seconds_sum %f
                jvm_gc_collection_seconds_count{gc="G1 Young Generation",} %d
                jvm_gc_collection_seconds_sum{gc="G1 Young Generation",} %f
                jvm_gc_collection_seconds_count{gc="G1 Old Generation",} 0.0
                jvm_gc_collection_seconds_sum{gc="G1 Old Generation",} 0.0
                process_cpu_seconds_total %f
                talos_pool_queued_tasks{pool="put",} 3.0
                talos_pool_queued_tasks{pool="get",} 1.0
                """.formatted(
                        puts,
                        queueSeconds,
                        puts,
                        requestSeconds,
                        puts,
                        storageSeconds,
                        puts / 100,
                        puts / 10_000.0,
                        puts / 200.0));
    }

    private static Map<String, Double> between(MetricsPage before, MetricsPage after, double seconds) {
        return GatewayMetrics.between(
                before, after, new GatewayMetrics.Amount(seconds, Double.NaN, Double.NaN, Double.NaN));
    }

    @Test
    void itIsWhatTheMetricsRoseBy() {
        assertThat(between(page(100, 1, 2, 1), page(300, 1.2, 6, 4), 2))
                .containsOnly(
                        entry("putQueueMs", 1.0),
                        entry("putMs", 20.0),
                        entry("storageMs", 15.0),
                        entry("storageShare", 0.75),
                        entry("storageSharePercent", 75.0),
                        entry("gcMs", 20.0),
                        entry("gcCount", 2.0),
                        entry("gcPercent", 1.0),
                        entry("gcPerMinute", 60.0),
                        entry("cpuCores", 0.5),
                        entry("queuedTasks", 4.0));
    }

    @Test
    void whatIsForEachRequestIsByThoseThatThereWere() {
        MetricsPage before = MetricsPage.parse("""
                jvm_memory_pool_allocated_bytes_total{pool="a",} 1048576.0
                talos_received_bytes_total 0.0
                talos_sent_bytes_total 0.0
                """);
        MetricsPage after = MetricsPage.parse("""
                jvm_memory_pool_allocated_bytes_total{pool="a",} 3145728.0
                talos_received_bytes_total 300.0
                talos_sent_bytes_total 600.0
                """);

        assertThat(GatewayMetrics.between(before, after, new GatewayMetrics.Amount(2, 1024, 10, 30)))
                .containsOnly(
                        entry("allocatedMiB", 1.0),
                        entry("allocatedBytes", 2048.0),
                        entry("receivedBytesPerMessage", 30.0),
                        entry("sentBytesPerMessage", 20.0));
    }

    @Test
    void withoutPutsInBetweenThereIsNoMean() {
        assertThat(between(page(100, 1, 2, 1), page(100, 1, 2, 1), 1))
                .doesNotContainKeys("putQueueMs", "storageShare")
                .containsEntry("gcMs", 0.0);
    }

    @Test
    void gatewayThatWasStartedAgainHasNoneEither() {
        assertThat(between(page(300, 1, 2, 1), page(100, .1, .2, .1), 1)).doesNotContainKeys("putMs", "cpuCores");
    }

    @Test
    void serverWithoutTheMetricsHasNone() {
        assertThat(between(MetricsPage.parse(""), MetricsPage.parse(""), 1)).isEmpty();
    }

    @Test
    void nameThatBeginsAlikeIsAnother() {
        MetricsPage page = MetricsPage.parse("talos_a_total 1.0\ntalos_a 2.0\ntalos_a{x=\"y\",} 3.0");

        assertThat(page.value("talos_a")).hasValue(5);
        assertThat(page.value("talos_a", "x=\"y\"")).hasValue(3);
        assertThat(page.value("talos_b")).isEmpty();
    }
}
