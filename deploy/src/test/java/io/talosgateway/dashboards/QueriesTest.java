package io.talosgateway.dashboards;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class QueriesTest {

    private static final List<Queries.Sample> SAMPLES = Queries.samples("""
            # HELP talos_a_total Counts.
            talos_a_total{class="put",outcome="not-found",} 3.0
            talos_b 1.0
            up{instance="127.0.0.1:1",} 1
            jvm_c_seconds_bucket{gc="G1 \\"Young\\"",le="+Inf",} 4.0
            """);

    @Test
    void namesAndLabelsThatAreThereAreNotMissing() {
        for (String query : List.of(
                "talos_b",
                "up{job=\"talos-gateway\"} == 0",
                "sum by (class) (rate(talos_a_total{outcome!=\"ok\",instance=~\"$host\"}[5m])) / on (instance) talos_b",
                "rate(talos_a_total{class=~\"put|get\"}[1m])",
                "histogram_quantile(0.99, sum by (le, gc) (jvm_c_seconds_bucket)) > 0.1 and talos_b == 1")) {
            assertThat(Queries.missing(query, SAMPLES)).as(query).isEmpty();
        }
    }

    @Test
    void namesAndLabelsThatAreNotThereAreMissing() {
        assertThat(Queries.missing("talos_a", SAMPLES)).containsExactly("talos_a");
        assertThat(Queries.missing("talos_a_total{class=\"get\"} + talos_b", SAMPLES))
                .containsExactly("talos_a_total{class=\"get\"}");
        assertThat(Queries.missing("talos_a_total{class!~\"p.t\"}", SAMPLES)).hasSize(1);
        assertThat(Queries.missing("sum by (klass) (talos_a_total)", SAMPLES))
                .containsExactly("label klass in sum by (klass) (talos_a_total)");
        assertThat(Queries.missing("vector(0)", SAMPLES)).hasSize(1);
    }
}
