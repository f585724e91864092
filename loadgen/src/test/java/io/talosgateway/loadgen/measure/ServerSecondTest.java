package io.talosgateway.loadgen.measure;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ServerSecondTest {

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

    @Test
    void itIsWhatTheMetricsRoseBy() {
        ServerSecond second = ServerSecond.between(page(100, 1, 2, 1), 3, page(300, 1.2, 6, 4), 5);

        assertThat(second).isEqualTo(new ServerSecond(3, 2, 1.0, null, 20.0, 15.0, 0.75, 20.0, 2.0, 0.5, 4.0));
    }

    @Test
    void withoutPutsInBetweenThereIsNoMean() {
        ServerSecond second = ServerSecond.between(page(100, 1, 2, 1), 0, page(100, 1, 2, 1), 1);

        assertThat(second.putQueueMs()).isNull();
        assertThat(second.storageShare()).isNull();
        assertThat(second.gcMs()).isZero();
    }

    @Test
    void gatewayThatWasStartedAgainHasNoneEither() {
        ServerSecond second = ServerSecond.between(page(300, 1, 2, 1), 0, page(100, .1, .2, .1), 1);

        assertThat(second.putMs()).isNull();
        assertThat(second.cpuCores()).isNull();
    }

    @Test
    void serverWithoutTheMetricsHasNone() {
        ServerSecond second = ServerSecond.between(MetricsPage.parse(""), 0, MetricsPage.parse(""), 1);

        assertThat(second).isEqualTo(new ServerSecond(0, 1, null, null, null, null, null, null, null, null, null));
    }

    @Test
    void nameThatBeginsAlikeIsAnother() {
        MetricsPage page = MetricsPage.parse("talos_a_total 1.0\ntalos_a 2.0\ntalos_a{x=\"y\",} 3.0");

        assertThat(page.value("talos_a")).hasValue(5);
        assertThat(page.value("talos_a", "x=\"y\"")).hasValue(3);
        assertThat(page.value("talos_b")).isEmpty();
    }
}
