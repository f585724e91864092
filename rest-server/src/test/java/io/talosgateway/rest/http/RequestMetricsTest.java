package io.talosgateway.rest.http;

import io.prometheus.client.CollectorRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class RequestMetricsTest {

    private final CollectorRegistry registry = new CollectorRegistry();
    private final RequestMetrics metrics = new RequestMetrics(registry);

    private Double counted(String interfaceName, RequestClass requestClass, String outcome) {
        return registry.getSampleValue(
                "talos_requests_total",
                new String[] {"interface", "class", "outcome"},
                new String[] {interfaceName, requestClass.text(), outcome});
    }

    @ParameterizedTest
    @ValueSource(strings = {"rest", "another"})
    void requestsAreCountedByInterfaceClassAndOutcome(String interfaceName) {
        for (int times = 0; times < 3; times++) {
            metrics.answered(interfaceName, RequestClass.PUT, "overloaded", 1);
        }
        metrics.answered(interfaceName, RequestClass.GET, "overloaded", 1);

        assertThat(counted(interfaceName, RequestClass.PUT, "overloaded")).isEqualTo(3);
        assertThat(counted(interfaceName, RequestClass.GET, "overloaded")).isEqualTo(1);
        assertThat(counted("talos", RequestClass.PUT, "overloaded")).isNull();
    }
}
