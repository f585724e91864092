package io.talosgateway.benchmarks.ideal;

import io.talosgateway.benchmarks.process.MetricsPage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class PutTimesTest {

    private static MetricsPage page(int requests, double factor) {
        return MetricsPage.parse(
                """
                # HELP talos_request_seconds Time.
                # TYPE talos_request_seconds histogram
                talos_request_seconds_bucket{class="put",le="0.0005",} 1.0
                talos_request_seconds_count{class="get",} 99.0
                talos_request_seconds_sum{class="get",} 99.0
                talos_request_seconds_count{class="put",} %1$d
                talos_request_seconds_sum{class="put",} %2$s
                talos_pool_wait_seconds_count{pool="get",} 7.0
                talos_pool_wait_seconds_sum{pool="get",} 7.0
                talos_pool_wait_seconds_count{pool="put",} %1$d
                talos_pool_wait_seconds_sum{pool="put",} 0.0
                talos_put_storage_seconds_count %1$d
                talos_put_storage_seconds_sum %3$s
                talos_put_answer_wait_seconds_count %1$d
                talos_put_answer_wait_seconds_sum %4$s
                talos_journal_lane_wait_seconds_count %1$d
                talos_journal_lane_wait_seconds_sum %4$s
                talos_journal_write_seconds_count 10.0
                talos_journal_write_seconds_sum 1.0E-3
                talos_journal_sync_seconds_count %5$d
                talos_journal_sync_seconds_sum %6$s
                talos_journal_group_puts_count %5$d
                talos_journal_group_puts_sum %1$d
                """.formatted(requests, 10 * factor, 8 * factor, 2 * factor, requests / 10, 0.3 * factor));
    }

    @Test
    void meansAreOfWhatWasAddedBetween() {
        PutTimes times = PutTimes.between(page(1000, 1), page(3000, 5));

        assertThat(times.requestMs()).isCloseTo(20, within(1e-9));
        assertThat(times.storageMs()).isCloseTo(16, within(1e-9));
        assertThat(times.laneWaitMs()).isCloseTo(4, within(1e-9));
        assertThat(times.syncMs()).isCloseTo(6, within(1e-9));
        assertThat(times.groupPuts()).isCloseTo(10, within(1e-9));
        assertThat(times.poolWaitMs()).isZero();
        assertThat(times.writeMs()).isZero();
        assertThat(times.answerWaitMs()).isCloseTo(4, within(1e-9));
        assertThat(times.storageShare()).isCloseTo(0.8, within(1e-9));
    }

    @Test
    void metricThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> MetricsPage.parse("other 1.0").value("talos_x", "a=\"b\""))
                .hasMessage("the gateway has no metric talos_x [a=\"b\"]");
    }

    @Test
    void seriesAreAddedUp() {
        MetricsPage page = MetricsPage.parse("x{a=\"1\",} 2.0\nx{a=\"2\",} 3.0\nxy 7.0\n");

        assertThat(page.value("x")).isEqualTo(5);
        assertThat(page.value("x", "a=\"2\"")).isEqualTo(3);
    }
}
